import type { ParentDs } from '../signing/dnssec-store.js';
import { DNSKEY_TTL_SECONDS } from '../signing/provided-rrsets.js';
import type { ZoneSigning } from '../signing/signing-store.js';
import { areAsDesired } from '../signing/foreign-keys.js';
import { externalKeys, ownKeys, stateToBe, type ZoneKey } from '../rows/signing-state.js';

/** Everything that determines the signer's next action for a zone. */
export interface ZoneFacts {
  readonly now: Date;
  readonly signing: ZoneSigning;
  readonly keys: readonly ZoneKey[];
  /** Undefined if it has not been checked. */
  readonly parent: ParentDs | undefined;
  /** Time of the next renewal of signatures. */
  readonly renewAt: Date | undefined;
  /** The largest TTL of the zone, in seconds. */
  readonly maxTtl: number;
  readonly isApexOutdated: boolean;
}

export type SignerAction =
  | { readonly kind: 'sign-first' | 'resign' | 'renew' | 'raise-apex' | 'unsign' | 'await-ds-ttl' }
  | {
      readonly kind: 'leave' | 'stay' | 'announce-ds' | 'change-foreign-keys' | 'drop-foreign-keys';
    }
  | { readonly kind: 'publish-key' | 'activate-key' | 'note-ds-gone' | 'remove-key' }
  | { readonly kind: 'introduce-key' | 'note-signed' | 'list-key' | 'unlist-key' | 'drop-key' }
  | { readonly kind: 'wait'; readonly until: Date };

/** Time until a change has reached all nameservers, in seconds. */
const PROPAGATION_SECONDS = 300;
/** DS TTL that is assumed if it is unknown, in seconds. */
const UNKNOWN_DS_TTL_SECONDS = 86_400;
/** Interval of DS checks at the parent, in seconds. */
const PARENT_SECONDS = 300;
/** Signatures that expire within this time of others are renewed together, in seconds. */
const RENEWED_TOGETHER_SECONDS = 86_400;

/** Returns the action that follows from the state alone, if there is one. */
export function actionOfState(signing: ZoneSigning): SignerAction | undefined {
  if (signing.wish === 'unsign') return { kind: 'unsign' };
  if (signing.state === 'signing') return { kind: 'sign-first' };
  const wanted = stateToBe(signing);
  if (wanted !== signing.state) return { kind: wanted === 'leaving' ? 'leave' : 'stay' };
  return signing.resignAfter === null ? undefined : { kind: 'resign' };
}

/**
 * Returns the next action if the state requires none. Rollovers follow RFC 7583 s3.3.4 and RFC 6781 s4.1.3, changes of
 * the algorithm RFC 6781 s4.1.4, and leaving RFC 8078 s4. The DS of a newly signed zone is announced before its key is
 * replaced. Due signatures come first, because any other action requires that the current keys have signed the whole
 * zone.
 */
export function nextAction(facts: ZoneFacts): SignerAction {
  const { signing, now, renewAt } = facts;
  if (renewAt !== undefined && renewAt <= now) return { kind: 'renew' };
  if (facts.isApexOutdated) return { kind: 'raise-apex' };
  const action =
    signing.state === 'signed' ? nextOfRollover(facts) : nextOfLeaving(facts, signing.changedAt);
  if (action.kind !== 'wait') return action;
  return { kind: 'wait', until: earlier(action.until, renewAt) };
}

/** Returns the time until which data that was served until now may be cached, given the largest TTL in seconds. */
export function rememberedUntil(now: Date, maxTtl: number): Date {
  return after(now, maxTtl + PROPAGATION_SECONDS);
}

/** Returns the time up to which signatures are renewed along with those that are due. */
export function renewedBy(now: Date): Date {
  return after(now, RENEWED_TOGETHER_SECONDS);
}

function nextOfRollover(facts: ZoneFacts): SignerAction {
  const { now, signing, keys } = facts;
  if (!areAsDesired(signing.foreignKeys, keys)) return { kind: 'change-foreign-keys' };
  const [heldBack] = keys.flatMap(({ dsFrom }) => dsFrom ?? []);
  if (heldBack !== undefined) return at(heldBack, now, 'announce-ds');
  const [changing] = ownKeys(keys).filter(({ state }) => state !== 'active');
  if (changing !== undefined) return nextOfKey(facts, changing);
  const [leaving] = externalKeys(keys).filter(({ retireAt }) => retireAt !== null);
  if (leaving !== undefined) return nextOfForeign(facts, leaving);
  if (!isReplaced(keys, signing)) return { kind: 'introduce-key' };
  if (signing.wish === 'rollover') return { kind: 'publish-key' };
  return { kind: 'wait', until: after(now, RENEWED_TOGETHER_SECONDS) };
}

function nextOfKey(facts: ZoneFacts, key: ZoneKey): SignerAction {
  const { now, maxTtl } = facts;
  if (key.state === 'published') return at(knownEverywhereAt(key.publishedAt), now, 'activate-key');
  if (key.state === 'retiring') return nextOfRetiring(facts, key);
  if (key.removedAt !== null) return at(knownEverywhereAt(key.removedAt), now, 'drop-key');
  if (key.activeAt === null) return { kind: 'note-signed' };
  return at(rememberedUntil(key.activeAt, maxTtl), now, 'list-key');
}

/**
 * Whether an active key has the algorithm. Another key with the same algorithm need not sign the zone then (RFC 4035
 * s2.2).
 */
function isReplaced(
  keys: readonly ZoneKey[],
  { algorithm }: { readonly algorithm: number },
): boolean {
  return keys.some((key) => key.state === 'active' && key.algorithm === algorithm);
}

/**
 * Returns the next action for a retiring key. The parent must have removed the DS of the key, and caches must have lost
 * its signatures. Then it signs no more data.
 */
function nextOfRetiring({ now, keys, parent, maxTtl }: ZoneFacts, key: ZoneKey): SignerAction {
  const hasDs = parent?.agreed !== true || parent.ds.some(({ keyTag }) => keyTag === key.keyTag);
  if (hasDs) return { kind: 'wait', until: after(now, PARENT_SECONDS) };
  if (key.dsSeenAt === null) return { kind: 'note-ds-gone' };
  const dsTtl = parent.dsTtl ?? UNKNOWN_DS_TTL_SECONDS;
  const forgotten = after(key.dsSeenAt, Math.max(dsTtl, maxTtl) + PROPAGATION_SECONDS);
  return at(forgotten, now, isReplaced(keys, key) ? 'remove-key' : 'unlist-key');
}

/**
 * Returns the next action for a key of the other provider. Resolvers need it to validate by that provider's DS or to
 * use data that it has signed. Every DS that does not belong to a key of this service counts as theirs, since not all
 * of their keys are known here.
 */
function nextOfForeign({ now, keys, parent, maxTtl }: ZoneFacts, key: ZoneKey): SignerAction {
  const own = ownKeys(keys).map(({ keyTag }) => keyTag);
  const isGone =
    parent?.agreed === true &&
    parent.checkedAt >= (key.retireAt ?? now) &&
    parent.ds.every(({ keyTag }) => own.includes(keyTag));
  if (!isGone) return { kind: 'wait', until: after(now, PARENT_SECONDS) };
  if (key.dsSeenAt === null) return { kind: 'note-ds-gone' };
  const dsTtl = parent.dsTtl ?? UNKNOWN_DS_TTL_SECONDS;
  const forgotten = after(key.dsSeenAt, Math.max(dsTtl, maxTtl) + PROPAGATION_SECONDS);
  return at(forgotten, now, 'drop-foreign-keys');
}

function nextOfLeaving({ now, signing, parent }: ZoneFacts, since: Date): SignerAction {
  const isGone = parent?.agreed === true && parent.ds.length === 0 && parent.checkedAt >= since;
  if (signing.state === 'leaving') {
    return isGone ? { kind: 'await-ds-ttl' } : { kind: 'wait', until: after(now, PARENT_SECONDS) };
  }
  const dsTtl = parent?.dsTtl ?? UNKNOWN_DS_TTL_SECONDS;
  return at(after(since, dsTtl + PROPAGATION_SECONDS), now, 'unsign');
}

/** Returns the time from which no cache has the DNSKEY RRset from before a change. */
function knownEverywhereAt(changedAt: Date): Date {
  return after(changedAt, DNSKEY_TTL_SECONDS + PROPAGATION_SECONDS);
}

function at(time: Date, now: Date, kind: Exclude<SignerAction['kind'], 'wait'>): SignerAction {
  return time <= now ? { kind } : { kind: 'wait', until: time };
}

function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1_000);
}

function earlier(a: Date, b: Date | undefined): Date {
  return b !== undefined && b < a ? b : a;
}
