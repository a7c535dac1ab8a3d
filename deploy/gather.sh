#!/bin/sh
# Gathers what the image holds: Node, of every process the bundle and the migrations, the console, the client library, the
# documentation, and the bill of materials of all of this. Run in the repository, after the build and `npm run generate -- <name>` for
# console, library and site:
#   gather.sh <folder> <base image>
set -eu
out=$1
base=$2
for folder in gateway cli services/*; do
  [ -f "$folder/dist/main.js" ] || continue
  mkdir -p "$out/app/$folder"
  cp -R "$folder/dist" "$out/app/$folder/"
  if [ -d "$folder/migrations" ]; then cp -R "$folder/migrations" "$out/app/$folder/"; fi
done
# Beside the pages, which are all served.
mkdir -p "$out/app/console-server"
cp -R console/server/dist "$out/app/console-server/"
rm -f "$out"/app/*/dist/inputs.json "$out"/app/services/*/dist/inputs.json
rm -f "$out"/app/*/dist/packages.json "$out"/app/services/*/dist/packages.json
printf '{ "type": "module" }\n' > "$out/app/package.json"
mkdir -p "$out/usr/local/bin"
mkdir -p "$out/app/console"
cp -R console/dist/index.html console/dist/icon.svg console/dist/assets "$out/app/console/"
cp -RL .parley/library/current "$out/app/library"
cp -RL .parley/site/current "$out/app/site"
cp LICENSE "$out/app/LICENSE"
cp -L node_modules/node/bin/node "$out/usr/local/bin/node"
node_modules/node/bin/node scripts/sbom.ts --base-image "$base" --output "$out/app/sbom.cdx.json"
