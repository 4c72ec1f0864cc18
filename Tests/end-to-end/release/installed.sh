#!/usr/bin/env bash
# Installs each file of a release in a bare system and uses it there; what it writes is what the built command writes.
# usage: installed.sh RELEASE SLIPCAST PART…; PART is one of sums, download, package, wheel, container, action, docs. Needs root.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../install/chroot.sh
. "$here/../install/chroot.sh"
release=$(realpath "$1") slipcast=$(realpath "$2")
shift 2
need_chroot
fail() { echo "$*" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf --one-file-system "$folder"' EXIT
root=$folder/root
convert=(convert --quiet --body /body --received-at /received_at)
archive=$top/Fixtures/archives/subscription/v1.ndjson
"$slipcast" "${convert[@]}" "$archive" > "$folder/expected"

# same COMMAND…: the command, in the bare system, converts the archive as the built one does.
same() {
  in_root "$root" "$@" "${convert[@]}" /release/v1.ndjson > "$folder/found"
  cmp "$folder/expected" "$folder/found" || fail "$* writes something else"
}

begin() {
  fresh_root "$root"
  if in_root "$root" sh -c 'command -v swift || command -v cc || command -v python3'; then fail "it is not bare"; fi
  mkdir "$root/release"
  cp "$release"/* "$archive" "$root/release/"
}

sums() {
  begin
  in_root "$root" sh -c 'cd /release && sha256sum --check --strict --quiet SHA256SUMS'
}

download() {
  begin
  in_root "$root" sh -c 'tar -xzf /release/slipcast-*-linux-*[0-9].tar.gz -C /opt'
  same sh -c 'exec /opt/slipcast-*/bin/slipcast "$@"' -
}

package() {
  begin
  in_root_install "$root" "/release/$(basename "$release"/*.deb)"
  same slipcast
  in_root "$root" dpkg --verify slipcast
}

wheel() {
  begin
  in_root_install "$root" python3-venv
  in_root "$root" sh -c 'python3 -m venv /opt/own && /opt/own/bin/pip install --quiet --no-index /release/*.whl'
  same /opt/own/bin/slipcast
  in_root "$root" /opt/own/bin/python -c '
import json, slipcast
for line in slipcast.convert("/release/v1.ndjson", body="/body", received_at="/received_at"):
    print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))' > "$folder/found"
  cmp "$folder/expected" "$folder/found" || fail "the Python package gives something else"
}

# The image as an engine runs it: its layers are the whole system.
container() {
  mkdir -p "$folder/image" "$root"
  tar -xf "$release"/*.oci.tar -C "$folder/image"
  python3 - "$folder/image" > "$folder/layers" <<'PYTHON'
import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
blob = lambda about: folder / "blobs" / about["digest"].replace(":", "/")
manifest = json.loads(blob(json.loads((folder / "index.json").read_text())["manifests"][0]).read_text())
print(*[blob(layer) for layer in manifest["layers"]], sep="\n")
print(*json.loads(blob(manifest["config"]).read_text())["config"]["Entrypoint"], sep="\n", file=open(folder / "entry", "w"))
PYTHON
  while read -r layer; do tar -xpzf "$layer" -C "$root"; done < "$folder/layers"
  mapfile -t entry < "$folder/image/entry"
  mkdir -p "$root/release"
  cp "$archive" "$root/release/"
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot --userspec=65532:65532 "$root" "${entry[@]}" "${convert[@]}" /release/v1.ndjson > "$folder/found"
  cmp "$folder/expected" "$folder/found" || fail "the container writes something else"
}

# The action takes the download of its own release.
action() {
  begin
  in_root_install "$root" curl ca-certificates
  in_root "$root" bash -c '
    set -eu
    mkdir /runner && tar -xzf /release/slipcast-*-action.tar.gz -C /runner
    export RUNNER_TEMP=/runner GITHUB_PATH=/runner/path GITHUB_OUTPUT=/runner/output GITHUB_STEP_SUMMARY=/runner/summary
    export GITHUB_WORKSPACE=/runner GITHUB_SERVER_URL=https://github.com
    ARCHIVE=file://$(echo /release/slipcast-*-linux-*[0-9].tar.gz) bash /runner/slipcast-*-action/install.sh'
  same sh -c 'PATH=$(cat /runner/path):$PATH exec slipcast "$@"' -
}

docs() {
  begin
  in_root_install "$root" python3
  in_root "$root" sh -c 'tar -xzf /release/slipcast-*-docs.tar.gz -C /opt && cd /opt/slipcast-*-docs && test -s index.html &&
    ls documentation | grep -qx slipcastkit && python3 -c "
import json, pathlib
pages = [json.loads(path.read_text()) for path in pathlib.Path(\"data\").rglob(\"*.json\")]
assert len(pages) > 500, len(pages)"'
}

for part; do
  "$part"
  echo "$part"
done
