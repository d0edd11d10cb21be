package match_test

import (
	"reflect"
	"testing"

	"github.com/bashgate/bashgate/internal/match"
)

// TestTelling holds that a gate with rows of any kind is one of those that are asked.
func TestTelling(t *testing.T) {
	ofPrograms := map[string]bool{"Own": true, "Index": true, "Workspaces": true, "Origins": true} // Origins go with Copies
	typ := reflect.TypeFor[match.Gate]()
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Type.Kind() != reflect.Slice {
			continue
		}
		var g match.Gate
		reflect.ValueOf(&g).Elem().Field(i).Set(reflect.MakeSlice(f.Type, 1, 1))
		if g.Telling() == ofPrograms[f.Name] {
			t.Errorf("a gate with %s is telling: %v", f.Name, g.Telling())
		}
	}
}
