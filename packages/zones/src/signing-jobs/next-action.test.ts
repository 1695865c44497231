import { describe, expect, it } from '@jest/globals';
import { SIGNING_ALGORITHMS } from '@zonewright/dns-records/dnssec';
import type { RequestedSigning, ZoneKey } from '../rows/signing-state.js';
import { actionOfState, nextAction, type ZoneFacts } from './next-action.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const LONG_AGO = new Date('2025-01-01T00:00:00Z');
const { ecdsaP256, ed25519 } = SIGNING_ALGORITHMS;

const key = (more: Partial<ZoneKey> = {}): ZoneKey => ({
  ...{ id: '1', algorithm: ecdsaP256, flags: 257, keyTag: 1, publicKey: Buffer.alloc(0) },
  ...{ state: 'active', publishedAt: LONG_AGO, activeAt: LONG_AGO, dsSeenAt: null },
  ...{ retireAt: null, removedAt: null, dsFrom: null, ...more },
});

function facts(
  {
    wish = null,
    algorithm = ecdsaP256,
  }: { wish?: RequestedSigning | null; algorithm?: 13 | 15 } = {},
  more: Partial<ZoneFacts> = {},
): ZoneFacts {
  return {
    ...{ now: NOW, keys: [key()], parent: undefined, renewAt: undefined, maxTtl: 300 },
    isApexOutdated: false,
    signing: {
      ...{ state: 'signed', wish, algorithm, cursor: null, signedSerial: 1, changedAt: LONG_AGO },
      foreignKeys: null,
      resignAfter: null,
    },
    ...more,
  };
}

describe('what the signer does next with a signed zone', () => {
  it.each<[string, ZoneFacts, string]>([
    ['nothing', facts(), 'wait'],
    ['replaces the key that is to be replaced', facts({ wish: 'rollover' }), 'publish-key'],
    [
      'introduces a key of another algorithm',
      facts({ wish: 'rollover', algorithm: ed25519 }),
      'introduce-key',
    ],
    [
      'does so, too, if a later request took the place of that one',
      facts({ algorithm: ed25519 }),
      'introduce-key',
    ],
    ['renews signatures first', facts({ wish: 'rollover' }, { renewAt: NOW }), 'renew'],
    [
      'signs what the service provides',
      facts({ wish: 'rollover' }, { isApexOutdated: true }),
      'raise-apex',
    ],
    [
      'announces the DS before a rollover',
      facts({ wish: 'rollover' }, { keys: [key({ dsFrom: NOW })] }),
      'announce-ds',
    ],
    [
      'ends one rollover before the next begins',
      facts(
        { wish: 'rollover' },
        { keys: [key(), key({ id: '2', keyTag: 2, state: 'published' })] },
      ),
      'activate-key',
    ],
  ])('%s', (_, given, kind) => {
    expect(nextAction(given).kind).toBe(kind);
  });

  it.each<[string, Partial<ZoneFacts['signing']>, string | undefined]>([
    ['all names are signed again before anything else', { wish: 'rollover' }, 'resign'],
    ['a first signing begins again in any case', { state: 'signing' }, 'sign-first'],
    ['the domain leaves at once', { wish: 'leave' }, 'leave'],
    ['the domain is unsigned at once', { wish: 'unsign' }, 'unsign'],
    ['the domain continues to leave', { state: 'leaving' }, 'resign'],
    ['nothing is to be signed again', { resignAfter: null }, undefined],
  ])('%s', (_, signing, kind) => {
    const given = { ...facts().signing, resignAfter: '', ...signing };
    expect(actionOfState(given)?.kind).toBe(kind);
  });
});
