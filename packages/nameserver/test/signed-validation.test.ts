import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isAtOrBelow, wireToName } from '@zonewright/dns-records';
import {
  exchangeTcp,
  hasDelv,
  hasUnbound,
  validateAnswer,
  ValidatingResolver,
} from '@zonewright/testkit';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeMessage, type Message } from '../conformance/support/message.js';
import { readConformanceQuestions } from '../conformance/support/questions.js';
import { buildQuery } from '../conformance/support/query.js';
import { type RunningServer, startOurServer } from '../conformance/support/server.js';
import { anchorOf } from '../conformance/support/sign-zone.js';
import { signConformanceZones } from '../conformance/support/signed-zones.js';
import { InProcessServer } from './support/in-process-server.js';

const RECURSION_DESIRED = 0x0100;
const zones = signConformanceZones();
const names = zones.map(({ apex }) => wireToName(apex));
/** The apexes of zones that are in no other zone here, because the other zones can be validated from these. */
const trusted = names.filter(
  (name) => !names.some((other) => other !== name && isAtOrBelow(name, other)),
);
/** Returns whether the answer is not signed; a zone's DS is in its parent. */
const isUnsigned = (question: string) =>
  /(^|\.)a\.between\.open\.corp\.test\. /.test(question) && !/^a\.\S+ DS$/.test(question);
const server = new InProcessServer(zones);

/**
 * Returns whether our data decides the answer: it contains data or proves that there is none, and is neither a referral
 * nor an alias that leads elsewhere.
 */
function isDecidedHere({ flags, rcode, answers, authorities }: Message): boolean {
  if (!flags.includes('aa') || (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN')) return false;
  return authorities.some((line) => / SOA /.test(line)) || answers.some(isNoAlias);
}
const isNoAlias = (line: string) => !/ IN (CNAME|RRSIG) /.test(line);

/**
 * Questions that a resolver does not ask: chains that are longer than it follows, some types, and data of parents that
 * are not hosted here.
 */
const NOT_ASKED = /^c\d+\.odd\.test\. | (ANY|AXFR|IXFR|MAILB|RRSIG)$|^(\w+\.test|example)\. DS$/;

/** Lists the questions of the conformance tests, and others about each name and about names beside and below it. */
function listQuestions(): string[] {
  const owners = zones.flatMap(({ records }) => Array.from(records, ({ owner }) => owner));
  const all = [...new Set(owners.map((owner) => wireToName(owner)))];
  const asked = all.flatMap((name) => [`zz.${name} A`, `${name} A`, `${name} DS`, `0${name} TXT`]);
  return [...readConformanceQuestions(), ...asked].filter((question) => {
    if (NOT_ASKED.test(question)) return false;
    return isDecidedHere(server.ask('TCP', { question, edns: { isDnssecOk: true } }));
  });
}

describe('Signed zones as validators see them', () => {
  let running: RunningServer | undefined;
  beforeAll(async () => {
    running = await startOurServer(zones);
  });
  afterAll(async () => {
    await running?.stop();
  });

  const itWithUnbound = hasUnbound() ? it : it.skip;
  itWithUnbound(
    'each answer is secure, or provably insecure, for Unbound',
    async () => {
      const unbound = await ValidatingResolver.start(running!.address, {
        zones: names,
        anchors: trusted.map(anchorOf),
      });
      const wrong: unknown[] = [];
      const questions = listQuestions();
      try {
        for (const question of questions) {
          const edns = { isDnssecOk: true };
          const query = buildQuery({ question, edns, flags: RECURSION_DESIRED });
          const found = decodeMessage(await exchangeTcp(unbound.address, query, 8_000));
          const own = server.ask('TCP', { question, edns });
          const isSecure = found.flags.includes('ad');
          if (found.rcode !== own.rcode || isSecure === isUnsigned(question)) {
            wrong.push([question, found.rcode, found.flags, own.rcode]);
          }
        }
      } finally {
        await unbound.stop();
      }
      expect(wrong).toEqual([]);
      expect(questions.length).toBeGreaterThan(500);
    },
    120_000,
  );

  const isHere = hasDelv();
  if (!isHere) process.stderr.write("SKIPPED (no delv; Debian's package bind9-dnsutils has it)\n");
  (isHere ? it : it.skip).each([
    ['www.corp.test.', 'A', 'fully validated'],
    ['alias2.corp.test.', 'AAAA', 'fully validated'],
    ['any.wild.corp.test.', 'A', 'fully validated'],
    ['any.wildalias.corp.test.', 'A', 'fully validated'],
    ['any.wild.corp.test.', 'MX', 'negative response, fully validated'],
    ['b.corp.test.', 'A', 'negative response, fully validated'],
    ['missing.corp.test.', 'A', 'negative response, fully validated'],
    ['www.child.corp.test.', 'A', 'fully validated'],
    ['child.corp.test.', 'DS', 'fully validated'],
    ['delegated.corp.test.', 'DS', 'negative response, fully validated'],
    ['www.a.between.open.corp.test.', 'A', 'unsigned answer'],
  ])('delv finds %s %s: %s', (name, type, verdict) => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-delv-'));
    const [, , tag, algorithm, digestType, digest] = anchorOf('corp.test.').split(' ');
    const anchors = `trust-anchors { "corp.test." static-ds ${tag} ${algorithm} ${digestType} "${digest}"; };\n`;
    try {
      const file = join(folder, 'anchors');
      writeFileSync(file, anchors);
      const said = validateAnswer(running!.address, { file, root: 'corp.test.' }, name, type);
      expect(said).toContain(`; ${verdict}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
