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
# What is fetched has to have the sum that the release's checksums.txt says, and to be of
# the version that is asked for, or nothing is installed. That file is signed:
# docs/release.md says how to verify it.
# Everything is in a function, so that half a script does nothing.
set -eu

say() { printf 'agents-hooks: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

# fetch ADDRESS FILE: from an address of https no redirect leads to one without it
# (wget cannot be told so).
fetch() {
  only='=http,https'
  case $1 in https://*) only='=https' ;; esac
  if command -v curl >/dev/null 2>&1; then
    curl --proto "$only" -fsSL --retry 2 -o "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is here: install one of them"
  fi || fail "cannot fetch $1: nothing was installed"
}

# Of what comes by stdin: these programs quote odd names of files.
sum() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 | cut -d ' ' -f 1
  elif command -v openssl >/dev/null 2>&1; then
    openssl dgst -sha256 | sed 's/.* //'
  else
    fail "none of sha256sum, shasum and openssl is here, so the sum cannot be checked: install one of them"
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
  new=$2/.${1##*/}.new
  rm -f "$new"
  cp "$1" "$new"
  chmod "$3" "$new"
  mv -f "$new" "$2/${1##*/}"
}

main() {
  prefix=${HOME:+$HOME/.local} version=latest from=https://github.com/agents-hooks/agents-hooks/releases
  while [ $# -gt 0 ]; do
    case $1 in
    --prefix=* | --version=* | --from=*)
      flag=${1%%=*} value=${1#*=}
      shift
      set -- "$flag" "$value" "$@"
      ;;
    --prefix | --version | --from)
      [ -n "${2-}" ] || fail "$1 wants a value"
      case $1 in
      --prefix) prefix=$2 ;;
      --version) version=$2 ;;
      --from) from=${2%/} ;;
      esac
      shift 2
      ;;
    *) fail "no such flag: $1; there are --prefix DIR, --version V and --from ADDRESS" ;;
    esac
  done
  case $prefix in
  "") fail "HOME is not set: --prefix DIR says where to" ;;
  /*) ;;
  *) prefix=$PWD/$prefix ;;
  esac
  prefix=${prefix%/}
  system
  case $version in
  latest) base=$from/latest/download number='[0-9][0-9A-Za-z.+-]*' ;;
  *) base=$from/download/v${version#v} number=$(printf '%s\n' "${version#v}" | sed 's/[].*[^$\]/\\&/g') ;;
  esac
  # What root installs is for everybody, whatever root keeps to itself otherwise.
  [ "$(id -u)" != 0 ] || umask 022

  temp=$(mktemp -d)
  trap 'rm -rf "$temp"' EXIT
  trap 'exit 1' HUP INT TERM
  fetch "$base/checksums.txt" "$temp/checksums.txt"
  line=$(tr -d '\r' <"$temp/checksums.txt" | grep "^[0-9a-f]\{64\}  agents-hooks_${number}_${os}_$arch\.tar\.gz\$") ||
    fail "$base/checksums.txt has no sum for $os on $arch: nothing was installed"
  [ "$(printf '%s\n' "$line" | wc -l)" -eq 1 ] || fail "$base/checksums.txt has several sums for $os on $arch: nothing was installed"
  want=${line%% *} archive=${line##* }
  fetch "$base/$archive" "$temp/$archive"
  have=$(sum <"$temp/$archive")
  [ "$have" = "$want" ] || fail "$archive has the sum $have, and $want is wanted: nothing was installed"

  mkdir "$temp/new"
  tar -xzf "$temp/$archive" -C "$temp/new" || fail "tar cannot unpack $archive: nothing was installed"
  set -- "$temp"/new/*
  for program in agents-hooks agents-hooks-run; do
    [ -x "$1/$program" ] || fail "$archive holds no $program: nothing was installed"
    [ ! -d "$prefix/bin/$program" ] || fail "$prefix/bin/$program is a folder: nothing was installed; --prefix DIR names another place"
  done
  for dir in bin share/agents-hooks share/man/man1 share/bash-completion/completions share/zsh/site-functions share/fish/vendor_completions.d; do
    mkdir -p "$prefix/$dir" 2>/dev/null || :
    if ! [ -d "$prefix/$dir" ] || ! [ -w "$prefix/$dir" ]; then fail "cannot write to $prefix/$dir: nothing was installed; --prefix DIR names another place"; fi
  done
  for page in "$1"/man/man1/*; do put "$page" "$prefix/share/man/man1" 644; done
  put "$1/completions/agents-hooks" "$prefix/share/bash-completion/completions" 644
  put "$1/completions/_agents-hooks" "$prefix/share/zsh/site-functions" 644
  put "$1/completions/agents-hooks.fish" "$prefix/share/fish/vendor_completions.d" 644
  rm -rf "$prefix/share/agents-hooks/examples"
  cp -R "$1/examples" "$prefix/share/agents-hooks/examples"
  printf 'script\n' >"$prefix/share/agents-hooks/installed-by"
  put "$1/agents-hooks-run" "$prefix/bin" 755
  put "$1/agents-hooks" "$prefix/bin" 755
  "$prefix/bin/agents-hooks-run" --version >/dev/null 2>&1 ||
    fail "$archive is in $prefix, but nothing starts from there (a file system without programs?): --prefix DIR names another place"

  say "$archive is in $prefix"
  case :${PATH-}: in
  *":$prefix/bin:"*) say "next: agents-hooks install --all" ;;
  *)
    say "$prefix/bin is not on your PATH; into ~/.profile, or what your shell reads:"
    say "  export PATH=\"$(printf '%s\n' "$prefix/bin" | sed 's/[\\"$\`]/\\&/g'):\$PATH\""
    say "next: then agents-hooks install --all"
    ;;
  esac
}

main "$@"
