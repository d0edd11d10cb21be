package handbook

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
)

// Leads tells what is wrong with where a link of a page leads: to a file of the
// directory, and to a heading of one of the pages. Of an address elsewhere only
// the form is looked at.
func Leads(files fs.FS, pages map[string]*Page, from *Page, to string) error {
	u, err := url.Parse(to)
	if err != nil {
		return err
	}
	if u.Scheme == "mailto" {
		return nil
	}
	if u.Scheme != "" || u.Host != "" {
		if u.Scheme != "https" || u.Host == "" {
			return errors.New("it is no address of the web")
		}
		return nil
	}
	target := from.Name
	if u.Path != "" {
		target = path.Join(path.Dir(from.Name), u.Path)
		if _, err := fs.Stat(files, target); err != nil {
			return err
		}
	}
	if page := pages[target]; u.Fragment != "" && (page == nil || !page.Anchors[u.Fragment]) {
		return fmt.Errorf("%s has no heading for it", target)
	}
	return nil
}
