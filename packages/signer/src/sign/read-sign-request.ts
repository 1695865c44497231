import {
  nameToWire,
  RR_TYPE,
  wireToName,
  isAtOrBelow,
  canonicalOwnerName,
} from '@zonewright/dns-records';
import {
  CDNSKEY_DELETE,
  CDS_DELETE,
  DIGEST_TYPES,
  dnskeyToWire,
  dsToWire,
} from '@zonewright/dns-records/dnssec';
import { invalidRequest, isUuid, type Problem } from '@zonewright/service-kit';
import { isAnnouncedExternal, type RrsetToSign, type ZoneKey } from '@zonewright/zones';
import type { PrivateZoneKey } from '../keys/private-keys.js';
import { KEY_TYPES } from './sign-items.js';

/** Maximum number of RRsets in one request. */
const MAX_ITEMS = 5_000;
/** Maximum number of requests in one message of a dns-api replica. */
const MAX_REQUESTS = 64;
const MAX_TTL = 2 ** 31 - 1;
const MAX_RDATA_OCTETS = 65_535;

/** Request of dns-api for a zone: `{zoneId, keys, items: [{owner, type, ttl, rdatas}]}`, with binary data in base64. */
export interface SignRequest {
  readonly zoneId: string;
  /** Version of the keys that dns-api has seen. */
  readonly keyVersion: string;
  readonly items: readonly RrsetToSign[];
}

/**
 * Reads the message of dns-api: `{requests: [...]}` for several zones, or a single request. An invalid request in a
 * list throws only when its function is called.
 *
 * @throws ServiceError `invalid`
 */
export function readRequests(body: unknown): SignRequest | (() => SignRequest)[] {
  const { requests } = (body ?? {}) as { requests?: unknown };
  if (requests === undefined) return readSignRequest(body);
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > MAX_REQUESTS) {
    throw wrong('requests', `must be a list of 1 to ${MAX_REQUESTS}`);
  }
  return requests.map((request: unknown) => () => readSignRequest(request));
}

/** @throws ServiceError `invalid` */
function readSignRequest(request: unknown): SignRequest {
  const { zoneId, keys, items } = (request ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof zoneId !== 'string' || !isUuid(zoneId)) throw wrong('zoneId', 'must be a UUID');
  if (typeof keys !== 'string') throw wrong('keys', 'must be a string');
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_ITEMS) {
    throw wrong('items', `must be a list of 1 to ${MAX_ITEMS}`);
  }
  return {
    ...{ zoneId, keyVersion: keys },
    items: items.map((item: unknown, at) => readItem(item, `items[${at}]`)),
  };
}

function readItem(item: unknown, path: string): RrsetToSign {
  const given = (item ?? {}) as Readonly<Record<string, unknown>>;
  const { owner, type, ttl, rdatas } = given;
  if (!isInteger(type, 65_535)) throw wrong(`${path}.type`, 'must be the number of a record type');
  if (!isInteger(ttl, MAX_TTL)) throw wrong(`${path}.ttl`, 'must be a TTL');
  if (!Array.isArray(rdatas) || rdatas.length === 0) {
    throw wrong(`${path}.rdatas`, 'must be a list with at least one item');
  }
  return {
    owner: readOctets(owner, `${path}.owner`),
    rrset: {
      type,
      ttl,
      rdatas: rdatas.map((rdata: unknown) => readOctets(rdata, `${path}.rdatas`)),
    },
  };
}

function readOctets(given: unknown, path: string): Uint8Array {
  if (typeof given !== 'string') throw wrong(path, 'must be octets in base64');
  const octets = Buffer.from(given, 'base64');
  if (octets.length > MAX_RDATA_OCTETS) throw wrong(path, 'is too long');
  return octets;
}

function isInteger(value: unknown, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
}

interface KeysOfZone {
  readonly zoneName: string;
  readonly keys: readonly PrivateZoneKey[];
  /** Keys of another provider that also signs the zone. */
  readonly foreign: readonly ZoneKey[];
}

/**
 * Whether a type may be signed. RRSIG and types that exist only in queries are never signed (RFC 4035 s2.2, RFC 6895
 * s3.1).
 */
function isSignable(type: number): boolean {
  return (
    type > 0 && type !== RR_TYPE.RRSIG && type !== RR_TYPE.OPT && !(type >= 128 && type <= 255)
  );
}

/**
 * Requires that the keys of a zone may sign the records. The records must be in the zone, and must describe its keys
 * correctly. A caller that can only request signatures therefore cannot add another key.
 *
 * @throws ServiceError `invalid`
 */
export function requireOfZone(
  items: readonly RrsetToSign[],
  { zoneName, keys, foreign }: KeysOfZone,
): void {
  // Most requests contain no records about keys.
  const isOfKeys = items.some(({ rrset }) => KEY_TYPES.has(rrset.type));
  const allowed = isOfKeys ? ownRecords({ zoneName, keys, foreign }) : NONE;
  const needed = isOfKeys ? foreignRecords({ zoneName, foreign }) : NONE;
  items.forEach(({ owner, rrset }, at) => {
    const name = readName(owner, `items[${at}].owner`);
    if (!isAtOrBelow(name, zoneName)) throw wrong(`items[${at}].owner`, `is outside ${zoneName}`);
    if (!isSignable(rrset.type)) throw wrong(`items[${at}].type`, 'cannot be signed');
    const known = allowed.get(rrset.type);
    const isAllowed =
      known === undefined ||
      (name === zoneName && rrset.rdatas.every((rdata) => known.has(hexOf(rdata))));
    if (!isAllowed) throw wrong(`items[${at}].rdatas`, 'do not belong to the keys of the zone');
    // The keys may have changed since dns-api read them.
    const given = rrset.rdatas.map(hexOf);
    const isWhole = (needed.get(rrset.type) ?? []).every((each) => given.includes(each));
    if (!isWhole && !given.some(isDeletion)) {
      throw wrong(`items[${at}].rdatas`, 'lack the keys of the other provider');
    }
  });
}

function readName(owner: Uint8Array, path: string): string {
  try {
    const name = canonicalOwnerName(wireToName(owner));
    if (nameToWire(name).length === owner.length) return name;
  } catch {
    // The kind of syntax error does not matter.
  }
  throw wrong(path, 'is not a name');
}

const NONE: ReadonlyMap<number, never> = new Map<number, never>();

/** Returns the records allowed at the apex, for the types that describe keys. */
function ownRecords({
  zoneName,
  keys,
  foreign,
}: KeysOfZone): ReadonlyMap<number, ReadonlySet<string>> {
  const name = nameToWire(zoneName);
  const toDnskey = (key: ZoneKey) => hexOf(dnskeyToWire(key));
  const announced = [
    ...keys.filter(({ dsFrom }) => dsFrom === null),
    ...foreign.filter(isAnnouncedExternal),
  ];
  const ds = announced.map((key) => hexOf(dsToWire(name, key, DIGEST_TYPES.sha256)));
  return new Map([
    [RR_TYPE.DNSKEY, new Set([...keys, ...foreign].map(toDnskey))],
    [RR_TYPE.CDNSKEY, new Set([...announced.map(toDnskey), hexOf(CDNSKEY_DELETE)])],
    [RR_TYPE.CDS, new Set([...ds, hexOf(CDS_DELETE)])],
  ]);
}

/**
 * Returns the records that must be present if another provider has a key. Without them, data that the other provider
 * has signed would be bogus.
 */
function foreignRecords({
  zoneName,
  foreign,
}: Omit<KeysOfZone, 'keys'>): ReadonlyMap<number, readonly string[]> {
  const name = nameToWire(zoneName);
  const announced = foreign.filter(isAnnouncedExternal);
  return new Map([
    [RR_TYPE.DNSKEY, foreign.map((key) => hexOf(dnskeyToWire(key)))],
    [RR_TYPE.CDNSKEY, announced.map((key) => hexOf(dnskeyToWire(key)))],
    [RR_TYPE.CDS, announced.map((key) => hexOf(dsToWire(name, key, DIGEST_TYPES.sha256)))],
  ]);
}

const DELETIONS = [CDS_DELETE, CDNSKEY_DELETE].map(hexOf);

function isDeletion(rdata: string): boolean {
  return DELETIONS.includes(rdata);
}

function hexOf(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex');
}

function wrong(path: string, what: string): Error {
  const problem: Problem = { path, validator: 'type', message: `${path} ${what}.` };
  return invalidRequest([problem]);
}
