#!/usr/bin/env bash
# Installs bashgate in each way that the documentation names, from what is
# built here, and takes it out again. Nothing outside of a temporary directory
# changes.
#
#   e2e/release/test.sh 'linux/amd64 windows/amd64'
set -euo pipefail
cd "$(dirname "$0")/../.."
targets=$1
version=v0.0.1-test.1
revision=$(git rev-parse HEAD)
date=$(git log -1 --format=%ct)
here=$PWD
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

say() { printf -- '-- %s\n' "$*"; }
fail() { printf 'release/test.sh: error: %s\n' "$*" >&2; exit 1; }
# judges wants that a program is bashgate, and of a version.
judges() {
  local out
  out=$("$1" version)
  [[ $out == "bashgate $2 "* ]] || fail "$1 is of another version than $2: $out"
  [[ $("$1" check 'git status' </dev/null) == allow* ]] || fail "$1 does not allow git status"
}

say 'make install, where no Go is'
export GOFLAGS=-buildvcs=false # a copy without history shall give the same
make >/dev/null
mkdir "$work/plain"
for tool in make install find sort dirname rm rmdir cat sh; do ln -s "$(command -v $tool)" "$work/plain/"; done
bare() { env -i PATH="$work/plain" "$work/plain/make" -s "$@"; }
bare install DESTDIR="$work/root" PREFIX=/usr
diff -B - <(cd "$work/root/usr" && find . -type f | LC_ALL=C sort) <<EOF
./bin/bashgate
./bin/bashgated
./share/bash-completion/completions/bashgate
./share/doc/bashgate/LICENSE
./share/doc/bashgate/README.md
./share/doc/bashgate/installed
./share/fish/vendor_completions.d/bashgate.fish
$(ls man/*.[1-9] 2>/dev/null | sed -E 's,man/(.*\.(.)),./share/man/man\2/\1,' | LC_ALL=C sort)
./share/zsh/site-functions/_bashgate
EOF
"$work/root/usr/bin/bashgate" version
bare uninstall DESTDIR="$work/root" PREFIX=/usr
[ -z "$(find "$work/root" -type f)" ] || fail 'make uninstall leaves files'
mkdir "$work/unbuilt"
cp Makefile "$work/unbuilt/"
if (cd "$work/unbuilt" && bare install DESTDIR="$work/root") 2>"$work/said"; then
  fail 'make install installs what was not built'
fi
grep -q 'hint: run make first' "$work/said"

say 'from a copy without history and an empty build cache to the first answer'
mkdir -p "$work/elsewhere/copy"
git ls-files -z | xargs -0 cp --parents -t "$work/elsewhere/copy"
cd "$work/elsewhere/copy"
export GOCACHE=$work/cache
TIMEFORMAT="%R seconds on $(nproc) processors, which worked %U + %S"
time answer=$(go run ./cmd/bashgate check 'git status && rm -rf /' 2>/dev/null) || true
[[ $answer == block* ]] || fail "the first answer is $answer"
GOBIN=$work/gobin go install ./cmd/bashgate
judges "$work/gobin/bashgate" unknown

say 'the same bytes from there and from here'
make >/dev/null # with nothing that was compiled here
diff -r bin "$here/bin"
unset GOCACHE
release() { make -s release VERSION=$version REVISION="$revision" SOURCE_DATE_EPOCH="$date" TARGETS="$targets" DIST="$1"; }
release "$work/there" >/dev/null
cd "$here"
release "$work/here"
diff -r "$work/here" "$work/there"
(cd "$work/here" && sha256sum --quiet -c SHA256SUMS && cat SHA256SUMS | wc -l)

say 'go install …@latest, from a proxy of files'
proxy=$work/proxy/github.com/bashgate/bashgate/@v
mkdir -p "$proxy"
git archive --format=zip --prefix="github.com/bashgate/bashgate@v0.0.1/" -o "$proxy/v0.0.1.zip" HEAD
git show HEAD:go.mod >"$proxy/v0.0.1.mod"
echo '{"Version":"v0.0.1"}' >"$proxy/v0.0.1.info"
echo v0.0.1 >"$proxy/list"
GOPROXY=file://$work/proxy,file://$(go env GOMODCACHE)/cache/download GOSUMDB=off GOTOOLCHAIN=local \
  GOMODCACHE=$work/modules GOFLAGS=-modcacherw GOBIN=$work/latest \
  go install github.com/bashgate/bashgate/cmd/bashgate@latest 2>/dev/null
judges "$work/latest/bashgate" v0.0.1

if [ "$(uname -s)" = Linux ]; then
  e2e/release/packages.sh "$work/here" "$work/roots" "${version#v}" "$(go env GOARCH)"
else
  echo "SKIPPED: packages are installed on Linux, and this is $(uname -s)" >&2
fi
