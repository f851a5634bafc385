#!/bin/sh
# Installs agents-hooks from a release, for this user: programs, manual, completions.
#
#   curl -fsSL https://github.com/agents-hooks/agents-hooks/releases/latest/download/install.sh | sh
#   … | sh -s -- --prefix /usr/local --version v1.2.3
#
#   --prefix DIR     where to: DIR/bin, DIR/share; default ~/.local
#   --version V      another release than the newest
#   --from ADDRESS   a mirror of the releases
#
# What is fetched has to have the sum that the release's checksums.txt says, or nothing
# is installed. That file is signed: docs/release.md says how to verify it.
# Everything is in a function, so that half a script does nothing.
set -eu

say() { printf 'agents-hooks: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

# fetch ADDRESS FILE
fetch() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL --retry 2 -o "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is here"
  fi
}

sum_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  elif command -v openssl >/dev/null 2>&1; then
    openssl dgst -sha256 "$1" | sed 's/.* //'
  else
    fail "none of sha256sum, shasum and openssl is here: the sum cannot be checked"
  fi
}

system() {
  case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  *) fail "no release for $(uname -s); on Windows: install.ps1, scoop or winget" ;;
  esac
  case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "no release for $(uname -m): go install github.com/agents-hooks/agents-hooks/cmd/agents-hooks@latest" ;;
  esac
}

# put FILE DIR MODE: in place by a rename, so that what runs goes on as it was
put() {
  mkdir -p "$2"
  cp "$1" "$2/.${1##*/}.new"
  chmod "$3" "$2/.${1##*/}.new"
  mv -f "$2/.${1##*/}.new" "$2/${1##*/}"
}

main() {
  prefix=${HOME:?}/.local version=latest from=https://github.com/agents-hooks/agents-hooks/releases
  while [ $# -gt 0 ]; do
    case $1 in
    --prefix | --version | --from)
      [ $# -gt 1 ] || fail "$1 wants a value"
      case $1 in
      --prefix) prefix=$2 ;;
      --version) version=$2 ;;
      --from) from=${2%/} ;;
      esac
      shift 2
      ;;
    *) fail "no such flag: $1; there are --prefix, --version and --from" ;;
    esac
  done
  system
  case $version in
  latest) base=$from/latest/download ;;
  v*) base=$from/download/$version ;;
  *) base=$from/download/v$version ;;
  esac

  temp=$(mktemp -d)
  trap 'rm -rf "$temp"' EXIT
  trap 'exit 1' HUP INT TERM
  fetch "$base/checksums.txt" "$temp/checksums.txt" || fail "cannot fetch $base/checksums.txt"
  line=$(grep -E "^[0-9a-f]{64}  agents-hooks_[0-9][0-9A-Za-z.+-]*_${os}_$arch\.tar\.gz\$" "$temp/checksums.txt") ||
    fail "$base/checksums.txt has no sum for $os on $arch: nothing was installed"
  [ "$(printf '%s\n' "$line" | wc -l)" -eq 1 ] || fail "$base/checksums.txt has several sums for $os on $arch: nothing was installed"
  want=${line%% *} archive=${line##* }
  fetch "$base/$archive" "$temp/$archive" || fail "cannot fetch $base/$archive"
  have=$(sum_of "$temp/$archive")
  [ "$have" = "$want" ] || fail "$archive has the sum $have, and $want is wanted: nothing was installed"

  mkdir "$temp/new"
  tar -xzf "$temp/$archive" -C "$temp/new"
  set -- "$temp"/new/*
  if ! [ -x "$1/agents-hooks" ] || ! [ -x "$1/agents-hooks-run" ]; then fail "$archive holds no programs"; fi
  for page in "$1"/man/man1/*; do put "$page" "$prefix/share/man/man1" 644; done
  put "$1/completions/agents-hooks" "$prefix/share/bash-completion/completions" 644
  put "$1/completions/_agents-hooks" "$prefix/share/zsh/site-functions" 644
  put "$1/completions/agents-hooks.fish" "$prefix/share/fish/vendor_completions.d" 644
  mkdir -p "$prefix/share/agents-hooks"
  rm -rf "$prefix/share/agents-hooks/examples"
  cp -R "$1/examples" "$prefix/share/agents-hooks/examples"
  printf 'script\n' >"$prefix/share/agents-hooks/installed-by"
  put "$1/agents-hooks-run" "$prefix/bin" 755
  put "$1/agents-hooks" "$prefix/bin" 755

  say "$archive is in $prefix"
  case :$PATH: in
  *":$prefix/bin:"*) ;;
  *) say "$prefix/bin is not on your PATH" ;;
  esac
  say "next: agents-hooks install --all"
}

main "$@"
