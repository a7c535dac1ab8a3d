#!/bin/sh
# Makes images of Postgres, NATS and Ceph from Debian's packages for `PARLEY_TEST_CONTAINERS=1 npm test`, where no image can be
# pulled. They take the arguments that the tests give the official images. SUITE names the release of Debian: bookworm, or
# trixie for newer versions. As root, on Debian, with:
#   apt-get install --no-install-recommends podman runc netavark aardvark-dns catatonit iptables mmdebstrap
# Prints the settings that name them.
set -eu
cd "$(dirname "$0")"
. ./base.sh
suite=${SUITE:-bookworm}
name=localhost/parley-test
runtime='libc6,libc-bin,base-files,base-passwd,coreutils,dash'
{
  base "$name-postgres-base:$suite" "$runtime,tzdata,postgresql" "$suite"
  base "$name-nats-base:$suite" "$runtime,nats-server" "$suite"
  base "$name-s3:$suite" "$runtime,python3,radosgw,ceph-mon,ceph-osd,ceph-common" "$suite"
  for store in postgres nats; do
    podman build --quiet --network none --ignorefile /dev/null --file test.Containerfile --target "$store" \
      --build-arg "SUITE=$suite" --tag "$name-$store:$suite" .
  done
} > /dev/null
for store in postgres nats s3; do
  echo "export PARLEY_TEST_$(echo $store | tr a-z A-Z)_IMAGE=$name-$store:$suite"
done
