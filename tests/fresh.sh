#!/usr/bin/env bash
# Runs targets of the Makefile as on a machine that has never seen the project: the last commit in
# a new clone, an empty home, an empty pip cache, no variable of the caller but a few that say
# where things are.
#
#     tests/fresh.sh demo test
set -euo pipefail
project="$(cd "$(dirname "$0")/.." && pwd)"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
mkdir "$place/home" "$place/cache"
git clone --quiet "$project" "$place/featrank"
cd "$place/featrank"

clean=(env -i "PATH=$PATH" "HOME=$place/home" "PIP_CACHE_DIR=$place/cache" LANG=C.UTF-8
  PYTHONNOUSERSITE=1)
for name in CI FEATRANK_BROWSER FEATRANK_DATA FEATRANK_SPARK JAVA_HOME PYTHON WHEEL_PYTHON TRY_ON CXX; do
  if [ -n "${!name:-}" ]; then clean+=("$name=${!name}"); fi
done
for target in "$@"; do
  echo "== make $target"
  SECONDS=0
  "${clean[@]}" make "$target"
  echo "== make $target took $SECONDS s"
done
