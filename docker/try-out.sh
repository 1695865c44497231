#!/usr/bin/env bash
# Uses the platform of docker-compose.yml as a stranger would, from the host: makes a tenant and a user, logs in, creates a
# domain and a record, asks all six nameservers over UDP and TCP, and deletes the domain again.
#
#   docker/try-out.sh                           needs curl, dig and node; COMPOSE='docker compose' for Compose v2
set -euo pipefail
cd "$(dirname "$0")/.."
read -ra compose <<<"${COMPOSE:-docker-compose}"
identity=${IDENTITY_URL:-http://127.0.0.1:35357}
dns=${DNS_API_URL:-http://127.0.0.1:9001}
host=${NAMESERVER_ADDRESS:-127.0.0.1}
name=try-out-$(date +%s)
domain=$name.example.test.
address=192.0.2.80

admin() { "${compose[@]}" run --rm -T admin "$@"; }
fail() { echo "try-out: $1" >&2; exit 1; }

# The member at PATH (`access.token.id`) of the JSON on standard input.
member() {
  node -e '
    const body = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const value = process.argv[1].split(".").reduce((part, key) => part?.[key], body);
    if (value === undefined) throw new Error(`no ${process.argv[1]} in ${JSON.stringify(body)}`);
    console.log(value);' "$1"
}

# Runs "$@" until it succeeds, for SECONDS at most.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.2
  done
}

answers() { # answers PORT EXPECTED [dig options]
  local port=$1 expected=$2
  shift 2
  [[ $(dig @"$host" -p "$port" +short +time=2 +tries=1 "$@" "www.$domain" A) == "$expected" ]]
}

is_ready() { curl -fsS -o /dev/null "$1" 2>/dev/null; }

within 120 is_ready "$identity/v2.0" || fail "the identity service does not answer at $identity"
within 120 is_ready "$dns/v1" || fail "the DNS API does not answer at $dns"

password=$(node -p 'crypto.randomUUID()')
admin tenant create "$name" >/dev/null
printf %s "$password" | admin user create "$name" --password-stdin >/dev/null
admin role grant member "$name" --tenant "$name" >/dev/null
admin role grant dns-admin "$name" --tenant "$name" >/dev/null
admin service activate DNS "$name" >/dev/null
echo "made tenant and user $name"

token=$(curl -fsS "$identity/v2.0/tokens" -H 'Content-Type: application/json' -d "{\"auth\":{\"passwordCredentials\":
  {\"username\":\"$name\",\"password\":\"$password\"},\"tenantName\":\"$name\"}}" | member access.token.id)
echo "logged in, token of ${#token} characters"

api() { # api METHOD PATH [BODY]
  curl -fsS -X "$1" "$dns/v1$2" -H "X-Auth-Token: $token" -H 'Content-Type: application/json' ${3:+-d "$3"}
}
domain_id=$(api POST /domains "{\"name\":\"$domain\",\"ttl\":3600,\"email\":\"hostmaster@example.test\"}" | member id)
api POST "/domains/$domain_id/records" "{\"name\":\"www.$domain\",\"type\":\"A\",\"data\":\"$address\"}" >/dev/null
echo "created domain $domain and an A record"

for port in 5301 5302 5303 5304 5305 5306; do
  within 5 answers "$port" "$address" || fail "no answer over UDP from port $port"
  answers "$port" "$address" +tcp || fail "no answer over TCP from port $port"
  [[ $(dig @"$host" -p "$port" "www.$domain" A) == *'flags: qr aa'* ]] || fail "port $port is not authoritative"
  echo "port $port answers $address over UDP and TCP, with AA"
done

api DELETE "/domains/$domain_id"
for port in 5301 5302 5303 5304 5305 5306; do
  within 5 answers "$port" '' || fail "port $port still answers after the deletion"
done
echo "deleted the domain; all six have forgotten it"
