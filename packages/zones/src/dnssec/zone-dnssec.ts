import type { Database } from '@zonewright/database';
import { nameToWire } from '@zonewright/dns-records';
import {
  DIGEST_TYPES,
  dnskeyToWire,
  dsToWire,
  type SigningAlgorithm,
} from '@zonewright/dns-records/dnssec';
import { type SigningState, stateToBe, type ZoneKey } from '../rows/signing-state.js';
import type { Zone } from '../rows/zone.js';
import { type DsRecord, findParentDs, type ParentDs } from '../signing/dnssec-store.js';
import { findSigning, listZoneKeys } from '../signing/signing-store.js';

/** How a zone is signed, and what its parent has to show. */
export interface ZoneDnssec {
  /** Undefined: not at all. */
  readonly state: SigningState | undefined;
  readonly algorithm: SigningAlgorithm | undefined;
  readonly keys: readonly ZoneKey[];
  /** What is to be handed in: of each key that signs the zone, with SHA-256 and SHA-384. */
  readonly ds: readonly DsRecord[];
  /** Rdata of DNSKEY of these keys. */
  readonly dnskeys: readonly Uint8Array[];
  /** Undefined: nobody has looked. */
  readonly parent: ParentDs | undefined;
  /** Until when the DS is held back, since the zone is remembered unsigned; undefined: it is announced, or is not to be. */
  readonly dsFrom: Date | undefined;
  /** What is missing, in one sentence; undefined: nothing. */
  readonly missing: string | undefined;
}

export async function getZoneDnssec(
  db: Database,
  zone: Pick<Zone, 'id' | 'name'>,
): Promise<ZoneDnssec> {
  const signing = await findSigning(db, zone.id);
  if (signing === undefined) {
    return {
      ...{ state: undefined, algorithm: undefined, keys: [], ds: [], dnskeys: [] },
      ...{ parent: undefined, dsFrom: undefined, missing: undefined },
    };
  }
  const { algorithm } = signing;
  const state = stateToBe(signing);
  const keys = await listZoneKeys(db, zone.id);
  const active = keys.filter((key) => key.state === 'active');
  const parent = await findParentDs(db, zone.id);
  const ds = active.flatMap((key) =>
    Object.values(DIGEST_TYPES).map((type) => toDs(dsToWire(nameToWire(zone.name), key, type))),
  );
  const dsFrom = (state === 'signed' && active[0]?.dsFrom) || undefined;
  return {
    ...{ state, algorithm, keys, ds, parent, dsFrom },
    dnskeys: active.map(dnskeyToWire),
    missing: findMissing({ state, ds, parent, dsFrom }),
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

type AboutDs = Pick<ZoneDnssec, 'ds' | 'parent' | 'dsFrom'>;

function findMissing(signing: AboutDs & { readonly state: SigningState }): string | undefined {
  switch (signing.state) {
    case 'signing':
      return 'The domain is being signed; this takes some seconds, or minutes where it is large.';
    case 'signed':
      return findMissingDs(signing);
    case 'leaving':
      return 'Have the DS removed at the registrar: the domain stays signed until the parent zone shows none.';
    case 'unsigning':
      return 'The DS is gone; the domain stays signed until no resolver remembers it.';
  }
}

function findMissingDs({ ds, parent, dsFrom }: AboutDs): string | undefined {
  const isShown = parent?.ds.some((shown) => ds.some((own) => isSameDs(own, shown))) === true;
  if (dsFrom !== undefined && !isShown) {
    return `Hand in the DS at the registrar, but not before ${toMinute(dsFrom)}: until then resolvers may remember the domain unsigned.`;
  }
  if (!isShown) {
    return 'Hand in the DS at the registrar: until the parent zone shows it, nobody validates the domain.';
  }
  return parent.agreed
    ? undefined
    : 'The servers of the parent zone do not agree yet; some do not show the DS.';
}

/** The minute that a time is in, or the next. */
function toMinute(time: Date): string {
  const minute = new Date(Math.ceil(time.getTime() / 60_000) * 60_000);
  return `${minute.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function isSameDs(a: DsRecord, b: DsRecord): boolean {
  return a.keyTag === b.keyTag && a.digestType === b.digestType && a.digest === b.digest;
}
