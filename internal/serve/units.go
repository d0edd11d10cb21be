package serve

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/bashgate/bashgate/internal/cli"
)

// systemdUnits are two units of the user's own manager (systemd.socket(5),
// systemd.service(5)). PROGRAM is bashgated.
const systemdUnits = `# ~/.config/systemd/user/bashgate.socket
[Unit]
Description=bashgate answers programs

[Socket]
ListenStream=%t/bashgate/s.sock
SocketMode=0600
DirectoryMode=0700
RemoveOnStop=yes

[Install]
WantedBy=sockets.target

# ~/.config/systemd/user/bashgate.service
[Unit]
Description=bashgate answers programs
Requires=bashgate.socket
After=bashgate.socket

[Service]
Type=notify
NotifyAccess=main
ExecStart="PROGRAM" serve --idle 30m
`

// launchdAgent is a property list of the user's own agents (launchd.plist(5)).
// launchd's sockets need a C library's function (launch_activate_socket(3)), so that
// it starts the program at login instead.
const launchdAgent = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ~/Library/LaunchAgents/bashgate.plist: starts at login, and again if it fails -->
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>bashgate</string>
	<key>ProgramArguments</key>
	<array>
		<string>PROGRAM</string>
		<string>serve</string>
		<string>--socket</string>
		<string>SOCKET</string>
	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ProcessType</key>
	<string>Interactive</string>
</dict>
</plist>
`

// printUnits writes what starts the server without anybody's doing.
func printUnits(w io.Writer, p *cli.Process, kind string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	program := filepath.Join(filepath.Dir(self), "bashgated")
	if i := strings.IndexFunc(program, func(r rune) bool { return r < ' ' || strings.ContainsRune("\"\\%$&<>", r) }); i >= 0 {
		return fmt.Errorf("a unit can't name %q: it holds %q", program, program[i:i+1])
	}
	text := systemdUnits
	if kind == "launchd" {
		text = launchdAgent
	}
	socket, err := p.Socket()
	if err != nil {
		return err
	}
	xml := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	_, err = io.WriteString(w, strings.NewReplacer("PROGRAM", program, "SOCKET", xml.Replace(socket)).Replace(text))
	return err
}
