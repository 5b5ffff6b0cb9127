#!/bin/sh
# Installs the programs of the system that plugins use where they are there, on Debian and Ubuntu: ffmpeg (m4a, mp4, mov
# and other sound), Apertium with pairs of languages. `sallyport check` names what is missing.
set -e
programs='ffmpeg apertium apertium-eng-spa apertium-fr-es apertium-spa-cat apertium-eng-cat'
if ! command -v apt-get >/dev/null; then
  echo "this is no Debian: install ffmpeg and Apertium with the system's own packages" >&2
  exit 1
fi
as_root=''
if [ "$(id -u)" != 0 ]; then as_root='sudo'; fi
$as_root apt-get update -qq
# shellcheck disable=SC2086 -- a list of words
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $programs
