import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchangeTcp } from '@zonewright/testkit';
import { decodeMessage, type Message } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import { show } from './support/compare-answers.js';
import { type ForeignName, ForeignServer, hasForeignServer } from './support/foreign-server.js';
import { InProcessServer } from './support/in-process-server.js';
import { transferZone } from './support/presigned-zone.js';

/*
 * Tests the answers for zones of primaries that our API would not let users write: docs/reference/transferred-zones.md.
 */

const ZONE = 'taken.test.';
const SERVERS = ['nsd', 'knotd'] as const;
const TEXT = `$ORIGIN ${ZONE}
@ 600 SOA ns host 7 7200 900 1209600 300
@ 600 NS ns.elsewhere.invalid.
@ 600 TYPE63 \\# 8 0000000701010203
@ 600 TYPE62 \\# 8 0000000700030001
x 600 TYPE65300 \\# 2 0a0b
empty 600 TYPE65300 \\# 0
deleg 600 TYPE61440 \\# 3 000100
key 600 TYPE25 \\# 5 0200030d00
alias 600 CNAME www.elsewhere.invalid.
cut 600 NS ns.cut
ns.cut 600 A 192.0.2.1
www.cut 600 A 192.0.2.2
deep.er.cut 600 NS ns.elsewhere.invalid.
\\000\\255 600 A 192.0.2.3
a\\.b 600 A 192.0.2.4
\\"\\032\\; 600 A 192.0.2.5
-a_--b- 600 A 192.0.2.6
x.* 600 A 192.0.2.7
${'l'.repeat(63)}.${'l'.repeat(63)} 600 A 192.0.2.8
UPPER 600 MX 10 MAIL.Upper
mail.upper 600 A 192.0.2.9
minfo 600 TYPE14 \\# 4 01720000
`;
const NAMES = [
  '',
  'x.',
  'empty.',
  'deleg.',
  'key.',
  'alias.',
  'cut.',
  'ns.cut.',
  'www.cut.',
  'deep.er.cut.',
];
const ODD = [
  '\\000\\255.',
  'a\\.b.',
  '\\"\\032\\;.',
  '-a_--b-.',
  'x.*.',
  '*.',
  'any.',
  'upper.',
  'mail.upper.',
  'minfo.',
];
const TYPES = [
  'A',
  'MX',
  'TXT',
  'NS',
  'CNAME',
  'TYPE63',
  'TYPE62',
  'TYPE65300',
  'TYPE61440',
  'TYPE25',
  'TYPE14',
];

const isReady = SERVERS.every((name) => hasForeignServer(name));

(isReady ? describe : describe.skip)(
  'A zone of a primary with records that users may not write',
  () => {
    const servers = new Map<ForeignName, ForeignServer>();
    let ours: InProcessServer;
    beforeAll(async () => {
      for (const name of SERVERS) {
        servers.set(name, await ForeignServer.start(name, new Map([[ZONE, TEXT]])));
      }
      ours = new InProcessServer([await transferZone(servers.get('nsd')!.address, ZONE, false)]);
    });
    afterAll(async () => {
      for (const server of servers.values()) await server.stop();
    });

    async function askOther(name: ForeignName, question: string): Promise<Message> {
      const { address } = servers.get(name)!;
      return decodeMessage(await exchangeTcp(address, buildQuery({ question }), 8_000));
    }

    it('is answered as NSD and Knot answer it', async () => {
      const around = [...NAMES, ...ODD].flatMap((name) => [`${name}${ZONE}`, `zz.${name}${ZONE}`]);
      const wrong: unknown[] = [];
      for (const question of around.flatMap((name) => TYPES.map((type) => `${name} ${type}`))) {
        const own = show(ours.ask('TCP', { question }));
        const nsd = show(await askOther('nsd', question));
        const knot = show(await askOther('knotd', question));
        const differ = [nsd, knot].filter((each) => JSON.stringify(each) !== JSON.stringify(own));
        if (differ.length > 0) wrong.push([question, own, ...differ]);
      }
      expect(wrong).toEqual([]);
    });
  },
);
