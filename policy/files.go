package policy

import "io/fs"

// Files is what the engine may ask of the disk. All paths are absolute. An
// in-memory one serves in tests and measurements.
type Files interface {
	// Lstat describes path without following a final symbolic link.
	Lstat(path string) (fs.FileInfo, error)
	// Readlink returns what a symbolic link holds.
	Readlink(path string) (string, error)
	// ReadFile returns a file's content. More than limit bytes is an error, with
	// which the first ones are returned.
	ReadFile(path string, limit int) ([]byte, error)
	// ReadDir lists the names in a directory, sorted. More than limit names
	// are an error.
	ReadDir(path string, limit int) ([]string, error)
}

// Lister is a disk that tells with the names of a directory what they are,
// which saves asking for each.
type Lister interface {
	// List is ReadDir with the kind of each, links not followed, in any order.
	List(path string, limit int) ([]fs.DirEntry, error)
}
