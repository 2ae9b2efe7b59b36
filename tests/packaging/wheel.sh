#!/usr/bin/env bash
# Builds the source archive, and the wheel from that archive. Checks the contents of the wheel,
# installs it into an empty environment and tests the installed package outside the checkout.
#
#     tests/packaging/wheel.sh python3.12             build and test with this Python
#     tests/packaging/wheel.sh python3.12 python3.13  test with another Python
#
# Copies the archive and the wheel to dist/.
set -euo pipefail
build_python="$1"
user_python="${2:-$1}"
cd "$(dirname "$0")/../.."
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
install=(-m pip install --quiet --disable-pip-version-check --only-binary :all:
  --constraint constraints.txt)

echo "Fetching the build tools for $("$build_python" --version) ..."
"$build_python" -m venv "$place/tools"
tools="$place/tools/bin"
"$tools/python" "${install[@]}" build abi3audit scikit-build-core nanobind cmake ninja

echo "Building the source archive and the wheel, which takes a minute or two ..."
PATH="$tools:$PATH" "$tools/python" -m build --no-isolation --outdir "$place/dist" . \
  >"$place/log" 2>&1 || { tail -n 60 "$place/log"; exit 1; }
wheel=("$place"/dist/*.whl)
"$tools/python" tests/packaging/contents.py "$wheel"
if [[ "$wheel" == *-abi3-* ]]; then "$tools/abi3audit" --strict --summary "$wheel"; fi

echo "Installing the wheel for $("$user_python" --version) ..."
"$user_python" -m venv "$place/user"
"$place/user/bin/python" "${install[@]}" "$wheel[test]" pytest-xdist
mkdir "$place/outside"
tar --extract --file "$place"/dist/*.tar.gz --directory "$place/outside" --strip-components 1 \
  --wildcards '*/tests' '*/pyproject.toml'
cd "$place/outside"
PATH="$place/user/bin:$PATH" "$place/user/bin/python" tests/packaging/installed.py
cd "$OLDPWD"
mkdir -p dist
cp "$place"/dist/* dist/
ls -l dist
