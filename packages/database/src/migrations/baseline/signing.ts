/** Signed zones (ADR 0037). A zone is signed in the transaction that changes it. */
export const SIGNING = `
-- Zones that are signed, or are about to be. An unsigned zone has no row.
create table dns.zone_dnssec (
  domain_id      uuid primary key constraint zone_dnssec_domain references dns.domains (id) on delete cascade,
  -- signing: signatures are being made, and are not served. signed. leaving: signed, and CDS asks the parent to delete the
  -- DS. unsigning: signed until no resolver has the DS in its cache.
  state          text not null constraint zone_dnssec_state check (state in ('signing', 'signed', 'leaving', 'unsigning')),
  -- Algorithm of the next key.
  algorithm      smallint not null constraint zone_dnssec_algorithm check (algorithm in (13, 15)),
  denial         text not null default 'nsec' constraint zone_dnssec_denial check (denial in ('nsec')),
  -- Progress of the first signing: the last owner name, as text.
  cursor         bytea,
  -- Serial whose content is signed.
  signed_serial  bigint,
  -- Latest time at which the signer examines the zone next.
  next_resign_at timestamptz not null default now(),
  -- Progress when all names need other signatures, for example after a change of the TTL: the name
  -- (signed_names.canonical) after which signatures are made again, beginning at the apex. Null: nothing to do.
  resign_after   bytea,
  -- Request to the signer.
  wish           text constraint zone_dnssec_wish check (wish in ('rollover', 'unsign', 'leave', 'stay')),
  requested_by   text,
  -- Keys of another provider that signs the same zone (RFC 8901):
  -- {"keys": [{"flags": 257, "algorithm": 13, "publicKey": "base64"}], "atOnce": false}. atOnce: keys that are not listed are
  -- removed without waiting for the parent. Null: there were never any.
  foreign_keys   jsonb,
  -- Last complete audit of the stored signatures by the signer, and its result.
  audited_at     timestamptz,
  audit_problem  text,
  changed_at     timestamptz not null default now()
);
create index zone_dnssec_next_resign_at on dns.zone_dnssec (next_resign_at);

-- Only the role of the signer reads the secrets.
create table dns.zone_keys (
  id            uuid primary key default gen_random_uuid(),
  domain_id     uuid not null constraint zone_keys_domain references dns.domains (id) on delete cascade,
  algorithm     smallint not null,
  flags         integer not null,
  key_tag       integer not null,
  -- As in DNSKEY.
  public_key    bytea not null,
  -- PKCS #8 by AES-256-GCM, by the key of that id of SIGNER_ENCRYPTION_KEYS. Null after the key is removed, and for foreign
  -- keys.
  secret_sealed bytea,
  secret_key_id text,
  -- unlisted: signs the zone and is not in DNSKEY (a change of the algorithm, RFC 6781 s4.1.4). published: in DNSKEY, and
  -- signs DNSKEY. active: signs the zone. retiring: still in DNSKEY, and signs it. removed. foreign: of another provider.
  state         text not null constraint zone_keys_state
                check (state in ('unlisted', 'published', 'active', 'retiring', 'removed', 'foreign')),
  published_at  timestamptz not null default now(),
  active_at     timestamptz,
  -- CDS, and a parent hosted here, announce the DS from this time on. A resolver that cached the unsigned zone must not see a
  -- DS, so the first key waits until no cache can have it. Null: at once.
  ds_from       timestamptz,
  ds_seen_at    timestamptz,
  retire_at     timestamptz,
  removed_at    timestamptz,
  constraint zone_keys_tag unique (domain_id, key_tag)
);

-- Records that the service adds to those of users: one row for each name of the NSEC chain.
create table dns.signed_names (
  domain_id uuid not null constraint signed_names_domain references dns.domains (id) on delete cascade,
  -- Labels below the apex from right to left, in lower case, 0x00 after each; 0x00 and 0x01 in a label are 0x01 0x01 and
  -- 0x01 0x02. The apex is empty. The order of the bytes is then the order of RFC 4034 s6.1.
  canonical bytea not null,
  -- [type 2][ttl 4][length 2][rdata] one after the other: NSEC and all RRSIG; at the apex SOA, its NS, DNSKEY, CDS and
  -- CDNSKEY; at the apex of a child zone that is hosted here its NS and DS.
  records   bytea not null,
  resign_at timestamptz not null,
  constraint signed_names_pkey primary key (domain_id, canonical)
);
create index signed_names_resign_at on dns.signed_names (resign_at);

-- Names in signed_names that each change of a signed zone has written or removed, besides the names in the journal.
create table dns.signing_steps (
  domain_id     uuid not null constraint signing_steps_domain references dns.domains (id) on delete cascade,
  serial_before bigint not null,
  serial_after  bigint not null,
  -- signed_names.canonical. Null: so many that readers had better read the whole zone.
  names         bytea[],
  signed_at     timestamptz not null default now(),
  constraint signing_steps_pkey primary key (domain_id, serial_after)
);
create index signing_steps_signed_at on dns.signing_steps (signed_at);

-- DS records in the parent zones. dns-api asks for them, because the signer has no access to the network.
create table dns.parent_ds (
  domain_id  uuid primary key constraint parent_ds_domain references dns.domains (id) on delete cascade,
  checked_at timestamptz not null,
  -- Whether all servers of the parent have the same records.
  agreed     boolean not null,
  -- [{"keyTag": 1, "algorithm": 13, "digestType": 2, "digest": "hex"}]
  ds         jsonb not null,
  ds_ttl     integer
);

-- Manual SQL cannot commit a change of a signed zone that has no signatures.
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
create constraint trigger domains_signatures after update of serial on dns.domains
  deferrable initially deferred for each row execute function dns.require_signatures();
create constraint trigger zone_dnssec_signatures after insert or update on dns.zone_dnssec
  deferrable initially deferred for each row execute function dns.require_signatures();
`;
