#!/bin/sh
# Installs the programs of the system that plugins use where they are there, on Debian and Ubuntu: each plugin lists the
# packages in its programs.debian. `sallyport check` names what is missing.
set -e
cd "$(dirname "$0")/../../plugins"
programs=$(sed 's/#.*//' ./*/programs.debian)
if ! command -v apt-get >/dev/null; then
  # shellcheck disable=SC2086 -- a list of words
  echo "this is no Debian: install with the system's own packages what these are there:" $programs >&2
  exit 1
fi
as_root=''
if [ "$(id -u)" != 0 ]; then as_root='sudo'; fi
$as_root apt-get update -qq
# shellcheck disable=SC2086 -- a list of words
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $programs
