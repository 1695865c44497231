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
  /** Undefined: not checked yet. */
  readonly parent: ParentDs | undefined;
  /** When signatures are to be renewed next. */
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

/** Until a change has reached all nameservers. */
const PROPAGATION_SECONDS = 300;
/** DS TTL assumed if it is unknown. */
const UNKNOWN_DS_TTL_SECONDS = 86_400;
/** Interval between checks of the DS at the parent. */
const PARENT_SECONDS = 300;
/** Signatures that expire within this time of others are renewed together. */
const RENEWED_TOGETHER_SECONDS = 86_400;

/** Returns the action that follows from the state alone, if any. */
export function actionOfState(signing: ZoneSigning): SignerAction | undefined {
  if (signing.wish === 'unsign') return { kind: 'unsign' };
  if (signing.state === 'signing') return { kind: 'sign-first' };
  const wanted = stateToBe(signing);
  if (wanted !== signing.state) return { kind: wanted === 'leaving' ? 'leave' : 'stay' };
  return signing.resignAfter === null ? undefined : { kind: 'resign' };
}

/**
 * Returns the next action if the state requires none. Rollovers follow RFC 7583 s3.3.4 and RFC 6781 s4.1.3, those to another
 * algorithm RFC 6781 s4.1.4, and leaving RFC 8078 s4. The DS of a newly signed zone is announced before its key is replaced. Due
 * signatures come first: for any other action, the keys that sign have signed the whole zone.
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

/** Until when data that was served until now may be cached, with a largest TTL in seconds. */
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

/** Whether a key that is active has the algorithm: one of the same needs not sign the zone (RFC 4035 s2.2). */
function isReplaced(
  keys: readonly ZoneKey[],
  { algorithm }: { readonly algorithm: number },
): boolean {
  return keys.some((key) => key.state === 'active' && key.algorithm === algorithm);
}

/** The parent must have dropped the key's DS, and caches its signatures: from then on it signs no data. */
function nextOfRetiring({ now, keys, parent, maxTtl }: ZoneFacts, key: ZoneKey): SignerAction {
  const hasDs = parent?.agreed !== true || parent.ds.some(({ keyTag }) => keyTag === key.keyTag);
  if (hasDs) return { kind: 'wait', until: after(now, PARENT_SECONDS) };
  if (key.dsSeenAt === null) return { kind: 'note-ds-gone' };
  const dsTtl = parent.dsTtl ?? UNKNOWN_DS_TTL_SECONDS;
  const forgotten = after(key.dsSeenAt, Math.max(dsTtl, maxTtl) + PROPAGATION_SECONDS);
  return at(forgotten, now, isReplaced(keys, key) ? 'remove-key' : 'unlist-key');
}

/**
 * Returns the next action for a key of the other provider. Resolvers need it to validate by that provider's DS or to use data
 * that it has signed. All DS but those of our own keys are considered theirs: not all of their keys are known here.
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

/** The time from which no cache has the DNSKEY RRset of before a change. */
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
