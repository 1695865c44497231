import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { wireToName } from '@zonewright/dns-records';
import { exchangeTcp } from '@zonewright/testkit';
import { readFileSync } from 'node:fs';
import { decodeMessage } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import type { ZoneContent } from '../src/compile/zone-tree.js';
import { show } from './support/compare-answers.js';
import { type ForeignName, ForeignServer, hasForeignServer } from './support/foreign-server.js';
import { InProcessServer } from './support/in-process-server.js';
import { hasSigners, presignZone, transferZone } from './support/presigned-zone.js';

const ZONE = 'dname.test.';
const TEXT = readFileSync(new URL('./support/dname.zone', import.meta.url), 'utf8');
const SERVERS = ['nsd', 'knotd', 'named'] as const;
const edns = { isDnssecOk: true, payloadOctets: 1232 };

/** About each name, what lies beside it and below it, and what the targets of DNAME have. */
function listQuestions({ records }: ZoneContent): string[] {
  const names = new Set(Array.from(records, ({ owner }) => wireToName(owner)));
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
  const around = [...names].flatMap((name) => [name, ...below.map((label) => `${label}.${name}`)]);
  const types = ['A', 'TXT', 'DS', 'CNAME', 'DNAME', 'NS', 'MX'];
  return around.flatMap((name) => types.map((type) => `${name} ${type}`));
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
    const wrong: unknown[] = [];
    for (const question of listQuestions(zone)) {
      const own = JSON.stringify(show(ours.ask('TCP', { question, edns })));
      const theirs: string[] = [];
      for (const { address } of servers.values()) {
        const answer = await exchangeTcp(address, buildQuery({ question, edns }), 8_000);
        theirs.push(JSON.stringify(show(decodeMessage(answer))));
      }
      const agreed = theirs.find((each, at) => theirs.indexOf(each) !== at);
      if (agreed !== undefined && agreed !== own) wrong.push([question, own, agreed]);
    }
    expect(wrong).toEqual([]);
  }, 120_000);
});
