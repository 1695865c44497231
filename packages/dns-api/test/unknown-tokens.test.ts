import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import { DnsApiService } from '@zonewright/dns-api';
import { useTestDatabase } from '@zonewright/testkit';
import request from 'supertest';
import { ScriptedIdentity, VALID } from './support/scripted-identity.js';
import { testSettings } from './support/use-api.js';

const FLOODING = '192.0.2.1';
const OTHER = '198.51.100.1';
/** More requests than the service processes and queues. */
const AT_A_TIME = 400;

describe('Tokens that are not valid (docs/design/threat-model.md, Somebody on the network)', () => {
  const database = useTestDatabase();
  const identity = new ScriptedIdentity();
  let service: DnsApiService;
  let url = '';

  beforeAll(async () => {
    const settings = testSettings(database.urlAs(DATABASE_ROLES.dnsApi), {
      IDENTITY_URL: await identity.start(),
      TRUST_PROXY: '1',
    });
    service = DnsApiService.create(settings);
    url = (await service.start())['http'] ?? '';
    // A first request takes longer, which must not count against the time limit of a validation.
    identity.answer = () => Promise.resolve({ status: 404, body: {} });
    await ask('first', OTHER);
  });
  afterAll(async () => {
    await service.stop();
    await identity.stop();
  });

  const ask = (token: string, source: string) =>
    request(url).get('/v1/limits').set({ 'X-Auth-Token': token, 'X-Forwarded-For': source });

  it('very many from one source do not block other sources', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    identity.answer = async (token) => {
      if (token === 'good') return { status: 200, body: VALID };
      await held;
      return { status: 404, body: {} };
    };
    const flood = Array.from({ length: AT_A_TIME }, (_, at) => ask(`bad-${at}`, FLOODING));
    const answers = Promise.all(flood);
    // The first requests are refused while others wait, and the rest are in progress at the identity service.
    expect((await Promise.race(flood)).status).toBe(503);
    expect((await ask('good', OTHER)).status).toBe(200);
    release();
    const statuses = new Set((await answers).map(({ status }) => status));
    expect([...statuses].toSorted()).toEqual([401, 503]);
  });
});
