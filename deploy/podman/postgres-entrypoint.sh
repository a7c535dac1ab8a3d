# Takes what the official image of Postgres takes, as far as tests use it: POSTGRES_PASSWORD, POSTGRES_INITDB_ARGS, and
# `postgres` with its flags as arguments.
set -eu
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
export PGDATA=/var/lib/postgresql/data
printf %s "$POSTGRES_PASSWORD" > /tmp/password
# shellcheck disable=SC2086
initdb -U postgres --pwfile=/tmp/password --auth=scram-sha-256 ${POSTGRES_INITDB_ARGS:-}
echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
printf "listen_addresses = '*'\nunix_socket_directories = '/tmp'\n" >> "$PGDATA/postgresql.conf"
exec "$@"
