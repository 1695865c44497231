import type { ParentDs } from '../signing/dnssec-store.js';
import { DNSKEY_TTL_SECONDS } from '../signing/provided-rrsets.js';
import type { ZoneSigning } from '../signing/signing-store.js';
import type { ZoneKey } from '../rows/signing-state.js';

/** All that decides what the signer does next with a zone. */
export interface ZoneFacts {
  readonly now: Date;
  readonly signing: ZoneSigning;
  readonly keys: readonly ZoneKey[];
  /** Undefined: nobody has looked. */
  readonly parent: ParentDs | undefined;
  /** When signatures are to be renewed next. */
  readonly renewAt: Date | undefined;
  /** The largest TTL of the zone, in seconds. */
  readonly maxTtl: number;
  readonly isApexOutdated: boolean;
}

export type SignerAction =
  | { readonly kind: 'sign-first' | 'renew' | 'raise-apex' | 'unsign' | 'await-ds-ttl' }
  | { readonly kind: 'publish-key' | 'activate-key' | 'note-ds-gone' | 'remove-key' }
  | { readonly kind: 'wait'; readonly until: Date };

/** Until a change has reached all nameservers. */
const PROPAGATION_SECONDS = 300;
/** Where nobody knows how long a DS is remembered. */
const UNKNOWN_DS_TTL_SECONDS = 86_400;
/** How often it is looked for what the parent shows. */
const PARENT_SECONDS = 300;
/** Signatures whose end comes a little later are renewed with the others. */
const RENEWED_TOGETHER_SECONDS = 86_400;

/** What is to be done now (RFC 7583 s3.3.4, RFC 6781 s4.1.3 for a rollover; RFC 8078 s4 for leaving). */
export function nextAction(facts: ZoneFacts): SignerAction {
  const { signing, now, renewAt } = facts;
  if (signing.wish === 'unsign') return { kind: 'unsign' };
  if (signing.state === 'signing') return { kind: 'sign-first' };
  if (renewAt !== undefined && renewAt <= now) return { kind: 'renew' };
  if (facts.isApexOutdated) return { kind: 'raise-apex' };
  const action =
    signing.state === 'signed' ? nextOfRollover(facts) : nextOfLeaving(facts, signing.changedAt);
  if (action.kind !== 'wait') return action;
  return { kind: 'wait', until: earlier(action.until, renewAt) };
}

/** Which signatures are renewed along with those that are due. */
export function renewedBy(now: Date): Date {
  return after(now, RENEWED_TOGETHER_SECONDS);
}

function nextOfRollover({ now, signing, keys, parent, maxTtl }: ZoneFacts): SignerAction {
  const published = keys.find(({ state }) => state === 'published');
  if (published !== undefined) {
    return at(publishedEverywhereAt(published), now, 'activate-key');
  }
  const retiring = keys.find(({ state }) => state === 'retiring');
  if (retiring !== undefined) return nextOfRetiring({ now, parent, maxTtl }, retiring);
  if (signing.wish === 'rollover') return { kind: 'publish-key' };
  return { kind: 'wait', until: after(now, RENEWED_TOGETHER_SECONDS) };
}

/** The parent must have forgotten the key, and resolvers what the key has signed. */
function nextOfRetiring(
  { now, parent, maxTtl }: Pick<ZoneFacts, 'now' | 'parent' | 'maxTtl'>,
  key: ZoneKey,
): SignerAction {
  const hasDs = parent?.agreed !== true || parent.ds.some(({ keyTag }) => keyTag === key.keyTag);
  if (hasDs) return { kind: 'wait', until: after(now, PARENT_SECONDS) };
  if (key.dsSeenAt === null) return { kind: 'note-ds-gone' };
  const dsTtl = parent.dsTtl ?? UNKNOWN_DS_TTL_SECONDS;
  const dsForgotten = after(key.dsSeenAt, dsTtl + PROPAGATION_SECONDS);
  const signaturesForgotten = after(key.retireAt ?? now, maxTtl + PROPAGATION_SECONDS);
  return at(later(dsForgotten, signaturesForgotten), now, 'remove-key');
}

function nextOfLeaving({ now, signing, parent }: ZoneFacts, since: Date): SignerAction {
  const isGone = parent?.agreed === true && parent.ds.length === 0 && parent.checkedAt >= since;
  if (signing.state === 'leaving') {
    return isGone ? { kind: 'await-ds-ttl' } : { kind: 'wait', until: after(now, PARENT_SECONDS) };
  }
  const dsTtl = parent?.dsTtl ?? UNKNOWN_DS_TTL_SECONDS;
  return at(after(since, dsTtl + PROPAGATION_SECONDS), now, 'unsign');
}

function publishedEverywhereAt({ publishedAt }: ZoneKey): Date {
  return after(publishedAt, DNSKEY_TTL_SECONDS + PROPAGATION_SECONDS);
}

function at(time: Date, now: Date, kind: 'activate-key' | 'remove-key' | 'unsign'): SignerAction {
  return time <= now ? { kind } : { kind: 'wait', until: time };
}

function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1_000);
}

function earlier(a: Date, b: Date | undefined): Date {
  return b !== undefined && b < a ? b : a;
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}
