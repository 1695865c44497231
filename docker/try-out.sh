#!/usr/bin/env bash
# Uses the platform of docker-compose.yml from the host, as a new user would. It creates a tenant and a user, logs in,
# creates a domain and a record, queries all six nameservers over UDP and TCP, and deletes the domain again.
#
#   docker/try-out.sh                           needs curl, dig and node; COMPOSE='docker compose' for Compose v2
set -euo pipefail
cd "$(dirname "$0")/.."
. docker/client.sh
name=try-out-$(date +%s)
domain=$name.example.test.

await_apis
password=$(node -p 'crypto.randomUUID()')
make_tenant "$name" "$password"
echo "created tenant and user $name"

token=$(log_in "$name" "$password")
echo "logged in, token of ${#token} characters"

domain_id=$(api POST /domains "{\"name\":\"$domain\",\"ttl\":3600,\"email\":\"hostmaster@example.test\"}" | member id)
api POST "/domains/$domain_id/records" "{\"name\":\"www.$domain\",\"type\":\"A\",\"data\":\"$address\"}" >/dev/null
echo "created domain $domain and an A record"

for port in "${ports[@]}"; do
  within 5 answers "$port" "www.$domain" "$address" || fail "no answer over UDP from port $port"
  answers "$port" "www.$domain" "$address" +tcp || fail "no answer over TCP from port $port"
  [[ $(dig @"$host" -p "$port" "www.$domain" A) == *'flags: qr aa'* ]] || fail "port $port is not authoritative"
  echo "port $port answers $address over UDP and TCP, with AA"
done

api DELETE "/domains/$domain_id"
for port in "${ports[@]}"; do
  within 5 answers "$port" "www.$domain" '' || fail "port $port still answers after the deletion"
done
echo "deleted the domain; no nameserver answers for it any longer"
