#!/bin/sh
# Compares commits that PostgreSQL groups with changes that the writer groups: changes per second, flushes of the log, and
# the waiting time of a commit.
#   sh bench/scaling/commits.sh URL [SECONDS]       URL of a superuser and a database that may be filled; with fsync on
# Each change costs the disk the same as one of our writes: an updated row, a new row, a row of the journal, and a commit.
set -eu
url=$1
seconds=${2:-8}
psql -q "$url" <<'SQL'
drop table if exists bench_zone, bench_record, bench_journal;
create table bench_zone (id int primary key, serial bigint not null default 0) with (fillfactor = 50);
create table bench_record (id bigint generated always as identity primary key, zone int not null, body text);
create table bench_journal (id bigint generated always as identity primary key, zone int not null, serial bigint not null, body text);
create index on bench_journal (zone, serial, id);
insert into bench_zone select n from generate_series(0, 9999) as n;
SQL
folder=$(mktemp -d)
change='with z as (update bench_zone as d set serial = serial + 1 where d.id = :zone returning d.id, d.serial),
 r as (insert into bench_record (zone, body) select z.id, repeat($$x$$, 60) from z)
 insert into bench_journal (zone, serial, body) select z.id, z.serial, repeat($$x$$, 300) from z;'
printf '\\set zone random(0, 9999)\n%s\n' "$change" >"$folder/1"
{
  echo 'begin;'
  for n in 1 2 3 4 5 6 7 8 9 10; do printf '\\set zone random(%s000, %s999)\n%s\n' $((n - 1)) $((n - 1)) "$change"; done
  echo 'commit;'
} | sed 's/random(0000, 0999)/random(0, 999)/' >"$folder/10"
flushes() { psql -qAt "$url" -c "select sum(fsyncs) from pg_stat_io where object = 'wal'"; }
echo '| clients | changes in a transaction | commit_delay, us | synchronous_commit | changes/s | flushes a transaction | wait of a transaction, ms |'
echo '| --- | --- | --- | --- | --- | --- | --- |'
measure() { # clients changes delay synchronous
  before=$(flushes)
  PGOPTIONS="-c commit_delay=$3 -c commit_siblings=2 -c synchronous_commit=$4" pgbench -n -M prepared -f "$folder/$2" -c "$1" -j 1 -T "$seconds" "$url" 2>/dev/null >"$folder/out"
  sleep 1
  after=$(flushes)
  awk -v c="$1" -v n="$2" -v d="$3" -v s="$4" -v f=$((after - before)) '
    /actually processed/ { t = $NF } /^latency average/ { l = $4 } /^tps/ { r = $3 }
    END { printf "| %s | %s | %s | %s | %.0f | %.2f | %.1f |\n", c, n, d, s, r * n, f / t, l }' "$folder/out"
}
for round in 1 2; do
  measure 1 1 0 on
  measure 8 1 0 on
  measure 8 1 1000 on
  measure 32 1 0 on
  measure 32 1 1000 on
  measure 8 10 0 on
  measure 8 1 0 off
done
psql -q "$url" -c 'drop table bench_zone, bench_record, bench_journal'
rm -r "$folder"
