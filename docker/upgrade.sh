#!/usr/bin/env bash
# Installs a new version of the programs, or a changed .env, without interrupting DNS. It builds the images, migrates, and
# restarts the services whose image or settings changed, one after the other, each only when the one before is healthy.
# Five of six nameservers answer at any time; the DNS API and the identity service are unavailable for some seconds each.
#
#   docker/upgrade.sh                           all services; COMPOSE='docker compose' for Compose v2
#   docker/upgrade.sh ns1-1 ns1-2               only these services, without building and migrating
#
# The exit code is 1 if a service is not healthy within PATIENCE_SECONDS (300); later services are not restarted then.
set -euo pipefail
cd "$(dirname "$0")/.."
read -ra compose <<<"${COMPOSE:-docker-compose}"
patience=${PATIENCE_SECONDS:-300}
services=("$@")

say() { echo "$(basename "$0"): $1"; }
fail() { say "$1" >&2; exit 1; }

health() { docker inspect --format '{{.State.Health.Status}}' "$("${compose[@]}" ps -q "$1")" 2>/dev/null; }

# Compose does not notice that a secret in .env has changed, because programs read secrets from files.
recreate() {
  local created
  created=$(docker inspect --format '{{.Created}}' "$("${compose[@]}" ps -q "$1")" 2>/dev/null) || return 0
  if [[ -f .env && $(date -r .env +%s) -gt $(date -d "$created" +%s) ]]; then echo --force-recreate; fi
}

renew() { # renew SERVICE
  local end=$((SECONDS + patience)) began=$SECONDS
  # With --no-deps no other service is restarted now.
  "${compose[@]}" up -d --no-deps $(recreate "$1") "$1" >/dev/null 2>"$complaints" || { cat "$complaints" >&2; fail "$1 could not be started"; }
  until [[ $(health "$1") == healthy ]]; do
    ((SECONDS < end)) || fail "$1 is not healthy after $patience s; the services after it were left as they are. See: ${compose[*]} logs $1"
    sleep 0.5
  done
  say "$1 is healthy ($((SECONDS - began)) s)"
}

complaints=$(mktemp)
trap 'rm -f "$complaints"' EXIT

if ((${#services[@]} == 0)); then
  "${compose[@]}" build
fi
"${compose[@]}" run --rm -T secrets
if ((${#services[@]} == 0)); then
  renew postgres
  renew redis
  # The schema is updated first, because programs of the earlier version can use it.
  "${compose[@]}" run --rm -T --no-deps migrate
  "${compose[@]}" run --rm -T --no-deps bootstrap
  services=(identity-service signer dns-api console-service)
  while read -r name; do
    [[ $name =~ ^ns[0-9]+-[0-9]+$ ]] && services+=("$name")
  done < <("${compose[@]}" config --services | sort)
fi
for service in "${services[@]}"; do renew "$service"; done
