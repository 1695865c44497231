import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '@zonewright/database';
import { nameToWire } from '@zonewright/dns-records';
import { createLogger } from '@zonewright/service-kit';
import { addNameservers, FakeClock } from '@zonewright/testkit';
import type { Answer } from 'dns-packet';
import { ParentWatch } from '../../src/jobs/parent-watch.js';
import { notifyParent } from '../../src/jobs/tell-parent.js';
import { createMetrics } from '../../src/settings/metrics.js';
import { DnsResponder, type Script } from '../support/dns-responder.js';
import { createDomain, type DomainBody } from '../support/fixtures.js';
import { testSettings, useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const clock = new FakeClock(Date.now());
const env = await signerEnv();
const api = useApi({ env, overrides: { clock } });
const signer = useSigner(api, env, clock);
const resolver = new DnsResponder();
/** The parent's server that receives notifications about its children. */
const receiver = new DnsResponder();
let path: { resolver: { host: string; port: number }; mayBePrivate: boolean };
let receiverPort: number;

beforeAll(async () => {
  await addNameservers(api.db);
  path = { resolver: { host: '127.0.0.1', port: await resolver.start() }, mayBePrivate: true };
  receiverPort = await receiver.start();
});
afterAll(() => {
  resolver.stop();
  receiver.stop();
});
beforeEach(() => {
  resolver.questions.length = 0;
  receiver.questions.length = 0;
  receiver.script = () => ({});
});

/** Returns a DSYNC record (RFC 9859, section 2.1). */
function dsync(
  name: string,
  { type = 59, scheme = 1, port = receiverPort, target = nameToWire('taker.parent.test.') } = {},
): Answer {
  const fixed = Buffer.alloc(5);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt8(scheme, 2);
  fixed.writeUInt16BE(port, 3);
  const data = Buffer.concat([fixed, target]);
  return { name, type: 'UNKNOWN_66', class: 'IN', ttl: 60, data } as unknown as Answer;
}

const soa = (name: string): Answer => ({
  name,
  type: 'SOA',
  ttl: 60,
  data: {
    mname: 'ns.test',
    rname: 'h.test',
    serial: 1,
    refresh: 1,
    retry: 1,
    expire: 1,
    minimum: 1,
  },
});

/**
 * Returns a resolver that knows the parent's notification target and its DS, and otherwise answers that `apex` has no
 * such records.
 */
function knowing(
  records: Readonly<Record<string, Answer>>,
  { apex = 'parent.test', ds = [] as readonly Answer[], address = '127.0.0.1' } = {},
): Script {
  return (name, type) => {
    if (type === 'DS') return { answers: ds };
    if (name === 'taker.parent.test' && type === 'A')
      return { answers: [{ name, type, ttl: 60, data: address }] };
    const answer = records[name];
    if (answer !== undefined) return { answers: [answer] };
    return { rcode: 'NXDOMAIN', authorities: [soa(apex)] };
  };
}

const HEARD = /^UNKNOWN_59|CDS/;
const heard = () => receiver.questions;

describe('a parent that publishes whom to tell (RFC 9859)', () => {
  it('s4.1: is notified at the endpoint for this zone', async () => {
    const name = 'a._dsync.parent.test';
    resolver.script = knowing({ [name]: dsync(name) });
    expect(await notifyParent('a.parent.test.', path)).toBe('answered');
    expect(heard()).toEqual([expect.stringMatching(/^a\.parent\.test (CDS|UNKNOWN_59) NOTIFY$/)]);
  });

  it('s4.1: is notified at the endpoint for all its children', async () => {
    resolver.script = knowing({ '_dsync.parent.test': dsync('_dsync.parent.test') });
    expect(await notifyParent('a.parent.test.', path)).toBe('answered');
    expect(heard()).toHaveLength(1);
  });

  it('s4.1: is notified even if it is more than one label above', async () => {
    const name = 'a.b._dsync.parent.test';
    resolver.script = knowing({ [name]: dsync(name) });
    expect(await notifyParent('a.b.parent.test.', path)).toBe('answered');
    expect(resolver.questions.filter((each) => each.endsWith('_66'))).toEqual([
      'a._dsync.b.parent.test UNKNOWN_66',
      'a.b._dsync.parent.test UNKNOWN_66',
    ]);
  });

  it.each<[string, Parameters<typeof dsync>[1]]>([
    ['of another type', { type: 62 }],
    ['of another scheme', { scheme: 2 }],
    ['without a port', { port: 0 }],
    ['whose target is the root', { target: Buffer.from([0]) }],
    ['whose target is not a name', { target: Buffer.from([63, 97]) }],
  ])('is not notified because of a record %s', async (_, members) => {
    resolver.script = knowing({ '_dsync.parent.test': dsync('_dsync.parent.test', members) });
    expect(await notifyParent('a.parent.test.', path)).toBe('nobody');
    expect(heard()).toEqual([]);
  });

  it('is not notified at a private address', async () => {
    resolver.script = knowing({ '_dsync.parent.test': dsync('_dsync.parent.test') });
    expect(await notifyParent('a.parent.test.', { ...path, mayBePrivate: false })).toBe('nobody');
    expect(heard()).toEqual([]);
  });

  it('is notified three times if it does not respond', async () => {
    receiver.script = () => undefined;
    resolver.script = knowing({ '_dsync.parent.test': dsync('_dsync.parent.test') });
    expect(await notifyParent('a.parent.test.', path)).toBe('silent');
    expect(heard()).toHaveLength(3);
  });

  it('is not notified any more when the service stops', async () => {
    const stopping = new AbortController();
    receiver.script = () => {
      stopping.abort();
      return undefined;
    };
    resolver.script = knowing({ '_dsync.parent.test': dsync('_dsync.parent.test') });
    const told = notifyParent('a.parent.test.', { ...path, signal: stopping.signal });
    await expect(told).rejects.toMatchObject({ name: 'AbortError' });
    expect(heard()).toHaveLength(1);
  });

  it('is searched at three names at most, and not if the resolver does not know', async () => {
    resolver.script = knowing({}, { apex: '.' });
    expect(await notifyParent('a.b.c.d.parent.test.', path)).toBe('nobody');
    expect(resolver.questions).toHaveLength(3);
    resolver.questions.length = 0;
    resolver.script = () => ({ rcode: 'SERVFAIL' });
    expect(await notifyParent('a.parent.test.', path)).toBe('nobody');
    expect(resolver.questions).toHaveLength(1);
  });
});

describe('what is seen at the parents of signed zones', () => {
  let domain: DomainBody;
  const look = async () => {
    const settings = testSettings(api.databaseUrl, {
      DNS_API_CHECK_RESOLVER: `127.0.0.1:${path.resolver.port}`,
      DNS_API_PRIVATE_PEERS: 'true',
    });
    const db = openDatabase({
      url: api.databaseUrl,
      applicationName: 'zonewright-test',
      maxConnections: 2,
    });
    const metrics = createMetrics({ db, hearsRevocations: () => true });
    const log = createLogger('dns-api', 'silent');
    try {
      await new ParentWatch({ db, clock, settings, metrics, log }).run();
    } finally {
      await db.destroy();
    }
    return heard().filter((each) => HEARD.test(each.split(' ')[1] ?? ''));
  };

  beforeAll(async () => {
    domain = await createDomain(api);
    await api.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }).expect(200);
    await signer.run();
    // After this time no resolver has cached the unsigned domain.
    clock.advance(7 * 86_400_000);
    await signer.run();
  });

  const parentOf = ({ name }: DomainBody) => name.split('.').slice(1, -1).join('.');
  const script = (ds: readonly Answer[] = []) => {
    const at = `_dsync.${parentOf(domain)}`;
    return knowing({ [at]: dsync(at) }, { apex: parentOf(domain), ds });
  };
  const shownDs = async (): Promise<Answer[]> => {
    const shown = await api.call('get', `/v1/domains/${domain.id}/dnssec`).expect(200);
    return (shown.body as { ds: readonly string[] }).ds.slice(0, 1).map((text) => {
      const [keyTag, algorithm, digestType, digest = ''] = text.split(' ');
      const data = {
        keyTag: Number(keyTag),
        algorithm: Number(algorithm),
        digestType: Number(digestType),
        digest: Buffer.from(digest, 'hex'),
      };
      return { name: domain.name, type: 'DS', ttl: 60, data };
    });
  };

  it('is notified while it shows no DS', async () => {
    resolver.script = script();
    expect(await look()).toHaveLength(1);
  });

  it('is not notified when it shows the DS', async () => {
    clock.advance(600_000);
    resolver.script = script(await shownDs());
    expect(await look()).toEqual([]);
  });

  it('is notified when the DS must be removed', async () => {
    const shown = await shownDs();
    await api.call('delete', `/v1/domains/${domain.id}/dnssec`).expect(200);
    await signer.run();
    clock.advance(600_000);
    resolver.script = script(shown);
    expect(await look()).toHaveLength(1);
  });
});
