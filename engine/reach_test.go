package engine_test

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// asksRegistries are uses of which the manuals say that they contact registries,
// repositories or services which files of the project or the user name.
const asksRegistries = `
npm outdated; npm audit; npm view x; npm search x; npm ping; npm install x
yarn outdated; yarn info x; yarn npm audit; pnpm outdated; pnpm audit; pnpm view x
bun outdated; bun info x; deno outdated; npx x
pip list --outdated; pip list -o; pip index versions x; pip download x; pip install --dry-run x
poetry show --outdated; poetry show --latest; uv pip list --outdated; uv tree --outdated; uv lock --dry-run; pdm outdated
conda search x; bundle outdated; gem outdated; gem search x; gem list -r x
cargo metadata; cargo tree; cargo update --dry-run; cargo search x; cargo info x; cargo fetch; cargo outdated; cargo audit; cargo generate-lockfile
go mod graph; go mod verify; go mod why x; go mod download; go mod tidy; go list -m -u all; go list -m -versions x; go list ./...; go doc example.org/m; go doc json.Decoder; govulncheck ./...
composer outdated; composer audit; composer search x; composer fund; composer prohibits x 2; composer why-not x 2
mvn dependency:tree; mvn versions:display-dependency-updates; gradle dependencies; gradle :app:dependencyInsight
dotnet list package --outdated; dotnet package search x
brew outdated; brew search x; apt-get update; apt changelog x; dnf check-update; zypper search x; pacman -Sy; snap find x; flatpak search x
nix search nixpkgs x; nix flake metadata; nix path-info .#x; nix derivation show .#x
helm search hub x; helm show chart oci://x/y; terraform plan; terraform init; tflint --init; pulumi preview; ansible-galaxy search x
git ls-remote; git remote show origin; git remote update; git fetch --dry-run; git archive --remote=host:x HEAD; hg incoming; hg identify https://x.example/y; svn status -u; svn log
docker search x; docker pull x; docker manifest inspect x; docker buildx imagetools inspect x; skopeo inspect docker://x; crane ls x
mise ls-remote node; mise outdated; mise latest node; asdf list all node; asdf latest node; nvm ls-remote; rustup check
swift package show-dependencies; trivy fs .; semgrep --config auto; snyk test; pre-commit autoupdate; vale sync; pip-audit; osv-scanner .
gcloud components list; gh repo list; aws sts get-caller-identity; vercel whoami
`

// TestRegistriesAreElsewhere: what is documented to contact a registry is never
// of this machine alone, nor code of the project alone.
func TestRegistriesAreElsewhere(t *testing.T) {
	e := engine.New(engine.Options{})
	for line := range strings.FieldsFuncSeq(asksRegistries, func(c rune) bool { return c == ';' || c == '\n' }) {
		command := strings.TrimSpace(line)
		if v := e.Evaluate(engine.Request{Command: command, Cwd: "/w", Workspace: "/w", Home: "/home/u"}); v.Reach != policy.ReachNetwork {
			t.Errorf("%s: %v", command, v.Reach)
		}
	}
	for _, command := range []string{
		"npm ls", "pip check", "pip list", "cargo metadata --no-deps", "cargo tree --offline", "go env", "go version", "go mod edit -json", "gradle test", "mise ls",
		"terraform fmt -check", "git remote -v", "git archive HEAD", "hg identify", "tflint", "nix path-info /run/current-system", "pyenv install --list",
	} {
		if v := e.Evaluate(engine.Request{Command: command, Cwd: "/w", Workspace: "/w", Home: "/home/u"}); v.Reach == policy.ReachNetwork {
			t.Errorf("%s: %v", command, v.Reach)
		}
	}
}
