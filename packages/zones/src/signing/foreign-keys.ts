import type { Database } from '@zonewright/database';
import {
  CSK_FLAGS,
  dnskeyFromText,
  isPublicKey,
  isSigningAlgorithm,
  keyTagOf,
  type PublicKey,
  ZSK_FLAGS,
} from '@zonewright/dns-records/dnssec';
import { externalKeys, ownKeys, type ZoneKey } from '../rows/signing-state.js';
import type { DesiredExternalKeys, ExternalKey } from './signing-store.js';

// Two providers sign one zone while it moves (RFC 8901 s2.1.2). Each has the keys of both in DNSKEY, so that resolvers
// with the DNSKEY of one can use the data of the other. DS, CDS and CDNSKEY contain the keys of both, too.

/** Maximum number of keys. The keys of two providers then fit into an answer over UDP. */
const MAX_FOREIGN_KEYS = 6;
/** Maximum length of a key in characters. */
const MAX_TEXT = 200;

/** Problem with one key of a list, or with the whole list. The message continues the name of the key or list. */
interface ForeignKeyProblem {
  readonly at: number | undefined;
  readonly message: string;
}

/** Reads the keys of another provider in the syntax of zone files. They must all have the algorithm of the zone. */
export function readExternalKeys(given: unknown): {
  readonly keys: readonly ExternalKey[];
  readonly problems: readonly ForeignKeyProblem[];
} {
  if (!Array.isArray(given) || given.length > MAX_FOREIGN_KEYS) {
    const message = `must be a list of at most ${MAX_FOREIGN_KEYS} DNSKEYs of the other provider.`;
    return { keys: [], problems: [{ at: undefined, message }] };
  }
  const keys: ExternalKey[] = [];
  const problems: ForeignKeyProblem[] = [];
  for (const [at, text] of given.entries()) {
    const key = readForeignKey(typeof text === 'string' ? text.slice(0, MAX_TEXT) : '');
    if (typeof key === 'string') problems.push({ at, message: key });
    else if (keys.some(({ keyTag }) => keyTag === key.keyTag)) {
      problems.push({ at, message: `has the same tag as another key: ${key.keyTag}.` });
    } else keys.push(key);
  }
  return { keys, problems };
}

/** Returns the key, or the problem. */
function readForeignKey(text: string): ExternalKey | string {
  const key = dnskeyFromText(text);
  if (key === undefined)
    return 'must be a DNSKEY in the format of zone files: "257 3 13 oJMRESz5E4gY...".';
  if (key.flags !== CSK_FLAGS && key.flags !== ZSK_FLAGS) return 'must have the flags 256 or 257.';
  const { algorithm } = key;
  if (!isSigningAlgorithm(algorithm)) {
    return `has the algorithm ${algorithm}; it must be 13 or 15, since both providers must sign with the same algorithm.`;
  }
  if (!isPublicKey(algorithm, key.publicKey))
    return `is not a public key of the algorithm ${algorithm}.`;
  return { ...key, algorithm, publicKey: Buffer.from(key.publicKey), keyTag: keyTagOf(key) };
}

export function isSameKey(a: PublicKey, b: PublicKey): boolean {
  return (
    a.flags === b.flags &&
    a.algorithm === b.algorithm &&
    Buffer.compare(a.publicKey, b.publicKey) === 0
  );
}

/** Whether the zone has the desired keys of another provider. Others are being removed, and remain until then. */
export function areAsDesired(
  wanted: DesiredExternalKeys | null,
  keys: readonly ZoneKey[],
): boolean {
  if (wanted === null) return true;
  const there = externalKeys(keys);
  const staying = there.filter(({ retireAt }) => retireAt === null);
  return (
    staying.length === wanted.keys.length &&
    wanted.keys.every((key) => staying.some((other) => isSameKey(key, other))) &&
    !(wanted.atOnce && there.length > staying.length)
  );
}

/** Checks the keys again before they are signed, whatever wrote them. */
function requireUsable({ keys: wanted }: DesiredExternalKeys, keys: readonly ZoneKey[]): void {
  const isUsable = ({ algorithm, flags, publicKey, keyTag }: ExternalKey) =>
    isPublicKey(algorithm, publicKey) &&
    [CSK_FLAGS, ZSK_FLAGS].includes(flags) &&
    ownKeys(keys).every((own) => own.algorithm === algorithm && own.keyTag !== keyTag);
  if (wanted.length <= MAX_FOREIGN_KEYS && wanted.every(isUsable)) return;
  throw new Error('The keys of the other provider cannot be keys of the zone.');
}

/** Gives the zone the keys that were requested. Others are removed when the parent shows no DS of them, or at once. */
export async function followDesiredKeys(
  trx: Database,
  {
    zoneId,
    wanted,
    keys,
    at,
  }: { zoneId: string; wanted: DesiredExternalKeys; keys: readonly ZoneKey[]; at: Date },
): Promise<void> {
  requireUsable(wanted, keys);
  const there = externalKeys(keys);
  const isWanted = (key: ZoneKey) => wanted.keys.some((other) => isSameKey(key, other));
  const [stay, go] = [there.filter(isWanted), there.filter((key) => !isWanted(key))];
  await retainExternalKeys(
    trx,
    stay.map(({ id }) => id),
  );
  const ids = go.map(({ id }) => id);
  if (wanted.atOnce) await deleteExternalKeys(trx, ids);
  else await retireExternalKeys(trx, ids, at);
  for (const key of wanted.keys) {
    if (!stay.some((other) => isSameKey(key, other))) await insertExternalKey(trx, zoneId, key, at);
  }
}

/** Writes the keys of another provider that a zone should have. The signer reads them at once. */
export async function writeDesiredExternalKeys(
  trx: Database,
  zoneId: string,
  { keys, atOnce }: DesiredExternalKeys,
  at: Date,
): Promise<void> {
  const wanted = {
    keys: keys.map(({ flags, algorithm, publicKey }) => ({
      ...{ flags, algorithm },
      publicKey: publicKey.toString('base64'),
    })),
    atOnce,
  };
  await trx.raw(
    `update dns.zone_dnssec as z set foreign_keys = cast(? as jsonb), next_resign_at = ? where z.domain_id = ?`,
    [JSON.stringify(wanted), at, zoneId],
  );
}

async function insertExternalKey(
  trx: Database,
  zoneId: string,
  { algorithm, flags, keyTag, publicKey }: ExternalKey,
  at: Date,
): Promise<void> {
  await trx.raw(
    `insert into dns.zone_keys (domain_id, algorithm, flags, key_tag, public_key, state, published_at)
     values (?, ?, ?, ?, ?, 'foreign', ?)`,
    [zoneId, algorithm, flags, keyTag, publicKey, at],
  );
}

/** Keeps keys that were about to be removed. */
async function retainExternalKeys(trx: Database, ids: readonly string[]): Promise<void> {
  await trx.raw(
    'update dns.zone_keys as k set retire_at = null, ds_seen_at = null where k.id = any(?::uuid[])',
    [[...ids]],
  );
}

/** Removes keys as soon as the parent's DS allow it. */
async function retireExternalKeys(trx: Database, ids: readonly string[], at: Date): Promise<void> {
  await trx.raw(
    'update dns.zone_keys as k set retire_at = ? where k.id = any(?::uuid[]) and k.retire_at is null',
    [at, [...ids]],
  );
}

export async function deleteExternalKeys(trx: Database, ids: readonly string[]): Promise<void> {
  await trx.raw(
    `delete from dns.zone_keys as k where k.id = any(?::uuid[]) and k.state = 'foreign'`,
    [[...ids]],
  );
}
