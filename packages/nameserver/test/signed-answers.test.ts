import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { wireToName } from '@zonewright/dns-records';
import { exchangeTcp } from '@zonewright/testkit';
import { decodeMessage } from '../conformance/support/message.js';
import { readConformanceQuestions } from '../conformance/support/questions.js';
import { buildQuery } from '../conformance/support/query.js';
import { signConformanceZones } from '../conformance/support/signed-zones.js';
import { differenceOf } from './support/compare-answers.js';
import { ForeignServer, hasForeignServer } from './support/foreign-server.js';
import { InProcessServer } from './support/in-process-server.js';
import { toZoneText } from './support/zone-text.js';

const EDNS = { isDnssecOk: true, payloadOctets: 1232 };
const zones = signConformanceZones();
const server = new InProcessServer(zones);

/** Questions that others answer differently, whether signed or not, with the reasons. */
const EXCEPTIONS: Readonly<Record<'nsd' | 'knotd', Readonly<Record<string, RegExp>>>> = {
  nsd: {
    'writes a CNAME that leads to itself twice': /^(one\.wildself|self)\.corp\.test\. /,
    'cannot be asked for a transfer without a key': / [AI]XFR$/,
    'follows as many CNAMEs as there are': /^c\d+\.odd\.test\. /,
    'leaves NSEC out of ANY': / ANY$/,
    'writes names of SVCB in lower case': /^letters\.types\.test\. SVCB$/,
  },
  knotd: {
    'writes a CNAME that leads to itself twice': /^(one\.wildself|self)\.corp\.test\. /,
    'cannot be asked for a transfer without a key': / [AI]XFR$/,
    'has one RRset for ANY over TCP, too': / ANY$/,
    'proves less where a wildcard has no records of its own': /\.(hollow|voice)\.corp\.test\. /,
    'follows fewer CNAMEs': /^c\d+\.odd\.test\. /,
    'follows no CNAME into another zone': /^(partner|partner-dangling)\.corp|^back\.partner/,
    'gives glue as additional data of MX': /^mx-below-cut\.corp\.test\. /,
  },
};

/** Lists the questions of the conformance tests, and others about each name and about names beside and below it. */
function listQuestions(): string[] {
  const names = zones.flatMap(({ records }) =>
    Array.from(records, ({ owner }) => wireToName(owner)),
  );
  const around = [...new Set(names)].flatMap((name) => [name, `zz.${name}`, `0${name}`]);
  const asked = around.flatMap((name) => ['A', 'TXT', 'DS'].map((type) => `${name} ${type}`));
  return [...readConformanceQuestions(), ...asked];
}

describe.each(['nsd', 'knotd'] as const)('Signed zones beside %s', (name) => {
  const itHere = hasForeignServer(name) ? it : it.skip;
  let foreign: ForeignServer | undefined;
  beforeAll(async () => {
    if (itHere !== it) return;
    const texts = zones.map((zone) => [wireToName(zone.apex), toZoneText(zone.records)] as const);
    foreign = await ForeignServer.start(name, new Map(texts));
  });
  afterAll(async () => {
    await foreign?.stop();
  });

  itHere(
    'every question with DO is answered alike, section by section',
    async () => {
      const isException = (question: string) =>
        Object.values(EXCEPTIONS[name]).some((pattern) => pattern.test(question));
      const questions = listQuestions().filter((question) => !isException(question));
      const different: unknown[] = [];
      for (const question of questions) {
        const query = buildQuery({ question, edns: EDNS });
        const theirs = decodeMessage(await exchangeTcp(foreign!.address, query, 8_000));
        const found = differenceOf(server.ask('TCP', { question, edns: EDNS }), theirs);
        if (found !== undefined) different.push([question, found]);
      }
      expect(different).toEqual([]);
      expect(questions.length).toBeGreaterThan(500);
    },
    60_000,
  );
});
