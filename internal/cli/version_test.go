//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	build := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	for _, row := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "unknown"},
		{build("v1.2.3"), "v1.2.3"},
		{build("(devel)"), "unknown"},
		{build("(devel)", commit), "0123456789ab"},
		{build("", commit, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), "0123456789ab+"},
		{build("", commit, debug.BuildSetting{Key: "vcs.modified", Value: "false"}), "0123456789ab"},
	} {
		if got := version(row.info); got != row.want {
			t.Errorf("version %q, want %q", got, row.want)
		}
	}
}

func TestVersionJSON(t *testing.T) {
	var got struct {
		Version, Revision, Rules, Go, OS, Arch string
		Modified                               bool
	}
	info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"},
	}}
	d := json.NewDecoder(bytes.NewReader(versionJSON(info)))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Version != "v1.2.3" || got.Revision != "0123456789abcdef" || !got.Modified || len(got.Rules) != 64 || got.Go != runtime.Version() || got.OS != runtime.GOOS || got.Arch != runtime.GOARCH {
		t.Errorf("%+v", got)
	}
}
