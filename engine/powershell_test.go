package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestOtherShells: nothing in PowerShell or cmd.exe's language is allowed, what
// certainly destroys is blocked, and what only speaks of it is not.
func TestOtherShells(t *testing.T) {
	e := New(Options{})
	r := Request{Cwd: "/w", Workspace: "/w", Home: "/home/me", Host: "claude"}
	for text, want := range map[string]policy.Decision{
		`Get-ChildItem`:                                       policy.Ask,
		`ls`:                                                  policy.Ask,
		`Remove-Item -Recurse -Force build`:                   policy.Ask,
		`Remove-Item -Recurse -Force C:\`:                     policy.Block,
		`remove-item C:\ -recurse`:                            policy.Block,
		`Remove-Item -Path 'C:\Windows' -Rec`:                 policy.Block,
		`rm -r -fo $HOME`:                                     policy.Block,
		`rm -r -fo "$env:USERPROFILE"`:                        policy.Block,
		`ri -Recurse C:\Users\*`:                              policy.Block,
		`del C:\*`:                                            policy.Block,
		`rd $env:SystemRoot\System32`:                         policy.Block,
		`Get-Date; Remove-Item C:\ -Recurse`:                  policy.Block,
		`if ($true) { Remove-Item C:\ -Recurse }`:             policy.Block,
		`Write-Host "$(Remove-Item C:\ -Recurse)"`:            policy.Block,
		`iex 'Remove-Item C:\ -Recurse'`:                      policy.Block,
		`cmd /c rd /s /q C:\`:                                 policy.Block,
		"Re`move-Item C:\\ -Recurse":                          policy.Block,
		`Format-Volume -DriveLetter D`:                        policy.Block,
		`Clear-Disk -Number 0 -RemoveData`:                    policy.Block,
		`vssadmin delete shadows /all /quiet`:                 policy.Block,
		`reg delete HKLM\SYSTEM /f`:                           policy.Block,
		`reg delete HKCU\Software\Mine /f`:                    policy.Ask,
		`Write-Host "Remove-Item -Recurse C:\"`:               policy.Ask,
		`Write-Output 'x; Remove-Item C:\'`:                   policy.Ask,
		`# Remove-Item C:\ -Recurse`:                          policy.Ask,
		`git commit -m "do not run Remove-Item C:\ -Recurse"`: policy.Ask,
		`Get-Help Remove-Item`:                                policy.Ask,
		`Select-String 'Format-Volume' *.ps1`:                 policy.Ask,
		`$path = "C:\"; Get-Item $path`:                       policy.Ask,
		`Get-Item C:\ | Select-Object Name`:                   policy.Ask,
		`$x = Remove-Item C:\Windows -Recurse`:                policy.Block,
		`try { Remove-Item C:/ -Recurse } catch { exit 1 }`:   policy.Block,
		`powershell -Command "Remove-Item C:\ -Recurse"`:      policy.Block,
		`Start-Process x -ArgumentList 'Remove-Item'`:         policy.Ask,
		`Remove-Item C:\Users\me\w\node_modules -Recurse`:     policy.Ask,
		`Remove-Item .\build, .\dist -Recurse`:                policy.Ask,
		`Remove-Item .\build, C:\ -Recurse`:                   policy.Block,
		`& { rm -Recurse C:\ }`:                               policy.Block,
		`1..3 | ForEach-Object { Clear-Disk -Number $_ }`:     policy.Block,
		`Get-Volume | Where-Object DriveLetter -eq 'C'`:       policy.Ask,
		`Get-Disk | Format-List`:                              policy.Ask,
		`wmic shadowcopy delete`:                              policy.Block,
	} {
		v := e.EvaluateTool(r, Tool{Name: "PowerShell", Args: []ToolArg{{Name: "command", Value: text}}})
		if v.Decision != want {
			t.Errorf("PowerShell %s: %v, want %v: %s", text, v.Decision, want, v.Reason)
		}
	}
	for text, want := range map[string]policy.Decision{
		`dir`:                               policy.Ask,
		`del /s /q C:\*`:                    policy.Block,
		`rd /s /q C:\`:                      policy.Block,
		`rd /s /q %USERPROFILE%`:            policy.Block,
		`rd /s /q build`:                    policy.Ask,
		`format C: /q`:                      policy.Block,
		`echo rd /s /q C:\`:                 policy.Ask,
		`echo x & rd /s /q C:\`:             policy.Block,
		`if exist C:\x rd /s /q C:\Windows`: policy.Ask, // the condition's end is not found
		`r^d /s /q C:\`:                     policy.Block,
		`@rd /s /q "C:\Users"`:              policy.Block,
		`powershell -c rm -r C:\`:           policy.Block,
	} {
		v := e.EvaluateTool(Request{Cwd: "/w", Workspace: "/w", Host: "kiro"}, Tool{Name: "execute_cmd", Args: []ToolArg{{Name: "command", Value: text}}})
		if v.Decision != want {
			t.Errorf("cmd %s: %v, want %v: %s", text, v.Decision, want, v.Reason)
		}
	}
	for text, want := range map[string]policy.Decision{
		`powershell -Command 'Get-Date'`:                            policy.Ask,
		`powershell.exe -Command 'Remove-Item -Recurse -Force C:\'`: policy.Block,
		`powershell.exe -NoProfile -c "rm -r -fo C:\\"`:             policy.Block,
		`pwsh -c 'rm -r -fo $HOME'`:                                 policy.Block,
		`pwsh -Command 'Write-Host "rm -r C:\"'`:                    policy.Ask,
		`cmd /c 'rd /s /q C:\'`:                                     policy.Block,
		`cmd.exe //c "del /s /q C:\\*"`:                             policy.Block,
		`cmd /c dir`:                                                policy.Ask,
		`echo 'Remove-Item -Recurse C:\'`:                           policy.Allow,
		`git commit -m 'Format-Volume'`:                             policy.Ask,
		`grep -r 'Clear-Disk -Number 0' .`:                          policy.Allow,
	} {
		r := r
		r.Command, r.Shell = text, "bash"
		if v := e.Evaluate(r); v.Decision != want {
			t.Errorf("bash %s: %v, want %v: %s", text, v.Decision, want, v.Reason)
		}
	}
}
