# shellcheck shell=bash disable=SC2034,SC2154,SC2016
# Functions of try-out.sh and drill.sh, which use the platform of docker-compose.yml from the host. Other scripts source
# this file.
#
# COMPOSE='docker compose' is for Compose v2. IDENTITY_URL, DNS_API_URL and NAMESERVER_ADDRESS replace the published
# addresses.
read -ra compose <<<"${COMPOSE:-docker-compose}"
identity=${IDENTITY_URL:-http://127.0.0.1:35357}
dns=${DNS_API_URL:-http://127.0.0.1:9001}
host=${NAMESERVER_ADDRESS:-127.0.0.1}
ports=(5301 5302 5303 5304 5305 5306)
address=192.0.2.80

# Runs the operator's command; error output of the command and of docker-compose is shown only if it fails.
complaints=$(mktemp)
trap 'rm -f "$complaints"' EXIT
admin() { "${compose[@]}" run --rm -T admin "$@" 2>"$complaints" || { cat "$complaints" >&2; return 1; }; }
fail() { echo "$(basename "$0"): $1" >&2; exit 1; }

# Prints the member at PATH (`access.token.id`) of the JSON on standard input.
member() {
  node -e '
    const body = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const value = process.argv[1].split(".").reduce((part, key) => part?.[key], body);
    if (value === undefined) throw new Error(`no ${process.argv[1]} in ${JSON.stringify(body)}`);
    console.log(value);' "$1"
}

# Repeats "$@" until it succeeds, for at most SECONDS.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.2
  done
}

# answers PORT NAME EXPECTED [dig options]: checks that the nameserver returns this address for the name.
answers() {
  local port=$1 name=$2 expected=$3
  shift 3
  [[ $(dig @"$host" -p "$port" +short +time=2 +tries=1 "$@" "$name" A) == "$expected" ]]
}

is_ready() { curl -fsS -o /dev/null "$1" 2>/dev/null; }

await_apis() {
  within 120 is_ready "$identity/v2.0" || fail "the identity service does not answer at $identity"
  within 120 is_ready "$dns/v1" || fail "the DNS API does not answer at $dns"
}

# make_tenant NAME PASSWORD: creates a tenant with the DNS service, and a user of the same name who may use it.
make_tenant() {
  admin tenant create "$1" >/dev/null
  printf %s "$2" | admin user create "$1" --password-stdin >/dev/null
  admin role grant member "$1" --tenant "$1" >/dev/null
  admin role grant dns-admin "$1" --tenant "$1" >/dev/null
  admin service activate DNS "$1" >/dev/null
}

# log_in NAME PASSWORD: prints a token; repeats the login while the service reports overload (503, 429).
log_in() {
  curl -fsS --retry 10 "$identity/v2.0/tokens" -H 'Content-Type: application/json' -d "{\"auth\":{\"passwordCredentials\":
    {\"username\":\"$1\",\"password\":\"$2\"},\"tenantName\":\"$1\"}}" | member access.token.id
}

# api METHOD PATH [BODY]: calls the DNS API with $token.
api() {
  curl -fsS --max-time 10 -X "$1" "$dns/v1$2" -H "X-Auth-Token: $token" -H 'Content-Type: application/json' ${3:+-d "$3"}
}
