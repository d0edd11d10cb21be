package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// The sizes of the archives of a release, in bytes. What gzip makes of bashgate
// has 5.6 MB, and xz 4.3: archives for tar are .tar.xz therefore. Windows
// opens .zip alone everywhere, and that knows deflate alone.
const (
	maxXZ  = 4_400_000 // bashgate; bashgated may have a fifth more
	maxZip = 5_900_000
)

// archiveName names the archive of a program.
func (r *release) archiveName(program string, t target) string {
	return archiveDir(program, r.number(), t) + map[bool]string{false: ".tar.xz", true: ".zip"}[t.os == "windows"]
}

// archiveDir is the one directory in an archive.
func archiveDir(program, number string, t target) string {
	return program + "_" + number + "_" + t.String()
}

func (r *release) archives() error {
	for _, t := range r.targets {
		for _, p := range programs {
			files, err := r.files(t, p)
			if err != nil {
				return err
			}
			if p != programs[0] { // its completions and pages are in the first
				files = onlyProgram(files)
			}
			for i := range files {
				files[i].name = archiveDir(p, r.number(), t) + "/" + files[i].name
			}
			pack, limit := packXZ, maxXZ
			if t.os == "windows" {
				pack, limit = packZip, maxZip
			}
			if p != programs[0] {
				limit += limit / 5
			}
			content, err := pack(files, r.date)
			if err != nil {
				return err
			}
			name := r.archiveName(p, t)
			if len(content) > limit {
				return fmt.Errorf("%s has %d bytes, and %d are the limit", name, len(content), limit)
			}
			fmt.Printf("%-44s %9d bytes\n", name, len(content))
			if err := os.WriteFile(filepath.Join(r.dir, name), content, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// onlyProgram leaves of the files those that every archive holds.
func onlyProgram(files []file) (left []file) {
	for _, f := range files {
		if f.mode == 0o755 || f.name == "share/doc/bashgate/LICENSE" {
			left = append(left, f)
		}
	}
	return left
}

// writeTar writes files without owners, all of one date.
func writeTar(w io.Writer, files []file, date time.Time) error {
	t := tar.NewWriter(w)
	for _, f := range files {
		content, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		header := &tar.Header{Format: tar.FormatUSTAR, Name: f.name, Mode: int64(f.mode), Size: int64(len(content)), ModTime: date}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(content); err != nil {
			return err
		}
	}
	return t.Close()
}

// packXZ compresses with the xz of this machine: Go has none, and the library
// in Go makes files a fifth larger. With one thread the bytes depend on nothing
// but its version.
func packXZ(files []file, date time.Time) ([]byte, error) {
	var in, out bytes.Buffer
	if err := writeTar(&in, files, date); err != nil {
		return nil, err
	}
	c := exec.Command("xz", "--format=xz", "-6", "--threads=1", "--stdout")
	c.Env = []string{"PATH=" + os.Getenv("PATH")} // XZ_OPT and XZ_DEFAULTS say nothing here
	c.Stdin, c.Stdout, c.Stderr = &in, &out, os.Stderr
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("xz: %w", err)
	}
	return out.Bytes(), nil
}

// packGzip is for npm, which reads nothing else.
func packGzip(files []file, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if err := writeTar(w, files, date); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

func packZip(files []file, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, f := range files {
		content, err := os.ReadFile(f.path)
		if err != nil {
			return nil, err
		}
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		header.SetMode(f.mode)
		w, err := z.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(content); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}
