import type { Knex } from 'knex';

// Signed zones (ADR 0037). A zone is signed when it changes. dns.signed_names has the records that the service adds to
// those of users, such as signatures and the NSEC chain. They are written in the transaction of the change. Private
// keys are sealed, and only the signer's role sees them.

const SIGNER = 'zonewright_signer';

async function up(db: Knex): Promise<void> {
  await db.raw(`
    do $body$
    begin
      if not exists (select from pg_roles where rolname = '${SIGNER}') then
        create role ${SIGNER} nologin;
      end if;
    exception
      when duplicate_object or unique_violation then null;
    end
    $body$;

    -- Zones that are signed, or are about to be. No row: unsigned.
    create table dns.zone_dnssec (
      domain_id      uuid primary key constraint zone_dnssec_domain references dns.domains (id) on delete cascade,
      -- signing: signatures are being made, and are not served. signed. leaving: signed, and the parent is told to delete the
      -- DS. unsigning: signed, until nobody remembers the DS any more.
      state          text not null constraint zone_dnssec_state check (state in ('signing', 'signed', 'leaving', 'unsigning')),
      -- Of the next key.
      algorithm      smallint not null constraint zone_dnssec_algorithm check (algorithm in (13, 15)),
      denial         text not null default 'nsec' constraint zone_dnssec_denial check (denial in ('nsec')),
      -- How far the first signing is: the last owner name, as text.
      cursor         bytea,
      -- When the signer looks at the zone next, at the latest.
      next_resign_at timestamptz not null default now(),
      -- The serial whose content is signed.
      signed_serial  bigint,
      -- What is asked of the signer: a new key, or to leave at once.
      wish           text constraint zone_dnssec_wish check (wish in ('rollover', 'unsign')),
      requested_by   text,
      changed_at     timestamptz not null default now()
    );
    create index zone_dnssec_next_resign_at on dns.zone_dnssec (next_resign_at);

    create table dns.zone_keys (
      id            uuid primary key default gen_random_uuid(),
      domain_id     uuid not null constraint zone_keys_domain references dns.domains (id) on delete cascade,
      algorithm     smallint not null,
      flags         integer not null,
      key_tag       integer not null,
      -- As DNSKEY has it.
      public_key    bytea not null,
      -- PKCS #8 by AES-256-GCM, by the key of that id of SIGNER_ENCRYPTION_KEYS; null once the key is removed.
      secret_sealed bytea,
      secret_key_id text,
      -- published: in DNSKEY, and signs it. active: signs the zone. retiring: still in DNSKEY, and signs it. removed.
      state         text not null constraint zone_keys_state check (state in ('published', 'active', 'retiring', 'removed')),
      published_at  timestamptz not null default now(),
      active_at     timestamptz,
      ds_seen_at    timestamptz,
      retire_at     timestamptz,
      removed_at    timestamptz,
      constraint zone_keys_tag unique (domain_id, key_tag)
    );

    -- One row for each name of the chain. canonical: labels below the apex from right to left, in lower case, a 0x00 behind each,
    -- 0x00 and 0x01 in a label as 0x01 0x01 and 0x01 0x02; the apex is empty. So the order of octets is that of RFC 4034 s6.1.
    -- records: what the service has there, [type 2][ttl 4][octets 2][rdata] one after the other: NSEC, all RRSIG, at the apex
    -- SOA, its NS, DNSKEY, CDS and CDNSKEY, where a zone begins that is hosted here its NS and DS.
    create table dns.signed_names (
      domain_id uuid not null constraint signed_names_domain references dns.domains (id) on delete cascade,
      canonical bytea not null,
      records   bytea not null,
      resign_at timestamptz not null,
      constraint signed_names_pkey primary key (domain_id, canonical)
    );
    create index signed_names_resign_at on dns.signed_names (resign_at);

    -- Which of these rows each step of a signed zone has written or removed, beside the names in the journal.
    create table dns.signing_steps (
      domain_id     uuid not null constraint signing_steps_domain references dns.domains (id) on delete cascade,
      serial_before bigint not null,
      serial_after  bigint not null,
      -- canonical; null: so many that the zone is better read as a whole.
      names         bytea[],
      signed_at     timestamptz not null default now(),
      constraint signing_steps_pkey primary key (domain_id, serial_after)
    );
    create index signing_steps_signed_at on dns.signing_steps (signed_at);

    -- What the parent zones show, as dns-api has seen it: the signer has no way out.
    create table dns.parent_ds (
      domain_id  uuid primary key constraint parent_ds_domain references dns.domains (id) on delete cascade,
      checked_at timestamptz not null,
      -- Whether all servers of the parent say the same.
      agreed     boolean not null,
      -- [{"keyTag": 1, "algorithm": 13, "digestType": 2, "digest": "hex"}]
      ds         jsonb not null,
      ds_ttl     integer
    );

    -- Features that a nameserver has and older ones lack; null: none.
    alter table dns.nameserver_status add column capabilities text[];

    -- Old code and SQL by hand cannot commit a change of a signed zone that has no signatures.
    create function dns.require_signatures() returns trigger
      language plpgsql security definer set search_path = pg_catalog as $body$
    declare
      zone uuid;
      found_name text;
    begin
      if tg_table_name = 'domains' then zone := new.id; else zone := new.domain_id; end if;
      select d.name into found_name
        from dns.domains as d join dns.zone_dnssec as z on z.domain_id = d.id
       where d.id = zone and d.deleted_at is null and z.state <> 'signing' and z.signed_serial is distinct from d.serial;
      if found then
        raise exception 'the zone % is signed, and this change of it is not', found_name
          using errcode = 'check_violation', constraint = 'domains_signatures',
                hint = 'Change it through dns-api of this version, which has changes signed.';
      end if;
      return null;
    end
    $body$;
    revoke all on function dns.require_signatures() from public;
    create constraint trigger domains_signatures after update of serial on dns.domains
      deferrable initially deferred for each row execute function dns.require_signatures();
    create constraint trigger zone_dnssec_signatures after insert or update on dns.zone_dnssec
      deferrable initially deferred for each row execute function dns.require_signatures();

    grant select, insert, update, delete on dns.zone_dnssec, dns.zone_keys, dns.signed_names, dns.signing_steps, dns.parent_ds
      to zonewright_operator;

    grant select, insert, update on dns.zone_dnssec to zonewright_dns_api;
    grant select, insert, update, delete on dns.signed_names, dns.parent_ds to zonewright_dns_api;
    grant select, insert on dns.signing_steps to zonewright_dns_api;
    grant select (id, domain_id, algorithm, flags, key_tag, public_key, state, published_at, active_at, ds_seen_at, retire_at,
      removed_at) on dns.zone_keys to zonewright_dns_api;

    grant select on dns.zone_dnssec, dns.signed_names, dns.signing_steps to zonewright_nameserver;

    grant usage on schema dns to ${SIGNER};
    grant select, insert, update, delete on dns.zone_dnssec, dns.zone_keys, dns.signed_names, dns.signing_steps to ${SIGNER};
    grant select on dns.parent_ds, dns.domains, dns.records, dns.zone_changes, dns.servers, dns.apex_versions,
      dns.service_settings, dns.nameserver_domain, dns.nameserver_status to ${SIGNER};
    grant update (serial, changed_in) on dns.domains to ${SIGNER};
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger domains_signatures on dns.domains;
    drop table dns.parent_ds, dns.signing_steps, dns.signed_names, dns.zone_keys, dns.zone_dnssec;
    drop function dns.require_signatures();
    alter table dns.nameserver_status drop column capabilities;
    drop owned by ${SIGNER};
  `);
}

export const dnssec: Knex.Migration = { up, down };
