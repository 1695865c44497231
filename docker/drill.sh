#!/usr/bin/env bash
# Breaks the environment of docker-compose.yml, one container after the other, and checks that it recovers. Each container
# is stopped and started, then killed. Killing needs root, so that the engine sees a crash and restarts the container. At
# the end the whole environment is stopped and started again. Use it only for an installation that may be disturbed for
# some minutes; the volumes stay.
#
#   docker/drill.sh [SERVICE ...]               all ten services, or the named ones; needs curl, dig and node
#
# Each time, these conditions must hold: all other nameservers answer throughout; all containers are healthy again; a new
# record can be written and all six nameservers answer it; no earlier record is missing; a revoked token stays refused.
# While Redis or a nameserver is stopped, records can be written as usual; while PostgreSQL is stopped, the DNS API answers
# 503. The script prints the duration of each recovery, which depends on the machine. The limit is PATIENCE_SECONDS (300).
set -euo pipefail
cd "$(dirname "$0")/.."
. docker/client.sh
services=("$@")
((${#services[@]})) || services=(postgres redis identity-service dns-api ns1-1 ns1-2 ns1-3 ns1-4 ns1-5 ns1-6)
name=drill-$(date +%s)
domain=$name.example.test.
records=0
patience=${PATIENCE_SECONDS:-300}

container() { "${compose[@]}" ps -q "$1"; }
is_healthy() { [[ $(docker inspect --format '{{.State.Health.Status}}' "$(container "$1")") == healthy ]]; }

start_client() {
  password=$(node -p 'crypto.randomUUID()')
  make_tenant "$name" "$password"
  revoked=$(log_in "$name" "$password")
  curl -fsS -o /dev/null -X DELETE "$identity/v2.0/HP-IDM/v1.0/tokens/$revoked" -H "X-Auth-Token: $revoked"
  token=$(log_in "$name" "$password")
  within "$patience" create_domain || fail 'the domain could not be created'
}

create_domain() {
  domain_id=$(api POST /domains "{\"name\":\"$domain\",\"ttl\":3600,\"email\":\"hostmaster@example.test\"}" | member id)
}

write_record() {
  api POST "/domains/$domain_id/records" "{\"name\":\"r$((records + 1)).$domain\",\"type\":\"A\",\"data\":\"$address\"}" \
    >/dev/null 2>&1 || return 1
  records=$((records + 1))
}

is_refused() { # is_refused TOKEN
  [[ $(curl -sS -o /dev/null -w '%{http_code}' --max-time 10 "$dns/v1/domains" -H "X-Auth-Token: $1" 2>/dev/null) == 401 ]]
}

# The other nameservers must answer immediately, not only after a while.
others_answer() { # others_answer SERVICE WHEN
  local port
  for port in "${ports[@]}"; do
    [[ $1 == "ns1-$((port - 5300))" ]] && continue
    answers "$port" "r1.$domain" "$address" +time=5 || fail "$2: port $port did not answer"
  done
}

# Checks the effects for users in the meantime (docs/design/architecture.md, failure modes).
users_are_served() { # users_are_served SERVICE
  case $1 in
    redis | ns1-*) within 30 write_record || fail "no record could be written while $1 was stopped" ;;
    postgres) within 30 is_unavailable || fail "the DNS API did not answer 503 while $1 was stopped" ;;
  esac
}

is_unavailable() {
  [[ $(curl -sS -o /dev/null -w '%{http_code}' --max-time 5 "$dns/v1/domains" -H "X-Auth-Token: $token") == 503 ]]
}

check() { # check SERVICE WHAT
  within "$patience" is_healthy "$1" || fail "$1 was not healthy in time after: $2"
  # The fault may have affected the others.
  local service port number
  for service in "${services[@]}"; do
    within "$patience" is_healthy "$service" || fail "$service was not healthy in time after: $1 $2"
  done
  within "$patience" write_record || fail "no record could be written after: $1 $2"
  within "$patience" is_refused "$revoked" || fail "a revoked token was accepted after: $1 $2"
  for port in "${ports[@]}"; do
    for ((number = 1; number <= records; number++)); do
      within "$patience" answers "$port" "r$number.$domain" "$address" || fail "port $port lacks r$number.$domain after: $1 $2"
    done
  done
  echo "$1 $2: healthy after $((SECONDS - began)) s, $records records on six nameservers, the revoked token refused"
}

await_apis
start_client
write_record || fail 'the first record could not be written'
for port in "${ports[@]}"; do
  within "$patience" answers "$port" "r1.$domain" "$address" || fail "port $port lacks the first record"
done

for service in "${services[@]}"; do
  began=$SECONDS
  "${compose[@]}" stop "$service" >/dev/null 2>&1
  others_answer "$service" "while $service was stopped"
  users_are_served "$service"
  "${compose[@]}" start "$service" >/dev/null 2>&1
  check "$service" 'was stopped and started'

  began=$SECONDS
  if [[ $(id -u) == 0 ]]; then
    restarts=$(docker inspect --format '{{.RestartCount}}' "$(container "$service")")
    kill -9 "$(docker inspect --format '{{.State.Pid}}' "$(container "$service")")"
    others_answer "$service" "when $service was killed"
    was_restarted() { (($(docker inspect --format '{{.RestartCount}}' "$(container "$service")") > restarts)); }
    within "$patience" was_restarted || fail "the engine did not restart $service"
    check "$service" 'was killed'
  fi
done

began=$SECONDS
"${compose[@]}" down >/dev/null 2>&1
"${compose[@]}" up -d 2>"$complaints" || { cat "$complaints" >&2; fail 'the environment did not come up again'; }
await_apis
check "${services[0]}" 'and all the others went down and came up'
api DELETE "/domains/$domain_id"
echo "the environment survived all of it"
