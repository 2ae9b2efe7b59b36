#!/usr/bin/env bash
# Runs Makefile targets as on a new computer: a new clone of the last commit, an empty home folder
# and an empty pip cache. Of the caller's environment variables, only those listed below are kept.
# Targets joined by a plus run in parallel, so that one can compute while another downloads.
#
#     tests/packaging/fresh.sh demo check+wheel test test-slow
set -euo pipefail
project="$(cd "$(dirname "$0")/../.." && pwd)"
place="$(mktemp -d)"
trap 'jobs -p | xargs -r kill; wait; rm -rf "$place"' EXIT
mkdir "$place/home" "$place/cache"
git clone --quiet "$project" "$place/featrank"
cd "$place/featrank"

clean=(env -i "PATH=$PATH" "HOME=$place/home" "PIP_CACHE_DIR=$place/cache" LANG=C.UTF-8
  PYTHONNOUSERSITE=1)
for name in CI FEATRANK_BROWSER FEATRANK_DATA FEATRANK_SPARK JAVA_HOME PYTHON WHEEL_PYTHON TRY_ON CXX; do
  if [ -n "${!name:-}" ]; then clean+=("$name=${!name}"); fi
done

# Prints the output of the first target as it runs, and that of each other target when it is done.
side_by_side() {
  local first="$1" failed="" target
  shift
  for target in "$@"; do
    echo "== make $target: running in the background, output follows below"
    "${clean[@]}" make "$target" >"$place/$target.log" 2>&1 &
    printf -v "process_${target//-/_}" %s "$!"
  done
  echo "== make $first"
  "${clean[@]}" make "$first" || failed=yes
  echo "== make $first finished after $SECONDS s"
  for target in "$@"; do
    local process="process_${target//-/_}"
    wait "${!process}" || failed=yes
    echo "== make $target"
    cat "$place/$target.log"
    echo "== make $target finished after $SECONDS s"
  done
  [ -z "$failed" ]
}

for targets in "$@"; do
  SECONDS=0
  side_by_side ${targets//+/ }
done
