-- :zones zones with :records address records each, in tenants of :tenant_zones zones; in a migrated database without zones, by its owner.
-- psql -v zones=1000000 -v records=20 -v tenant_zones=10000 -f fill.sql
\set ON_ERROR_STOP on
\timing on
-- Triggers and foreign keys rest: what they keep is written here.
set session_replication_role = replica;
set synchronous_commit = off;
insert into dns.nameserver_domain (name, email, serial)
select 'ns.bench.example.', 'admin@bench.example', 1 where not exists (select from dns.nameserver_domain);
insert into dns.servers (name, position, ipv4)
select 'ns1-' || n || '.ns.bench.example.', n, host('192.0.2.0'::inet + n)::inet from generate_series(1, 6) as n
 where not exists (select from dns.servers);
insert into dns.apex_versions (version, servers, soa_refresh, soa_retry, soa_expire, soa_minimum)
select 2, array(select s.name from dns.servers as s order by s.position), t.soa_refresh, t.soa_retry, t.soa_expire, t.soa_minimum
  from dns.service_settings as t where not exists (select from dns.apex_versions as v where v.version > 1);

insert into dns.domains (tenant_id, name, email, ttl, serial, record_count, apex_version)
select 'tenant-' || n / :tenant_zones, 'zone' || n || '.example.', 'admin@example.com', 3600, 1, :records, (select max(v.version) from dns.apex_versions as v)
  from generate_series(0, :zones - 1) as n;

drop index dns.records_data, dns.records_listed, dns.records_type, dns.records_unique, dns.records_recordset_id;
alter table dns.records drop constraint records_pkey;
insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, ttl)
select d.id, 'h' || n || '.' || d.name, 'A', '10.0.0.' || n, int4send(167772160 + n), sha256(int4send(167772160 + n)), 300
  from dns.domains as d, generate_series(0, :records - 1) as n;
alter table dns.records add constraint records_pkey primary key (id);
create unique index records_unique on dns.records (domain_id, name, type, rdata_digest);
create index records_listed on dns.records (domain_id, created_at, id);
create index records_data on dns.records (domain_id, left(data, 64), created_at, id);
create index records_type on dns.records (domain_id, type, created_at, id);
create index records_recordset_id on dns.records (dns.recordset_id(domain_id, name, type));

insert into dns.zone_changes (domain_id, serial_before, serial_after, action, after, user_id, request_id)
select d.id, null, d.serial, 'domain-create', jsonb_build_object('name', d.name, 'email', d.email, 'ttl', d.ttl), 'bench', 'bench'
  from dns.domains as d;
vacuum analyze;
