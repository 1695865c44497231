import { describe, expect, it } from '@jest/globals';
import { exchangeTcp, exchangeUdp } from '@zonewright/testkit';
import { decodeMessage } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import {
  readMetric,
  type RunningNameserver,
  startNameserver,
} from './support/running-nameserver.js';

/** The database is not reachable, so the server answers SERVFAIL with valid cookies. */
const WITHOUT_DATABASE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
const OLD_SECRET = 'e5e973e5a6b2a43f48e7dc849e37bfcf';
const NEW_SECRET = '445536bcd2513298075a5d379663c962';
const COOKIE = 10;
const CLIENT_COOKIE = Buffer.from('2464c4abcf10c957', 'hex');

/** Starts a server; an empty setting counts as unset. */
const startWith = (secrets: string) =>
  startNameserver({ ...WITHOUT_DATABASE, NAMESERVER_COOKIE_SECRETS: secrets });

async function exchangeCookie(
  server: RunningNameserver,
  transport: string,
  data: Uint8Array,
): Promise<Uint8Array> {
  const edns = { options: [{ code: COOKIE, data }] };
  const exchange = transport === 'udp' ? exchangeUdp : exchangeTcp;
  const answer = await exchange(server, buildQuery({ question: 'www.example. A', edns }));
  const options = decodeMessage(answer).opt?.options ?? [];
  return options.find(({ code }) => code === COOKIE)?.data ?? Buffer.alloc(0);
}

describe.each(['udp', 'tcp'])('cookies over %s', (transport) => {
  const VALID = `zonewright_nameserver_query_features_total{transport="${transport}",feature="valid_cookie"}`;

  async function isAccepted(server: RunningNameserver, cookie: Uint8Array): Promise<boolean> {
    const before = await readMetric(server, VALID);
    await exchangeCookie(server, transport, cookie);
    return (await readMetric(server, VALID)) > before;
  }

  it('RFC 9018 s3: a cookie of one nameserver is valid at all with the same secret', async () => {
    const [one, other, stranger] = await Promise.all([
      startWith(OLD_SECRET),
      startWith(OLD_SECRET),
      startWith(NEW_SECRET),
    ]);
    const cookie = await exchangeCookie(one, transport, CLIENT_COOKIE);
    expect(await isAccepted(other, cookie)).toBe(true);
    expect(await isAccepted(stranger, cookie)).toBe(false);
  });

  it('D-NS-31: are random at each start unless configured, and the log reports this', async () => {
    const [one, other] = await Promise.all([startWith(''), startWith('')]);
    const cookie = await exchangeCookie(one, transport, CLIENT_COOKIE);
    expect(await isAccepted(one, cookie)).toBe(true);
    expect(await isAccepted(other, cookie)).toBe(false);
    expect(JSON.stringify(one.logLines)).toContain('NAMESERVER_COOKIE_SECRETS is not set');
  });

  it("RFC 9018 s5: no client's cookie becomes invalid while the secret is changed step by step", async () => {
    const [before, during, after] = await Promise.all([
      startWith(OLD_SECRET),
      startWith(`${NEW_SECRET},${OLD_SECRET}`),
      startWith(NEW_SECRET),
    ]);
    const old = await exchangeCookie(before, transport, CLIENT_COOKIE);
    expect(await isAccepted(during, old)).toBe(true);
    const renewed = await exchangeCookie(during, transport, old);
    expect(await isAccepted(after, renewed)).toBe(true);
    expect(await isAccepted(after, old)).toBe(false);
  });
});
