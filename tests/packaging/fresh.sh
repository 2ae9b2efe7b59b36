#!/usr/bin/env bash
# Runs targets of the Makefile as on a machine that has never seen the project: the last commit in
# a new clone, an empty home, an empty pip cache, no variable of the caller but a few that say
# where things are. Targets joined by a plus run side by side: one computes while another fetches.
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

# The first of some targets is seen at work; what the others say is shown when they are done.
side_by_side() {
  local first="$1" failed="" target
  shift
  for target in "$@"; do
    echo "== make $target, told below"
    "${clean[@]}" make "$target" >"$place/$target.log" 2>&1 &
    printf -v "process_${target//-/_}" %s "$!"
  done
  echo "== make $first"
  "${clean[@]}" make "$first" || failed=yes
  echo "== make $first was done after $SECONDS s"
  for target in "$@"; do
    local process="process_${target//-/_}"
    wait "${!process}" || failed=yes
    echo "== make $target"
    cat "$place/$target.log"
    echo "== make $target was done after $SECONDS s"
  done
  [ -z "$failed" ]
}

for targets in "$@"; do
  SECONDS=0
  side_by_side ${targets//+/ }
done
