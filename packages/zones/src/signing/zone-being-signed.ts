import { type Database, type FeedApex, runPrepared } from '@zonewright/database';
import { nameToWire, wireToName } from '@zonewright/dns-records';
import {
  canonicalKey,
  type CanonicalKey,
  nameOfKey,
  type Rrset,
  type SignedRecord,
  signedRecordsFromOctets,
} from '@zonewright/dns-records/dnssec';
import { isServedSigned } from '../rows/signing-state.js';
import type { LockedZone } from '../rows/zone.js';
import type { UsedKey } from './signing-ground-store.js';
import type { ZoneToSign } from './signing-store.js';

/** Zone with its new serial, and the managed records in it. */
export interface ZoneBeingSigned {
  readonly zone: ZoneToSign;
  /** Apex in wire form. */
  readonly apexName: Uint8Array;
  readonly apex: FeedApex;
  readonly apexVersion: number;
  /** Keys in use, oldest first. */
  readonly keys: readonly UsedKey[];
  /** Managed RRsets at the apex. */
  readonly provided: readonly Rrset[];
  /** Minimum of the SOA record's TTL and its MINIMUM field (RFC 9077 s3.2). */
  readonly nsecTtl: number;
}

type OfApex = Pick<ZoneBeingSigned, 'apexName'>;

export function keyOfName({ apexName }: OfApex, name: string): CanonicalKey {
  return canonicalKey(nameToWire(name), apexName);
}

export function nameOfRow({ apexName }: OfApex, key: CanonicalKey): string {
  return wireToName(nameOfKey(key, apexName));
}

/** Records that are served at names of a zone because it is signed, by name. */
export type SignedRecords = ReadonlyMap<string, readonly SignedRecord[]>;

export const NO_SIGNED_RECORDS: SignedRecords = new Map();

const READ = {
  name: 'signed-records',
  text: `select n.canonical, n.records from dns.signed_names as n
          where n.domain_id = $1 and n.canonical = any(cast($2 as bytea[]))`,
};

/** Returns the records that are stored with the signatures of names: RRSIG, NSEC, and complete managed RRsets. */
export async function readSignedRecords(
  db: Database,
  { id, name: zoneName, signingState }: Pick<LockedZone, 'id' | 'name' | 'signingState'>,
  names: readonly string[],
): Promise<SignedRecords> {
  if (!isServedSigned(signingState) || names.length === 0) return NO_SIGNED_RECORDS;
  const apexName = nameToWire(zoneName);
  const keys = names.map((name) => Buffer.from(canonicalKey(nameToWire(name), apexName), 'latin1'));
  const rows = await runPrepared<{ canonical: Buffer; records: Buffer }>(db, READ, [id, keys]);
  return new Map(
    rows.map(({ canonical, records }) => [
      nameOfRow({ apexName }, canonical.toString('latin1')),
      signedRecordsFromOctets(records),
    ]),
  );
}
