import { type Database, readChangedNames } from '@zonewright/database';
import { ancestorsOf, nameToWire, nextSerial } from '@zonewright/dns-records';
import type { CanonicalKey, SigningAlgorithm } from '@zonewright/dns-records/dnssec';
import { externalKeys, type KeyState, ownKeys, type SigningState } from '../rows/signing-state.js';
import {
  clearSigningRequest,
  deleteSigning,
  findParentDs,
  isApexOutdated,
  type ParentDs,
  requestResigning,
  writeNextVisit,
  writeProgress,
  writeResigning,
  writeState,
} from '../signing/dnssec-store.js';
import { deleteExternalKeys, followDesiredKeys } from '../signing/foreign-keys.js';
import { listAnnouncedKeys, listHostedBelow, listOwnerNames } from '../signing/owner-name-store.js';
import { DNSKEY_TTL_SECONDS } from '../signing/provided-rrsets.js';
import {
  keysOf,
  type ServiceChangeContext,
  applyServiceChange,
  signParent,
} from '../write/commit/service-step.js';
import { signChange, type TouchedNames } from '../signing/sign-step.js';
import {
  clearSignedNames,
  findNextRenewal,
  listKeysAfter,
  listKeysDue,
  writeSignedNames,
} from '../signing/signed-name-store.js';
import {
  findMaxTtl,
  findParentSigning,
  findSigning,
  listZoneKeys,
  lockZoneToSign,
  type ZoneSigning,
  type ZoneToSign,
} from '../signing/signing-store.js';
import { writeSerial } from '../write/commit/zone-rows.js';
import {
  activateKeys,
  announceDs,
  delayDs,
  listKey,
  noteDsGone,
  noteSigned,
  removeOldKeys,
  unlistRetiringKeys,
} from '../signing/zone-key-store.js';
import { nameOfRow } from '../signing/zone-being-signed.js';
import { checkRing, findFault, SignatureChecks } from './find-fault.js';
import {
  actionOfState,
  nextAction,
  rememberedUntil,
  renewedBy,
  type SignerAction,
  type ZoneFacts,
} from './next-action.js';

/** Dependencies of the signer's jobs. */
export interface MaintenanceContext extends ServiceChangeContext {
  /** Creates a key of a zone in the database. */
  readonly createKey: (
    trx: Database,
    key: {
      readonly zoneId: string;
      readonly algorithm: SigningAlgorithm;
      readonly state: Extract<KeyState, 'unlisted' | 'published' | 'active'>;
    },
  ) => Promise<void>;
}

/** Number of names that are first signed in one transaction. Writers to the zone wait for it. */
const NAMES_A_BATCH = 500;
/** Maximum time for which resolvers cache data, whatever its TTL (RFC 8767 s4). */
const REMEMBERED_AT_MOST_SECONDS = 604_800;

interface Held {
  readonly zone: ZoneToSign;
  readonly signing: ZoneSigning;
  readonly now: Date;
}

/**
 * Performs the next action for a zone in its own transaction.
 *
 * @returns the action; undefined if the zone is locked or does not exist
 */
export async function maintainZone(
  context: MaintenanceContext,
  zoneId: string,
): Promise<SignerAction['kind'] | undefined> {
  const { trx, clock } = context;
  const zone = await lockZoneToSign(trx, zoneId, { skip: true });
  const signing = zone && (await findSigning(trx, zoneId));
  if (zone === undefined || signing === undefined) return undefined;
  const held = { zone, signing, now: new Date(clock.now()) };
  const action = actionOfState(signing) ?? nextAction(await readFacts(trx, held));
  if (action.kind === 'wait') await writeNextVisit(trx, zoneId, action.until);
  else await ACTIONS[action.kind](context, held);
  return action.kind;
}

async function readFacts(trx: Database, { zone, signing, now }: Held): Promise<ZoneFacts> {
  const keys = await listZoneKeys(trx, zone.id);
  return {
    now,
    signing,
    keys,
    parent: await readParent(trx, zone, now),
    renewAt: await findNextRenewal(trx, zone.id),
    // It is needed only while keys change, and the query is slow.
    maxTtl: keys.every(
      ({ state, retireAt }) => state === 'active' || (state === 'foreign' && retireAt === null),
    )
      ? zone.ttl
      : await findLargestTtl(trx, zone, now),
    isApexOutdated: await isApexOutdated(trx, zone.id),
  };
}

type Action = (context: MaintenanceContext, held: Held) => Promise<void>;

const ACTIONS: Readonly<Record<Exclude<SignerAction['kind'], 'wait'>, Action>> = {
  'sign-first': signFirst,
  renew: async (context, held) => {
    const { trx } = context;
    const { zone, signing, now } = held;
    const apexName = nameToWire(zone.name);
    const keys = await listKeysDue(trx, zone.id, renewedBy(now), NAMES_A_BATCH);
    const touched = new Map(keys.map((key) => [nameOfRow({ apexName }, key), 'all' as const]));
    await step(context, held, { state: signing.state, touched });
  },
  resign: async (context, held) => {
    const { trx } = context;
    const { zone, signing, now } = held;
    const apexName = nameToWire(zone.name);
    const after = signing.resignAfter ?? '';
    const keys = await listKeysAfter(trx, zone.id, after, NAMES_A_BATCH);
    const names = keys.map((key) => nameOfRow({ apexName }, key));
    if (after === '') names.push(zone.name);
    const touched = new Map(names.map((name) => [name, 'all' as const]));
    await step(context, held, { state: signing.state, touched });
    const last = keys.length < NAMES_A_BATCH ? undefined : keys.at(-1);
    await writeResigning(trx, zone.id, { after: last ?? null, at: now });
  },
  'raise-apex': async (context, held) => {
    await stepApex(context, held);
    // NSEC may now have another TTL (RFC 9077).
    await requestResigning(context.trx, held.zone.id, held.now);
  },
  leave: (context, held) => changeState(context, held, 'leaving'),
  stay: (context, held) => changeState(context, held, 'signed'),
  'announce-ds': async (context, held) => {
    await announceDs(context.trx, held.zone.id);
    await stepApex(context, held);
    await signParent(context, held.zone.name);
  },
  'change-foreign-keys': async (context, held) => {
    const { zone, signing, now } = held;
    const keys = await listZoneKeys(context.trx, zone.id);
    const wanted = signing.foreignKeys ?? { keys: [], atOnce: false };
    await followDesiredKeys(context.trx, { zoneId: zone.id, wanted, keys, at: now });
    await stepApex(context, held);
    await signParent(context, zone.name);
  },
  'drop-foreign-keys': async (context, held) => {
    const keys = await listZoneKeys(context.trx, held.zone.id);
    const gone = externalKeys(keys).filter(({ retireAt }) => retireAt !== null);
    await deleteExternalKeys(
      context.trx,
      gone.map(({ id }) => id),
    );
    await stepApex(context, held);
  },
  'publish-key': async (context, held) => {
    await createNextKey(context, held, 'published');
    await stepApex(context, held);
  },
  'introduce-key': async (context, held) => {
    await createNextKey(context, held, 'unlisted');
    await requestResigning(context.trx, held.zone.id, held.now);
  },
  'note-signed': async ({ trx }, { zone, now }) => {
    await noteSigned(trx, zone.id, now);
  },
  'list-key': async (context, held) => {
    await listKey(context.trx, held.zone.id, held.now);
    await stepApex(context, held);
  },
  'activate-key': async (context, held) => {
    const { zone, now } = held;
    await activateKeys(context.trx, zone.id, now);
    await stepApex(context, held);
    await requestResigning(context.trx, zone.id, now);
    await signParent(context, zone.name);
  },
  'note-ds-gone': async ({ trx }, { zone, now }) => {
    await noteDsGone(trx, zone.id, now);
  },
  'remove-key': async (context, held) => {
    await removeOldKeys(context.trx, held.zone.id, held.now);
    await stepApex(context, held);
  },
  'unlist-key': async (context, held) => {
    await unlistRetiringKeys(context.trx, held.zone.id, held.now);
    await stepApex(context, held);
  },
  'drop-key': async ({ trx }, { zone, now }) => {
    await removeOldKeys(trx, zone.id, now);
    // Signatures with the key are removed.
    await requestResigning(trx, zone.id, now);
    // A transaction that has read the keys without a lock then finds another row (ADR 0044).
    await writeNextVisit(trx, zone.id, now);
  },
  'await-ds-ttl': async ({ trx }, { zone, now }) => {
    await writeState(trx, zone.id, 'unsigning', now);
  },
  unsign: async (context, { zone }) => {
    const { trx, clock } = context;
    await deleteSigning(trx, zone.id);
    await writeSerial(trx, { ...zone, serial: nextSerial(zone.serial, clock.now() / 1_000) });
    await signParent(context, zone.name);
  },
};

async function createNextKey(
  { trx, createKey }: MaintenanceContext,
  { zone, signing: { algorithm } }: Held,
  state: Extract<KeyState, 'unlisted' | 'published'>,
): Promise<void> {
  await clearSigningRequest(trx, zone.id);
  await createKey(trx, { zoneId: zone.id, algorithm, state });
}

async function changeState(
  context: MaintenanceContext,
  held: Held,
  state: Extract<SigningState, 'signed' | 'leaving'>,
): Promise<void> {
  const { trx } = context;
  const { zone, signing, now } = held;
  // A requested rollover begins when the zone is signed again.
  if (signing.wish !== 'rollover') await clearSigningRequest(trx, zone.id);
  await writeState(trx, zone.id, state, now);
  await step(context, held, { state, touched: new Map() });
  await signParent(context, zone.name);
}

/** Returns how long data of the zone may be cached, in seconds. */
async function findLargestTtl(trx: Database, zone: ZoneToSign, now: Date): Promise<number> {
  const since = new Date(now.getTime() - REMEMBERED_AT_MOST_SECONDS * 1_000);
  const ttl = Math.max(zone.ttl, DNSKEY_TTL_SECONDS, await findMaxTtl(trx, zone.id, since));
  return Math.min(ttl, REMEMBERED_AT_MOST_SECONDS);
}

async function stepApex(context: MaintenanceContext, held: Held): Promise<void> {
  const { zone, signing } = held;
  const touched = new Map([[zone.name, 'all' as const]]);
  await step(context, held, { state: signing.state, touched });
}

/**
 * Signs a changeset, reads the result back and verifies it before the commit, because a late zone is better than a
 * bogus one. The verification runs during the write.
 */
async function step(
  context: MaintenanceContext,
  { zone, now }: Held,
  { state, touched }: { readonly state: SigningState; readonly touched: TouchedNames },
): Promise<void> {
  const checks = new SignatureChecks();
  const change = { state, touched, onSigned: checks.begin };
  const { zone: stepped, keys } = await applyServiceChange(context, zone, change);
  await requireFaultless(context.trx, stepped, { state, keys, now, checks });
}

interface WrittenNames {
  readonly state: SigningState;
  readonly keys: readonly CanonicalKey[];
  readonly now: Date;
  readonly checks: SignatureChecks;
}

async function requireFaultless(
  trx: Database,
  zone: ZoneToSign,
  { state, keys, now, checks }: WrittenNames,
): Promise<void> {
  const apexName = nameToWire(zone.name);
  const names = keys.map((key) => nameOfRow({ apexName }, key));
  const fault = await findFault(trx, { zone, state }, { names, now, checks });
  if (fault !== undefined) throw new Error(`The new signatures are not valid: ${fault}.`);
}

/**
 * Signs some names of a zone that is still served unsigned. The journal contains the changes since the last batch;
 * otherwise, signing starts again. The last batch checks the whole ring and makes the zone signed, with one serial. Its
 * DS is delayed until no resolver has the unsigned zone in its cache.
 */
async function signFirst(context: MaintenanceContext, held: Held): Promise<void> {
  const { trx, signer } = context;
  const { zone, signing, now } = held;
  const { signedSerial } = signing;
  const changed =
    signedSerial === null
      ? await beginFirst(context, zone, signing)
      : await readChangedNames(trx, zone.id, signedSerial, zone.serial);
  if (changed === undefined) {
    await writeProgress(trx, zone.id, { cursor: null, signedSerial: null });
    return;
  }
  const names = await listOwnerNames(trx, zone.id, signing.cursor, NAMES_A_BATCH);
  const touched = new Map([...changed, ...names].map((name) => [name, 'all' as const]));
  const checks = new SignatureChecks();
  const toSign = { zone, state: 'signed', touched, signer, onSigned: checks.begin } as const;
  const change = await signChange(trx, toSign);
  await writeSignedNames(trx, { zoneId: zone.id, ...change });
  await requireFaultless(trx, zone, { state: 'signed', keys: keysOf(change), now, checks });
  await writeProgress(trx, zone.id, {
    cursor: names.at(-1) ?? signing.cursor,
    signedSerial: zone.serial,
  });
  if (names.length === NAMES_A_BATCH) return;
  await writeState(trx, zone.id, 'signed', now);
  const until = rememberedUntil(now, await findLargestTtl(trx, zone, now));
  await delayDs(trx, zone.id, until);
  await step(context, held, { state: 'signed', touched: new Map() });
  await checkRing(trx, zone);
  await signParent(context, zone.name);
}

/** @returns the names without records of users: those of hosted child zones */
async function beginFirst(
  { trx, createKey }: MaintenanceContext,
  zone: ZoneToSign,
  { algorithm }: ZoneSigning,
): Promise<ReadonlySet<string>> {
  await clearSignedNames(trx, zone.id);
  const keys = await listZoneKeys(trx, zone.id);
  if (ownKeys(keys).length === 0)
    await createKey(trx, { zoneId: zone.id, algorithm, state: 'active' });
  return new Set(await listHostedBelow(trx, zone.name));
}

/** Reads the DS at the parent: from the database if the parent is signed here, otherwise as last checked by dns-api. */
async function readParent(
  trx: Database,
  zone: ZoneToSign,
  now: Date,
): Promise<ParentDs | undefined> {
  const parent = await findParentSigning(trx, ancestorsOf(zone.name));
  if (parent === undefined || parent.state === 'signing') return await findParentDs(trx, zone.id);
  const state = (await findSigning(trx, zone.id))?.state;
  const keys =
    state === 'signed' ? ((await listAnnouncedKeys(trx, [zone.id])).get(zone.id) ?? []) : [];
  const shown = (await listZoneKeys(trx, zone.id)).filter((key) =>
    keys.some(({ publicKey }) => publicKey.equals(key.publicKey)),
  );
  const ds = shown.map(({ keyTag, algorithm }) => ({
    keyTag,
    algorithm,
    digestType: 2,
    digest: '',
  }));
  return { checkedAt: now, agreed: true, ds, dsTtl: DNSKEY_TTL_SECONDS };
}
