#!/usr/bin/env bash
# Installs each package of a release in an empty root, runs it there, removes
# it, and wants nothing left. Needs root for the packages of distributions.
#
#   e2e/release/packages.sh DIST WORK VERSION ARCH
set -euo pipefail
dist=$1 work=$2 version=$3 arch=$4
name=bashgate_${version}_linux_$arch
mkdir -p "$work"

say() { printf -- '-- %s\n' "$*"; }
skip() { printf 'SKIPPED: %s\n' "$*" >&2; }
fail() { printf 'release/packages.sh: error: %s\n' "$*" >&2; exit 1; }

# runs wants that a root holds bashgate, which needs nothing else there.
runs() {
  local out status=0
  out=$(chroot "$1" /usr/bin/bashgate version)
  [[ $out == "bashgate v$version "* ]] || fail "$1 holds another version: $out"
  out=$(chroot "$1" /usr/bin/bashgate check 'rm -rf /' </dev/null) || status=$?
  [[ $status == 4 && $out == block* ]] || fail "$1: rm -rf / is answered $out, status $status"
  for file in usr/bin/bashgated usr/share/bash-completion/completions/bashgate usr/share/doc/bashgate/LICENSE; do
    [ -f "$1/$file" ] || fail "$1 lacks $file"
  done
}
gone() { [ -z "$(find "$1" -name '*bashgate*' -not -path '*/var/*' -not -path '*/lib/apk/*')" ] || fail "$1 holds what was removed"; }

say 'archive'
(cd "$dist" && sha256sum --quiet -c SHA256SUMS)
mkdir -p "$work/archive/usr"
tar -xf "$dist/$name.tar.xz" -C "$work/archive/usr" --strip-components=1
tar -xf "$dist/bashgated_${version}_linux_$arch.tar.xz" -C "$work/archive/usr" --strip-components=1

if [ "$(id -u)" != 0 ]; then
  skip 'packages of distributions: only root may install them'
else
  runs "$work/archive"

  if command -v dpkg >/dev/null; then
    say deb
    root=$work/deb
    mkdir -p "$root"/var/lib/dpkg/{info,updates}
    touch "$root/var/lib/dpkg/status"
    dpkg --root="$root" --install "$dist/$name.deb" >/dev/null
    runs "$root"
    dpkg --root="$root" --purge bashgate >/dev/null
    gone "$root"
  else
    skip 'deb: no dpkg'
  fi

  if command -v rpm >/dev/null; then
    say rpm
    root=$work/rpm
    mkdir -p "$root"
    rpm --root "$root" --initdb 2>/dev/null # that of Debian says that alien would be better
    rpm --root "$root" --install --nosignature "$dist/$name.rpm" 2>"$work/said" || { cat "$work/said" >&2; exit 1; }
    runs "$root"
    rpm --root "$root" --erase bashgate
    gone "$root"
  else
    skip 'rpm: no rpm'
  fi

  if command -v apk >/dev/null; then
    say apk
    root=$work/apk
    mkdir -p "$root"
    apk --root "$root" --initdb --no-network --allow-untrusted add "$dist/$name.apk" >/dev/null
    runs "$root"
    apk --root "$root" --no-network del bashgate >/dev/null
    gone "$root"
  else
    skip 'apk: no apk, so the package is unpacked only'
    mkdir -p "$work/apk"
    tar -xzf "$dist/$name.apk" -C "$work/apk" 2>/dev/null
    runs "$work/apk"
  fi
fi

if command -v npm >/dev/null; then
  say npm
  machine=linux-${arch/amd64/x64}
  export npm_config_cache=$work/npm-cache npm_config_offline=true npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
  packages=("$dist/npm_bashgate_$version.tgz" "$dist/npm_bashgate-${machine}_$version.tgz")
  npm install --global --ignore-scripts --loglevel=error --prefix "$work/npm" "${packages[@]}" >/dev/null
  [[ $("$work/npm/bin/bashgate" version) == "bashgate v$version "* ]] || fail 'npm install --global installs another version'
  status=0
  "$work/npm/bin/bashgate" check 'rm -rf /' </dev/null >/dev/null || status=$?
  [ $status = 4 ] || fail "the launcher's status is $status, and not that of a block"
  npm uninstall --global --loglevel=error --prefix "$work/npm" bashgate "@bashgate/$machine" >/dev/null
  [ -z "$(find "$work/npm" -not -type d)" ] || fail "npm uninstall leaves files"
  mkdir "$work/project"
  (cd "$work/project" && npm init -y >/dev/null && npm install --ignore-scripts --loglevel=error "${packages[@]}" >/dev/null &&
    [[ $(npx --no-install bashgate version) == "bashgate v$version "* ]]) || fail 'npx starts another version'
else
  skip 'npm: no npm'
fi

if command -v ruby >/dev/null; then
  say formula
  ruby -c "$dist/bashgate.rb" >/dev/null
  ruby "$(dirname "$0")/formula.rb" "$dist" "$work/brew" # installed and tested by words of our own, not by Homebrew
  for file in bin/bashgate bin/bashgated share/man/man1/bashgate.1; do
    [ -f "$work/brew/prefix/$file" ] || fail "the formula installs no $file"
  done
else
  skip 'the formula: no ruby to read it'
fi

# buildah builds without a registry, for nothing is below the image. It mounts.
images() { buildah --root "$work/images" --runroot "$work/images-run" --storage-driver vfs "$@"; }
if ! command -v buildah >/dev/null; then
  skip 'the image: no buildah to build it'
elif [ "$(id -u)" != 0 ]; then
  skip 'the image: only root may mount it'
elif ! images from --name tried scratch >/dev/null 2>"$work/said" || ! images mount tried >/dev/null 2>"$work/said"; then
  skip "the image: buildah can't work here: $(tail -n 1 "$work/said")"
else
  say image
  images build --isolation chroot --platform "linux/$arch" --tag bashgate --file "$dist/Containerfile" "$dist" >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
  images from --name bashgate --pull-never bashgate >/dev/null
  root=$(images mount bashgate)
  [ "$(cd "$root" && find . -type f | LC_ALL=C sort | tr '\n' ' ')" = './usr/bin/bashgate ./usr/bin/bashgated ./usr/share/doc/bashgate/LICENSE ' ] || fail 'the image holds something else'
  [[ $(chroot "$root" /usr/bin/bashgate version) == "bashgate v$version "* ]] || fail 'the image holds another version'
  [ "$(images inspect --format '{{.OCIv1.Architecture}} {{.OCIv1.Config.Entrypoint}} {{index .OCIv1.Config.Labels "org.opencontainers.image.version"}}' bashgate)" = "$arch [/usr/bin/bashgate] $version" ] ||
    fail 'the image says something else about itself'
  images rm --all >/dev/null
  images rmi --all >/dev/null
fi
