import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import {
  sendQuery,
  type NameserverAddress,
  ValidatingResolver,
  waitFor,
} from '@zonewright/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { authenticate, insist } from './support/clients.js';
import { DelegationRelay } from './support/delegation-relay.js';
import { itWithAll } from './support/foreign-programs.js';
import { OTHER_PROVIDER_PROGRAMS, OtherProvider } from './support/other-provider.js';
import { RunningPlatform } from './support/running-platform.js';

const PARENT = 'parent.example.';
const ZONE = `moving.${PARENT}`;
const NAMES = 60;
const DEADLINE_MS = 60_000;
/** All TTLs at the other provider, including that of DS. */
const TTL_MS = 1_000;

const itMoved = itWithAll(['unbound', ...OTHER_PROVIDER_PROGRAMS]);

/**
 * Names that are the same at both providers, as after an import. None is queried twice, so that the answering provider
 * can be counted.
 */
const HOSTS = Array.from({ length: NAMES }, (_, at) => `h${at}`);

describe('RFC 8901: a signed domain moves from another provider to here, and back', () => {
  let platform: RunningPlatform;
  let provider: OtherProvider;
  let relay: DelegationRelay;
  let token: string;
  let id: string;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start({});
    token = await authenticate(await platform.readDemoEnvironment());
    const glue = 'ns A 192.0.2.53';
    provider = await OtherProvider.start({ [PARENT]: [glue], [ZONE]: [glue] });
    relay = await DelegationRelay.start();
  }, 150_000);
  afterAll(async () => {
    await remembering?.stop();
    relay.stop();
    await provider.stop();
    await platform.remove();
  });

  async function api(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
    const url = `http://127.0.0.1:${platform.ports.dns}/v1/domains${path}`;
    const answer = await insist(url, { method, token, body });
    expect({ path, isDone: answer.status < 300 || answer }).toEqual({ path, isDone: true });
    return answer.body as Record<string, unknown>;
  }

  /** Writes the zone with a unique record, so that the answering provider is known. */
  const serveThere = (keys: readonly string[]) =>
    provider.write(ZONE, [
      'ns A 192.0.2.53',
      ...HOSTS.map((host) => `${host} A 192.0.2.2`),
      ...keys.map((key) => `@ DNSKEY ${key}`),
    ]);

  /** Sets the DS at the parent, and waits a TTL until all caches have expired. */
  async function showDs(ds: readonly string[]): Promise<void> {
    const delegation = ['ns A 192.0.2.53', `${ZONE} NS ns.${ZONE}`, `ns.${ZONE} A 192.0.2.53`];
    await provider.write(PARENT, [...delegation, ...ds.map((each) => `${ZONE} DS ${each}`)]);
  }

  const startResolver = () =>
    ValidatingResolver.start(relay.address, {
      zones: [ZONE],
      others: [{ zone: PARENT, nameserver: provider.address }],
      anchors: [`${PARENT} DS ${provider.dsOf(PARENT)}`],
    });

  const fresh = [...HOSTS];
  let remembering: ValidatingResolver | undefined;

  /**
   * Expects that all answers are secure, with a resolver that has everything in its cache, if it still runs, and with a
   * new one. @returns the answering providers
   */
  async function expectSecure(step: string): Promise<Set<string>> {
    if (remembering === undefined) throw new Error('Nobody remembers anything.');
    const newcomer = await startResolver();
    const seen = new Set<string>();
    try {
      for (const [who, { address }] of Object.entries({ newcomer, remembering })) {
        const last = { host: address.host, port: address.port };
        for (const host of fresh.splice(0, 2))
          seen.add(await expectName({ step, who, host }, last));
        const missing = await sendQuery(
          last,
          `no-${step.replaceAll(' ', '-')}.${ZONE}`,
          'A',
          VALIDATED,
        );
        const { rcode, isAuthentic } = missing;
        expect({ step, who, rcode, isAuthentic }).toEqual({
          ...{ step, who },
          ...{ rcode: 'NXDOMAIN', isAuthentic: true },
        });
      }
    } finally {
      await newcomer.stop();
    }
    return seen;
  }

  async function expectName(
    about: { readonly step: string; readonly who: string; readonly host: string },
    at: NameserverAddress,
  ) {
    const said = await sendQuery(at, `${about.host}.${ZONE}`, 'A', VALIDATED);
    const { rcode, isAuthentic } = said;
    expect({ ...about, rcode, isAuthentic }).toEqual({
      ...about,
      ...{ rcode: 'NOERROR', isAuthentic: true },
    });
    const [answer] = said.answers.filter(({ type }) => type === 'A');
    return String((answer as { data?: unknown } | undefined)?.data);
  }

  const VALIDATED = { isValidated: true, timeoutMs: 10_000 };
  const HERE = '192.0.2.1';
  const THERE = '192.0.2.2';

  itMoved(
    'is secure at each step, for who remembers the one before and for who knows nothing',
    async () => {
      const foreign = provider.dnskeyOf(ZONE);
      const foreignDs = provider.dsOf(ZONE);
      await serveThere([]);
      await showDs([foreignDs]);
      relay.targets = [provider.address];
      remembering = await startResolver();
      expect(await expectSecure('there alone')).toEqual(new Set([THERE]));

      // Here, with the keys of both providers from the beginning.
      ({ id } = (await api('POST', '', { name: ZONE, email: 'hostmaster@example.com' })) as {
        id: string;
      });
      for (const host of HOSTS) {
        const record = { name: `${host}.${ZONE}`, type: 'A', data: HERE, ttl: 1 };
        await api('POST', `/${id}/records`, record);
      }
      await api('PUT', `/${id}/dnssec`, { enabled: true, foreign_keys: [foreign] });
      const shown = await waitFor(async () => {
        const body = await api('GET', `/${id}/dnssec`);
        const [key] = body['foreign_keys'] as { state: string }[];
        return body['state'] === 'signed' && key?.state === 'published' && body;
      }, DEADLINE_MS);
      const [own = ''] = shown['dnskey'] as string[];
      const [ownDs = ''] = shown['ds'] as string[];
      await awaitKeys(2);
      await serveThere([own]);
      expect(await expectSecure('keys of both')).toEqual(new Set([THERE]));
      await delay(TTL_MS);
      await showDs([foreignDs, ownDs]);
      expect(await expectSecure('DS of both')).toEqual(new Set([THERE]));
      await delay(TTL_MS);
      relay.targets = [provider.address, platform.nameserver];
      await expectSecure('nameservers of both');
      await expectSecure('nameservers of both again');
      relay.targets = [platform.nameserver];
      expect(await expectSecure('here')).toEqual(new Set([HERE]));
      await showDs([ownDs]);
      await delay(TTL_MS);
      await api('PUT', `/${id}/dnssec?force=true`, { enabled: true, foreign_keys: [] });
      await awaitKeys(1);
      expect(await expectSecure('here alone')).toEqual(new Set([HERE]));

      // Move back.
      await api('PUT', `/${id}/dnssec`, { enabled: true, foreign_keys: [foreign] });
      await awaitKeys(2);
      expect(await expectSecure('keys of both once more')).toEqual(new Set([HERE]));
      // A resolver caches the DNSKEY of this service for its TTL, an hour. A new one simulates that this has passed.
      await remembering.stop();
      remembering = await startResolver();
      await expectSecure('an hour later');
      await showDs([ownDs, foreignDs]);
      expect(await expectSecure('DS of both once more')).toEqual(new Set([HERE]));
      await delay(TTL_MS);
      relay.targets = [platform.nameserver, provider.address];
      await expectSecure('back to both');
      relay.targets = [provider.address];
      expect(await expectSecure('back there')).toEqual(new Set([THERE]));
      await showDs([foreignDs]);
      await delay(TTL_MS);
      await serveThere([]);
      expect(await expectSecure('back there alone')).toEqual(new Set([THERE]));
    },
    DEADLINE_MS * 6,
  );

  /** Waits until the nameserver of this service answers with this number of keys. */
  async function awaitKeys(count: number): Promise<void> {
    await waitFor(async () => {
      const { answers } = await sendQuery(platform.nameserver, ZONE, 'DNSKEY');
      return answers.filter(({ type }) => type === 'DNSKEY').length === count;
    }, DEADLINE_MS);
  }
});
