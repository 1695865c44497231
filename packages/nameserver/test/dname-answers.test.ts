import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RR_TYPE, wireToName } from '@zonewright/dns-records';
import { readFileSync } from 'node:fs';
import type { ZoneContent } from '../src/compile/zone-tree.js';
import { listDisagreements } from './support/compare-answers.js';
import { type ForeignName, ForeignServer, hasForeignServer } from './support/foreign-server.js';
import { InProcessServer } from './support/in-process-server.js';
import { hasSigners, presignZone, transferZone } from './support/presigned-zone.js';

const ZONE = 'dname.test.';
const TEXT = readFileSync(new URL('./support/dname.zone', import.meta.url), 'utf8');
const SERVERS = ['nsd', 'knotd', 'named'] as const;
const edns = { isDnssecOk: true, payloadOctets: 1232 };

/**
 * Lists questions about each name, about names beside and below it, and about the targets of DNAME records.
 * hashed-answers.test.ts covers the owners of NSEC3.
 */
function listQuestions({ records }: ZoneContent): string[] {
  const named = [...records].filter(({ type }) => type !== RR_TYPE.NSEC3 && type !== RR_TYPE.RRSIG);
  const names = [...new Set(named.map(({ owner }) => wireToName(owner)))];
  const below = [
    'zz',
    '0.1',
    'www',
    'alias',
    'out',
    'deep.er',
    'er',
    'www.child',
    'any.wild',
    'target',
  ];
  const around = names.flatMap((name) => below.map((label) => `${label}.${name}`));
  const ask = (name: string, types: readonly string[]) => types.map((type) => `${name} ${type}`);
  const questions = [
    ...names.flatMap((name) => ask(name, ['A', 'TXT', 'DS', 'CNAME', 'DNAME', 'NS', 'MX'])),
    ...around.flatMap((name) => ask(name, ['A', 'DS', 'CNAME', 'DNAME'])),
  ];
  return [...new Set(questions)];
}

type Signing = 'unsigned' | 'NSEC' | 'NSEC3' | 'NSEC3 with opt-out';

const isReady = hasSigners() && SERVERS.every((name) => hasForeignServer(name));

(isReady ? describe : describe.skip).each<Signing>([
  'unsigned',
  'NSEC',
  'NSEC3',
  'NSEC3 with opt-out',
])('A zone with DNAME, %s', (signing) => {
  let zone: ZoneContent;
  let ours: InProcessServer;
  const servers = new Map<ForeignName, ForeignServer>();
  beforeAll(async () => {
    const text =
      signing === 'unsigned'
        ? TEXT
        : presignZone(ZONE, TEXT, {
            signer: 'dnssec-signzone',
            hashing:
              signing === 'NSEC'
                ? undefined
                : { iterations: 0, salt: '', isOptOut: signing !== 'NSEC3' },
          }).text;
    for (const name of SERVERS) {
      servers.set(name, await ForeignServer.start(name, new Map([[ZONE, text]])));
    }
    zone = await transferZone(servers.get('nsd')!.address, ZONE, signing !== 'unsigned');
    ours = new InProcessServer([zone]);
  });
  afterAll(async () => {
    for (const server of servers.values()) await server.stop();
  });

  it('no answer differs from one that two of NSD, Knot and BIND agree on', async () => {
    const addresses = [...servers.values()].map(({ address }) => address);
    const questions = listQuestions(zone);
    expect(await listDisagreements(ours, addresses, questions, edns)).toEqual([]);
  }, 120_000);
});
