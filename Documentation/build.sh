#!/usr/bin/env bash
# Builds the documentation of all products as one static site, with the toolchain's own docc; a warning fails it.
# usage: build.sh OUTPUT [BASE_PATH]; `swift build` must have run. BASE_PATH is where on its host the site will lie.
set -euo pipefail
cd "$(dirname "$0")/.."
output=$1 base=${2:-}
products=(SlipcastKit SlipcastSignatures SlipcastReceipts SlipcastBulk SlipcastStores SlipcastNetwork SlipcastTesting)
# What SlipcastKit re-exports becomes part of its own pages.
reexported=SlipcastWire,SlipcastLegacy,SlipcastV2,SlipcastMapping,SlipcastComparison
built=$(swift build --show-bin-path)
docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
work=.build/documentation
export PYTHONDONTWRITEBYTECODE=1
# The members of JSON come in an order that depends on hashes.
export SWIFT_DETERMINISTIC_HASHING=1

rm -rf "$work" "$output"
mkdir -p "$work/graphs" "$work/catalogues" "$work/archives"

target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
clang=()
for map in "$built"/*.build/module.modulemap Sources/C*/module.modulemap; do
  clang+=(-Xcc "-fmodule-map-file=$map")
done
for flag in $(pkg-config --cflags libpq libxml-2.0); do clang+=(-Xcc "$flag"); done

for product in "${products[@]}"; do
  mkdir "$work/graphs/$product"
  swift symbolgraph-extract -module-name "$product" -minimum-access-level public -skip-synthesized-members \
    -experimental-allowed-reexported-modules="$reexported" -I "$built/Modules" -target "$target" \
    -module-cache-path "$work/modules" "${clang[@]}" -output-dir "$work/graphs/$product"
  cp -R "Sources/$product/$product.docc" "$work/catalogues/"
done

# The examples compile.
plugins=$(dirname "$docc")/../lib/swift/host/plugins/testing
python3 Documentation/examples.py "$work/catalogues" "$work/examples"
for example in "$work"/examples/*.swift; do
  # -typecheck stops before phases that have rejected examples.
  swiftc -emit-sil -o /dev/null -warnings-as-errors -swift-version 6 -parse-as-library -I "$built/Modules" -plugin-path "$plugins" \
    -module-cache-path "$work/modules" "${clang[@]}" "$example"
done

python3 Documentation/pages.py "$built/slipcast" "$work/graphs/SlipcastKit/SlipcastKit.symbols.json" "$work/catalogues"

archives=()
for product in "${products[@]}"; do
  # SlipcastKit comes first; the others show its types as links.
  known=()
  if [ "$product" != SlipcastKit ]; then known=(--dependency "$work/archives/SlipcastKit.doccarchive"); fi
  "$docc" convert "$work/catalogues/$product.docc" --additional-symbol-graph-dir "$work/graphs/$product" \
    --output-path "$work/archives/$product.doccarchive" --fallback-display-name "$product" \
    --fallback-bundle-identifier "$product" --fallback-default-module-kind Library --warnings-as-errors \
    --enable-experimental-external-link-support ${known[@]+"${known[@]}"} ${base:+--hosting-base-path "$base"}
  archives+=("$work/archives/$product.doccarchive")
done
"$docc" merge "${archives[@]}" --output-path "$output" --synthesized-landing-page-name Slipcast \
  --synthesized-landing-page-kind Toolkit --synthesized-landing-page-topics-style list
# What other catalogues would need to link here; nothing on the site reads it, and its numbers are others in each build.
rm -f "$output/link-hierarchy.json" "$output/linkable-entities.json"
python3 Documentation/landing.py "$output" "$base"
