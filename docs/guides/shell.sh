# Defines what the commands of the guides use. Source it in the folder of the checkout while `npm start` runs:
#   . docs/guides/shell.sh
# It reads the address, the demonstration application and its access token from state.json, and goes to a new scratch folder.

CHECKOUT=$PWD
PATH=$CHECKOUT/node_modules/node/bin:$PATH                  # the Node that `npm start` has brought
STATE=$(cd "${PARLEY_DATA_DIR:-.parley/local}" && pwd)/state.json

# field EXPRESSION: a part of the JSON on standard input, such as .url or [0].id
field() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8'))$1"; }

URL=$(field .base_url < "$STATE")                        # of the platform
LOGIN=$(field .demo.login_url < "$STATE")                # of the demonstration application's own backend
APP_ID=$(field .demo.app_id < "$STATE")                  # svc:///apps/development/<uuid>
APP=$URL/apps/${APP_ID##*/}                              # root of the server API
ACCESS_TOKEN=$(field .demo.access_token < "$STATE")
PROVIDER_ID=$(field .demo.provider_id < "$STATE")
KEY_ID=$(field .demo.key_id < "$STATE")
PRIVATE_KEY_FILE=$(field .demo.private_key_file < "$STATE")
SESSIONS=$(mktemp -d)
export URL APP_ID PROVIDER_ID KEY_ID PRIVATE_KEY_FILE

# api METHOD ADDRESS BODY [more options of curl]: prints the status to standard error, and the answer.
api() {
  local method=$1 address=$2 body=$3 answer; shift 3
  [ -z "$body" ] || set -- -d "$body" "$@"
  answer=$(curl -sS -X "$method" "$address" -w '\n%{http_code}' \
    -H "Accept: application/vnd.${MEDIA:-svc}+json; version=3.0" -H 'Content-Type: application/json' "$@")
  echo "HTTP ${answer##*
}" >&2
  [ "${#answer}" -lt 5 ] || printf '%s\n' "${answer%
*}"
}

# session USER: the user's session token; logs the user in the first time.
session() {
  [ -s "$SESSIONS/$1" ] || curl -sS "$LOGIN/session?user=$1" | field .session_token > "$SESSIONS/$1"
  cat "$SESSIONS/$1"
}

# as USER METHOD PATH [BODY] [options]: a request of a client; PATH may be a whole address.
as() {
  local user=$1 method=$2 address=$3 body=${4:-}; shift $(($# < 4 ? $# : 4))
  case $address in http*) ;; *) address=$URL$address ;; esac
  api "$method" "$address" "$body" -H "Authorization: Svc session-token=\"$(session "$user")\"" "$@"
}

# server METHOD PATH [BODY] [options]: a request of the application's server; PATH is below /apps/<uuid>, or a whole address.
server() {
  local method=$1 address=$2 body=${3:-}; shift $(($# < 3 ? $# : 3))
  case $address in http*) ;; *) address=$APP$address ;; esac
  api "$method" "$address" "$body" -H "Authorization: Bearer $ACCESS_TOKEN" "$@"
}

# webhooks METHOD PATH [BODY]: the same for the webhooks API, which has a media type of its own.
webhooks() { local method=$1 address=/webhooks$2; shift 2; MEDIA=svc.webhooks server "$method" "$address" "$@"; }

# socket USER PACKET [seconds]: opens a WebSocket, sends the packet, prints what arrives in that time (2 seconds), and closes it.
socket() {
  (cd "$CHECKOUT" && exec npx -y wscat -s svc-3.0 -c "ws${URL#http}/websocket?session_token=$(session "$1")" -w "${3:-2}" -x "$2")
}

# parley …: the command line.
parley() { (cd "$CHECKOUT" && npm run --silent parley -- "$@"); }

# wait_for COMMAND …: repeats it every 0.2 seconds until it succeeds, for at most 20 seconds.
wait_for() {
  local tries=100
  until "$@" > /dev/null 2>&1; do
    tries=$((tries - 1)); [ $tries -gt 0 ] || { echo "gave up waiting for: $*" >&2; return 1; }
    sleep 0.2
  done
}

cd "$(mktemp -d)"
