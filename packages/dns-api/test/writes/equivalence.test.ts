import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultSeed, waitFor } from '@zonewright/testkit';
import fc from 'fast-check';
import { record, ScriptedPrimary, soa } from '../support/scripted-primary.js';
import { signerEnv } from '../support/use-signer.js';
import { type Beginning, type Sequence, sequences } from './operations.js';
import { Disturbed, findFailure, reduced } from './reduce.js';
import { Twin } from './twin.js';
import { TwinPair } from './twin-pair.js';
import { useLockedWay } from './use-locked-way.js';
import { useWritePlatform } from './use-write-platform.js';

/** The number of sequences; `npm run test:faults` uses 200. */
const SEQUENCES = Number(process.env['WRITE_SEQUENCES'] ?? 5);
const OPERATIONS = 40;
const MOST_SECONDS = 180 + SEQUENCES * 20;

const platform = useWritePlatform(await signerEnv(), {
  // A sequence can reach both limits.
  DNS_API_MAX_DOMAIN_RECORDS: '30',
  DNS_API_MAX_DOMAIN_OCTETS: '2048',
});
const locked = useLockedWay();
const primary = new ScriptedPrimary();
let place = { address: '', port: 0 };
beforeAll(async () => {
  place = await primary.start();
});
afterAll(() => {
  primary.stop();
});

let made = 0;

/** Creates two sets of zones with the same initial content. */
async function makePair(beginning: Beginning): Promise<TwinPair> {
  made += 1;
  const number = String(made).padStart(4, '0');
  const twins = [new Twin(platform, `w${number}a`), new Twin(platform, `w${number}b`)] as const;
  for (const twin of twins) await begin(twin, beginning);
  if (beginning.isSigned) await platform.signer.run();
  return new TwinPair(platform, twins, locked);
}

async function begin(twin: Twin, { isSigned, hasPromoted, hasChild }: Beginning): Promise<void> {
  const parent = await createZone(twin.nameOf('parent'));
  twin.zones.set('parent', parent);
  const share = { target_project_id: platform.sharerId };
  await insist('POST', `/v2/zones/${parent.id}/shares`, share);
  if (isSigned) await insist('PUT', `/v1/domains/${parent.id}/dnssec`, { enabled: true });
  if (hasChild) twin.zones.set('child', await createZone(twin.nameOf('child')));
  if (hasPromoted) twin.zones.set('promoted', await promote(twin.nameOf('promoted')));
}

async function createZone(name: string): Promise<{ id: string; name: string }> {
  const body = await insist('POST', '/v1/domains', { name, email: 'admin@example.com' });
  return { id: (body as { id: string }).id, name };
}

/** Creates a zone that had a primary: it was transferred twice, and then lost its primary. */
async function promote(name: string): Promise<{ id: string; name: string }> {
  const zone = await createZone(name);
  const path = `/v1/domains/${zone.id}/primaries`;
  for (const serial of [7, 8]) {
    primary.script = (type) => {
      const ns = record(name, 'NS', `ns${serial}.elsewhere.example.`);
      const address = record(`www.${name}`, 'A', `192.0.2.${serial}`);
      const whole = [soa(name, serial), ns, address, soa(name, serial)];
      return [type === 'SOA' ? whole.slice(0, 1) : whole];
    };
    if (serial === 7) await insist('PUT', path, { primaries: [place] });
    else await insist('POST', `${path}/refresh`);
    await waitFor(async () => {
      const { body } = await platform.call('owner', 'GET', path);
      return (body as { serial: number | null }).serial === serial;
    });
  }
  await insist('DELETE', path);
  return zone;
}

async function insist(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const answer = await platform.call('owner', method, path, body);
  if (answer.status === 503) throw new Disturbed();
  expect({ path, body: answer.body, isDone: answer.status < 300 }).toMatchObject({ isDone: true });
  return answer.body;
}

async function doSequence({ beginning, operations }: Sequence): Promise<void> {
  await (await makePair(beginning)).run(operations);
}

describe('One write engine', () => {
  it(
    `${SEQUENCES} sequences of about ${OPERATIONS} changes: in groups they have the same result as one by one`,
    async () => {
      const seed = faultSeed();
      let disturbed = 0;
      for (const sequence of fc.sample(sequences(OPERATIONS), { seed, numRuns: SEQUENCES })) {
        const failure = await findFailure(sequence, doSequence);
        if (failure instanceof Disturbed) disturbed += 1;
        else if (failure !== undefined) throw await reduced(sequence, failure, doSequence);
      }
      expect(disturbed).toBeLessThan(Math.max(SEQUENCES / 2, 1));
    },
    MOST_SECONDS * 1_000,
  );
});
