#!/bin/sh
# Builds the image on a base made here, plays the rendered Deployments in podman with Postgres, NATS and a blob folder
# beside them, and sends a message through them. As root, on Debian, with:
#   apt-get install --no-install-recommends podman runc netavark aardvark-dns catatonit iptables mmdebstrap
# and kubectl, in a checkout that is installed. No image is pulled. `deploy/podman.sh down` removes everything again.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH
image=localhost/parley:local

down() {
  for pod in gateway announcement content export identity messaging push webhook stores; do
    podman pod rm --force "$pod" > /dev/null 2>&1 || true
  done
  podman volume rm --force parley-blobs > /dev/null 2>&1 || true
  podman network rm --force parley > /dev/null 2>&1 || true
}

. deploy/podman/base.sh

until_logged() {
  tries=0
  until podman logs "$1" 2>&1 | grep -q "$2"; do
    tries=$((tries + 1))
    if [ $tries -gt 120 ]; then podman logs "$1"; echo "$1 is not ready"; exit 1; fi
    sleep 0.5
  done
}

play() { podman kube play --network parley "$1" > /dev/null; }

down
[ "${1:-up}" = down ] && exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo 'Images …'
runtime='libc6,libstdc++6,base-files,ca-certificates'
base localhost/parley-base "$runtime"
base localhost/parley-stores-base "$runtime,base-passwd,coreutils,dash,tzdata,postgresql-15,nats-server"
node scripts/bootstrap.mjs console
node scripts/bootstrap.mjs library
node scripts/bootstrap.mjs site
sh deploy/gather.sh "$work/out" localhost/parley-base
podman build --quiet --build-arg BUILT=gathered --build-arg RUNTIME_IMAGE=localhost/parley-base \
  --ignorefile /dev/null --file deploy/Dockerfile --tag "$image" "$work"
podman build --quiet --network none --file deploy/podman/stores.Containerfile --tag localhost/parley-stores:local "$work"

echo 'Stores …'
podman network create parley > /dev/null
podman volume create parley-blobs > /dev/null
chown 65532:65532 "$(podman volume inspect parley-blobs --format '{{.Mountpoint}}')"
play deploy/podman/stores.yaml
until_logged stores-postgres 'ready to accept connections'
until_logged stores-nats 'Server is ready'

echo 'Processes …'
services=$(cd "$work/out/app/services" && echo *)
kubectl kustomize deploy/overlays/podman > "$work/rendered.yaml"
node deploy/podman/pods.ts $services gateway < "$work/rendered.yaml" > "$work/pods.yaml"
play "$work/pods.yaml"
for process in $services gateway; do until_logged "$process-process" '"msg":"ready"'; done
podman ps --format '{{.Names}}  {{.Status}}' | grep process

echo 'A message …'
node deploy/podman/send-message.ts http://127.0.0.1:18080 local-admin-token-0000

# The gateway first, as long as the names that it looks up are there.
echo 'Stopping …'
for process in gateway $services; do
  podman stop --time 30 "$process-process" > /dev/null
  echo "$process ended with $(podman inspect "$process-process" --format '{{.State.ExitCode}}')"
done
