-- The journal as one table beside the journal in weekly partitions: what reading, writing and removing cost. In an empty database:
-- psql -v changes=1000000 -v domains=20000 -f partitions.sql
\set ON_ERROR_STOP on
create table domains (id int primary key, serial bigint not null);
insert into domains select n, 0 from generate_series(0, :domains - 1) as n;
-- A domain of a hundred changes all the time; of the others each has a few changes in the thirteen weeks.
create temporary table made as
select n as id, case when n % 2 = 0 then (n / 2) % (:domains / 100) else (n::bigint * 7919) % :domains end::int as domain_id, n as serial_after,
       timestamptz '2026-01-01' + n * (interval '91 days' / :changes) as changed_at, repeat('x', 300) as body
  from generate_series(1, :changes) as n;
update domains as d set serial = m.serial from (select domain_id, max(serial_after) as serial from made group by 1) as m where m.domain_id = d.id;

create table plain (id bigint generated always as identity primary key, domain_id int not null references domains on delete cascade,
  serial_after bigint not null, changed_at timestamptz not null default now(), body text);
create index on plain (domain_id, serial_after, id);
-- By id, which rises with time, so that the key stays what it is.
create table parted (id bigint generated always as identity, domain_id int not null references domains on delete cascade,
  serial_after bigint not null, changed_at timestamptz not null default now(), body text, primary key (id)) partition by range (id);
create index on parted (domain_id, serial_after, id);
select format('create table parted_%s partition of parted for values from (%s) to (%s)', p, p * (:changes / 13) + 1,
              case p when 13 then 1000000000000 else (p + 1) * (:changes / 13) + 1 end)
  from generate_series(0, 13) as p \gexec
insert into plain (id, domain_id, serial_after, changed_at, body) overriding system value select * from made order by id;
insert into parted (id, domain_id, serial_after, changed_at, body) overriding system value select * from made order by id;
select setval(pg_get_serial_sequence('plain', 'id'), :changes), setval(pg_get_serial_sequence('parted', 'id'), :changes);
create table parted_kept (like parted);
vacuum analyze;

\echo == of the oldest week: changes that are the last of their domain, and have to stay
select count(*) filter (where m.serial_after = d.serial) as last_ones, count(*) as of_all
  from plain as m join domains as d on d.id = m.domain_id where m.id <= :changes / 13;
\echo == the newest 100 of a quiet domain; run twice, the second counts
select domain_id as quiet from plain where domain_id > :domains / 2 limit 1 \gset
\timing on
explain (analyze, buffers, costs off) select * from plain where domain_id = :quiet order by serial_after desc, id desc limit 100;
explain (analyze, buffers, costs off) select * from plain where domain_id = :quiet order by serial_after desc, id desc limit 100;
explain (analyze, buffers, costs off) select * from parted where domain_id = :quiet order by serial_after desc, id desc limit 100;
explain (analyze, buffers, costs off) select * from parted where domain_id = :quiet order by serial_after desc, id desc limit 100;
\echo == what a nameserver asks of each changed zone: the changes since a serial
explain (analyze, buffers, costs off) select * from plain where domain_id = 5 and serial_after > :changes - 20000 order by serial_after, id limit 1025;
explain (analyze, buffers, costs off) select * from plain where domain_id = 5 and serial_after > :changes - 20000 order by serial_after, id limit 1025;
explain (analyze, buffers, costs off) select * from parted where domain_id = 5 and serial_after > :changes - 20000 order by serial_after, id limit 1025;
explain (analyze, buffers, costs off) select * from parted where domain_id = 5 and serial_after > :changes - 20000 order by serial_after, id limit 1025;
\echo == removing the oldest week: rows, as today, then vacuum
begin;
explain (analyze, buffers, wal, costs off) delete from plain as c using domains as d where d.id = c.domain_id and c.serial_after < d.serial and c.id <= :changes / 13;
commit;
vacuum (verbose) plain;
\echo == removing the oldest week: those that stay move to the next partition under new names, the rest is dropped
begin;
explain (analyze, buffers, wal, costs off) insert into parted_kept select c.* from parted_0 as c join domains as d on d.id = c.domain_id where c.serial_after = d.serial;
alter table parted detach partition parted_0;
drop table parted_0;
commit;
