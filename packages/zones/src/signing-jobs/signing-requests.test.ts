import { describe, expect, it } from '@jest/globals';
import { SIGNING_ALGORITHMS } from '@zonewright/dns-records/dnssec';
import { type SigningRequest, requestAfter } from '../signing/change-dnssec.js';
import {
  type SigningState,
  type RequestedSigning,
  stateToBe,
  type ZoneKey,
} from '../rows/signing-state.js';
import type { ZoneSigning } from '../signing/signing-store.js';
import { actionOfState, nextAction } from './next-action.js';

type Signing = { readonly state: SigningState; readonly wish: RequestedSigning | null } | undefined;

const STATES: readonly SigningState[] = ['signing', 'signed', 'leaving', 'unsigning'];
const WISHES: readonly (RequestedSigning | null)[] = [null, 'rollover', 'unsign', 'leave', 'stay'];
const REQUESTS: readonly SigningRequest[] = ['sign', 'leave', 'unsign'];
const EVERYTHING = STATES.flatMap((state) => WISHES.map((wish) => ({ state, wish })));

const NOW = new Date('2026-01-01T00:00:00Z');
const LONG_AGO = new Date('2025-01-01T00:00:00Z');
const ACTIVE_KEY: ZoneKey = {
  ...{ id: '1', algorithm: SIGNING_ALGORITHMS.ecdsaP256, flags: 257, keyTag: 1 },
  ...{ publicKey: Buffer.alloc(0), state: 'active', publishedAt: LONG_AGO, activeAt: LONG_AGO },
  ...{ dsSeenAt: null, retireAt: null, removedAt: null, dsFrom: null },
};

/** Applies a request as dns-api stores it. */
function ask(signing: Signing, request: SigningRequest): Signing {
  if (signing === undefined) return request === 'sign' ? { state: 'signing', wish: null } : signing;
  return { ...signing, wish: requestAfter(signing, request) };
}

/** The signer's next action if the parent shows no DS. */
function nextOf({ state, wish }: NonNullable<Signing>): string {
  const signing: ZoneSigning = {
    ...{ state, wish, algorithm: SIGNING_ALGORITHMS.ecdsaP256, cursor: null, signedSerial: 1 },
    ...{ changedAt: LONG_AGO, foreignKeys: null, resignAfter: null },
  };
  const facts = {
    ...{ now: NOW, signing, keys: [ACTIVE_KEY], maxTtl: 300, isApexOutdated: false },
    ...{ parent: { checkedAt: NOW, agreed: true, ds: [], dsTtl: 300 }, renewAt: undefined },
  };
  return (actionOfState(signing) ?? nextAction(facts)).kind;
}

/** One step of the signer, as maintainZone stores it. */
function step(signing: Signing): Signing {
  if (signing === undefined) return undefined;
  switch (nextOf(signing)) {
    case 'unsign':
      return undefined;
    case 'sign-first':
      return { ...signing, state: 'signed' };
    case 'leave':
      return { state: 'leaving', wish: null };
    case 'stay':
      return { state: 'signed', wish: signing.wish === 'rollover' ? 'rollover' : null };
    case 'await-ds-ttl':
      return { ...signing, state: 'unsigning' };
    case 'publish-key':
      return { ...signing, wish: null };
    default:
      return signing;
  }
}

function settle(signing: Signing): Signing {
  const next = step(signing);
  return next === signing ? signing : settle(next);
}

/** All interleavings of some requests with steps of the signer. */
function* orders(requests: readonly SigningRequest[], steps: number): Generator<readonly string[]> {
  if (requests.length === 0 && steps === 0) yield [];
  const [first, ...others] = requests;
  if (first !== undefined) for (const rest of orders(others, steps)) yield [first, ...rest];
  if (steps > 0) for (const rest of orders(requests, steps - 1)) yield ['step', ...rest];
}

function follow(start: Signing, order: readonly string[]): Signing {
  return order.reduce(
    (signing, what) => (what === 'step' ? step(signing) : ask(signing, what as SigningRequest)),
    start,
  );
}

describe('requests to have a domain signed or unsigned', () => {
  const sequences = REQUESTS.flatMap((first) =>
    REQUESTS.flatMap((second) => REQUESTS.map((third) => [first, second, third])),
  );

  it.each([undefined, ...EVERYTHING].map((start) => ({ start })))(
    'the last request wins, from $start, whenever the signer works',
    ({ start }) => {
      const wrong = sequences.flatMap((sequence) => {
        const end = sequence.at(-1) === 'sign' ? 'signed' : undefined;
        return [...orders(sequence, 3)].filter(
          (order) => settle(follow(start, order))?.state !== end,
        );
      });
      expect(wrong).toEqual([]);
    },
  );

  it.each(EVERYTHING)(
    '$state with the request $wish: the response to a request shows its effect',
    (start) => {
      expect(['signed', 'signing']).toContain(stateToBe(ask(start, 'sign')!));
      expect(['leaving', 'unsigning']).toContain(stateToBe(ask(start, 'leave')!));
      expect(stateToBe(ask(start, 'unsign')!)).toBe('unsigning');
    },
  );

  it.each(EVERYTHING)(
    '$state with the request $wish: the same request again changes nothing',
    (start) => {
      for (const request of REQUESTS) {
        const once = ask(start, request);
        expect(ask(once, request)).toEqual(once);
      }
    },
  );

  it('a domain that was signed never becomes unsigned at once, unless that is the last request', () => {
    expect(ask({ state: 'signed', wish: 'unsign' }, 'leave')).toEqual({
      state: 'signed',
      wish: 'leave',
    });
  });

  it('a requested rollover continues when signing is requested', () => {
    expect(ask({ state: 'signed', wish: 'rollover' }, 'sign')?.wish).toBe('rollover');
  });

  it('a rollover that is requested while the zone returns to signed follows afterwards', () => {
    const asked = { state: 'leaving', wish: 'rollover' } as const;
    expect(nextOf(asked)).toBe('stay');
    expect(nextOf(step(asked) ?? asked)).toBe('publish-key');
    expect(ask(asked, 'leave')?.wish).toBeNull();
  });
});
