import { type Database, queryRow, queryRows } from '@zonewright/database';
import { nameToWire } from '@zonewright/dns-records';
import {
  DIGEST_TYPES,
  dnskeyToWire,
  dsToWire,
  type PublicKey,
  type SigningAlgorithm,
} from '@zonewright/dns-records/dnssec';
import {
  externalKeys,
  isAnnouncedExternal,
  isServedSigned,
  ownKeys,
  type RequestedSigning,
  type SigningState,
  stateToBe,
  type ZoneKey,
} from '../rows/signing-state.js';
import type { Zone } from '../rows/zone.js';
import { type DsRecord, findParentDs, type ParentDs } from './dnssec-store.js';
import { isSameKey } from './foreign-keys.js';
import { RENEWED_BEFORE_END_SECONDS } from './signed-name-store.js';
import { type ExternalKey, findSigning, listZoneKeys, type ZoneSigning } from './signing-store.js';

/** Signing of a zone, and the DS that its parent must publish. */
export interface ZoneDnssec {
  /** Undefined if the zone is not signed. */
  readonly state: SigningState | undefined;
  readonly algorithm: SigningAlgorithm | undefined;
  /** Keys of this service. */
  readonly keys: readonly ZoneKey[];
  /** Keys of another provider. */
  readonly foreignKeys: readonly ShownForeignKey[];
  /** DS records for the registrar: SHA-256 and SHA-384 of each key that signs the zone, at this or another provider. */
  readonly ds: readonly DsRecord[];
  /** Rdata of DNSKEY for these keys. */
  readonly dnskeys: readonly Uint8Array[];
  /** Whether the signer is signing all names again, in batches. Earlier signatures are served until then. */
  readonly isCatchingUp: boolean;
  /** Undefined if it has not been checked. */
  readonly parent: ParentDs | undefined;
  /**
   * Time until which the DS is held back, since resolvers have the unsigned zone in their caches. Undefined if it is
   * announced, or will not be.
   */
  readonly dsFrom: Date | undefined;
  /** Sentence that describes the missing part. Undefined if nothing is missing. */
  readonly missing: string | undefined;
}

interface ShownForeignKey extends ExternalKey {
  /** coming: the signer has not added it yet. leaving: the parent still has a DS of the other provider. */
  readonly state: 'coming' | 'published' | 'leaving';
}

export async function getZoneDnssec(
  db: Database,
  zone: Pick<Zone, 'id' | 'name'>,
): Promise<ZoneDnssec> {
  const signing = await findSigning(db, zone.id);
  if (signing === undefined) {
    return {
      ...{ state: undefined, algorithm: undefined, keys: [], foreignKeys: [], ds: [], dnskeys: [] },
      ...{ isCatchingUp: false, parent: undefined, dsFrom: undefined, missing: undefined },
    };
  }
  const { algorithm } = signing;
  const state = stateToBe(signing);
  const all = await listZoneKeys(db, zone.id);
  const keys = ownKeys(all);
  const foreign = showForeign(all, signing);
  const active = keys.filter((key) => key.state === 'active');
  const parent = await findParentDs(db, zone.id);
  const dsOf = (some: readonly PublicKey[]) =>
    some.flatMap((key) =>
      Object.values(DIGEST_TYPES).map((type) => toDs(dsToWire(nameToWire(zone.name), key, type))),
    );
  const own = dsOf(active);
  const foreignDs = dsOf(all.filter(isAnnouncedExternal));
  const dsFrom = (state === 'signed' && active[0]?.dsFrom) || undefined;
  return {
    ...{ state, algorithm, keys, parent, dsFrom, foreignKeys: foreign },
    isCatchingUp: signing.resignAfter !== null && isServedSigned(signing.state),
    ds: [...own, ...foreignDs],
    dnskeys: active.map(dnskeyToWire),
    missing:
      signing.wish === 'unsign'
        ? 'Signing ends at once, as requested.'
        : findMissing({ state, own, foreignDs, foreign, parent, dsFrom }),
  };
}

function toDs(wire: Uint8Array): DsRecord {
  const octets = Buffer.from(wire);
  return {
    keyTag: octets.readUInt16BE(0),
    algorithm: octets[2] ?? 0,
    digestType: octets[3] ?? 0,
    digest: octets.toString('hex', 4),
  };
}

function showForeign(
  all: readonly ZoneKey[],
  { foreignKeys: wanted }: ZoneSigning,
): ShownForeignKey[] {
  const there = externalKeys(all);
  const coming = (wanted?.keys ?? []).filter(
    (key) => !there.some((other) => isSameKey(key, other)),
  );
  return [
    ...there.map((key) => ({
      ...key,
      state: key.retireAt === null ? ('published' as const) : ('leaving' as const),
    })),
    ...coming.map((key) => ({ ...key, state: 'coming' as const })),
  ];
}

interface AboutDs extends Pick<ZoneDnssec, 'parent' | 'dsFrom'> {
  readonly own: readonly DsRecord[];
  readonly foreignDs: readonly DsRecord[];
  readonly foreign: readonly ShownForeignKey[];
}

function findMissing(signing: AboutDs & { readonly state: SigningState }): string | undefined {
  switch (signing.state) {
    case 'signing':
      return 'The domain is being signed; this takes a few seconds, or minutes if it is large.';
    case 'signed':
      return findMissingDs(signing);
    case 'leaving':
      return 'Delete the DS record at your registrar: the domain stays signed until the parent zone has none.';
    case 'unsigning':
      return 'The DS record is gone; the domain stays signed until resolvers no longer cache it.';
  }
}

function findMissingDs({ own, foreignDs, foreign, parent, dsFrom }: AboutDs): string | undefined {
  const isShown = parent?.ds.some((shown) => own.some((each) => isSameDs(each, shown))) === true;
  if (dsFrom !== undefined && !isShown) {
    return `Add the DS record at your registrar, but not before ${toMinute(dsFrom)}: until then resolvers may cache unsigned data.`;
  }
  if (!isShown) {
    return foreign.length === 0
      ? 'Add the DS record at your registrar: resolvers do not validate the domain until the parent zone has it.'
      : 'Add the DS record at your registrar next to those of the other provider, before the delegation changes.';
  }
  const foreignTags = new Set(foreignDs.map(({ keyTag }) => keyTag));
  const lacking = [...foreignTags].find((tag) => !parent.ds.some(({ keyTag }) => keyTag === tag));
  if (lacking !== undefined) {
    return `The parent zone has no DS record for the key ${lacking} of the other provider: add it before the delegation changes.`;
  }
  const isForeign = ({ keyTag }: DsRecord) => own.every((each) => each.keyTag !== keyTag);
  if (foreign.some(({ state }) => state === 'leaving') && parent.ds.some(isForeign)) {
    return 'Delete the DS records of the other provider at your registrar: its keys stay published until the parent zone has none.';
  }
  return parent.agreed
    ? undefined
    : 'The nameservers of the parent zone differ; some do not have the DS record yet.';
}

/** Rounds a time up to a full minute. */
function toMinute(time: Date): string {
  const minute = new Date(Math.ceil(time.getTime() / 60_000) * 60_000);
  return `${minute.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Whether the zone's CDS differ from the DS at the parent (RFC 8078). False if the parent has not been checked. */
export function asksParent({
  state,
  ds,
  parent,
  dsFrom,
}: Pick<ZoneDnssec, 'state' | 'ds' | 'parent' | 'dsFrom'>): boolean {
  if (parent === undefined || dsFrom !== undefined) return false;
  if (state === 'leaving') return parent.ds.length > 0;
  const shown = new Set(parent.ds.map(({ keyTag }) => keyTag));
  const wanted = new Set(ds.map(({ keyTag }) => keyTag));
  return (
    state === 'signed' && (shown.size !== wanted.size || [...wanted].some((tag) => !shown.has(tag)))
  );
}

export function isSameDs(a: DsRecord, b: DsRecord): boolean {
  return a.keyTag === b.keyTag && a.digestType === b.digestType && a.digest === b.digest;
}

/** Signed zone in a list for all tenants. */
export interface ListedSigning {
  readonly name: string;
  readonly tenantId: string;
  readonly state: SigningState;
  readonly algorithm: number;
  /** Number of keys, including those that are being added and removed. */
  readonly keys: number;
  readonly changedAt: Date;
  readonly wish: RequestedSigning | null;
  /** Number of DS at the parent. Null if it has not been checked. */
  readonly parentDs: number | null;
}

/** Lists zones with DNSSEC, the latest change of state first. */
export async function listSignings(db: Database): Promise<ListedSigning[]> {
  const rows = await queryRows<ListedSigning>(
    db,
    `select d.name, d.tenant_id as "tenantId", z.state, z.algorithm, z.changed_at as "changedAt", z.wish,
            (select count(*) from dns.zone_keys as k where k.domain_id = d.id and k.state <> 'removed') as keys,
            jsonb_array_length(p.ds) as "parentDs"
       from dns.zone_dnssec as z join dns.domains as d on d.id = z.domain_id and d.deleted_at is null
       left join dns.parent_ds as p on p.domain_id = z.domain_id
      order by z.changed_at desc, d.name`,
  );
  return rows.map((row) => ({ ...row, state: stateToBe(row) }));
}

/** Problems of signed zones, for operators. */
export interface SigningTrouble {
  /** Number of zones that are signed, or about to be. */
  readonly zones: number;
  /** Number of these zones that have been due for the signer for a quarter of an hour. */
  readonly overdue: number;
  /** Number of zones whose first signing was requested more than an hour ago. */
  readonly signing: number;
  /** Number of zones that have waited for more than a week for their parent to remove the DS. */
  readonly leaving: number;
  /** One of these zones. Null if there is none. */
  readonly example: string | null;
  /** First expiry of a served signature. Undefined if there is none. */
  readonly firstEnd: { readonly name: string; readonly at: Date } | undefined;
}

/** Returns undefined if no zone is signed. */
export async function findSigningTrouble(
  db: Database,
  now: Date,
): Promise<SigningTrouble | undefined> {
  const counts = await queryRow<Omit<SigningTrouble, 'firstEnd'>>(
    db,
    `select count(*) as zones, count(*) filter (where s.overdue) as overdue, count(*) filter (where s.signing) as signing,
            count(*) filter (where s.leaving) as leaving, min(s.name) filter (where s.overdue or s.signing or s.leaving) as example
       from (select d.name,
                    z.state <> 'signing' and z.next_resign_at < cast(? as timestamptz) - interval '15 minutes' as overdue,
                    z.state = 'signing' and z.changed_at < cast(? as timestamptz) - interval '1 hour' as signing,
                    z.state = 'leaving' and z.changed_at < cast(? as timestamptz) - interval '7 days' as leaving
               from dns.zone_dnssec as z join dns.domains as d on d.id = z.domain_id and d.deleted_at is null) as s`,
    [now, now, now],
  );
  if (counts === undefined || counts.zones === 0) return undefined;
  const first = await queryRow<{ name: string; at: Date }>(
    db,
    `select d.name, n.resign_at + cast(? as double precision) * interval '1 second' as at
       from dns.signed_names as n join dns.domains as d on d.id = n.domain_id and d.deleted_at is null
       join dns.zone_dnssec as z on z.domain_id = d.id and z.state <> 'signing'
      order by n.resign_at limit 1`,
    [RENEWED_BEFORE_END_SECONDS],
  );
  return { ...counts, firstEnd: first };
}
