import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nameToWire, RR_TYPE, wireToName } from '@zonewright/dns-records';
import { hasUnbound, ValidatingResolver } from '@zonewright/testkit';
import { readFileSync } from 'node:fs';
import { askServer, differenceOf } from './support/compare-answers.js';
import type { Message } from '../conformance/support/message.js';
import { type RunningServer, startOurServer } from '../conformance/support/server.js';
import { parseZone } from '../conformance/support/zones.js';
import { BlockNodes } from '../src/compile/block-nodes.js';
import { compileZone } from '../src/compile/compile-zone.js';
import type { ZoneContent } from '../src/compile/zone-tree.js';
import { ZoneWalk } from '../src/compile/zone-walk.js';
import { ForeignServer, hasForeignServer } from './support/foreign-server.js';
import { InProcessServer } from './support/in-process-server.js';
import {
  hasSigners,
  type ForeignSigning,
  type Hashing,
  type PresignedZone,
  presignZone,
  transferZone,
} from './support/presigned-zone.js';

const ZONE = 'hashed.test.';
const TEXT = readFileSync(new URL('./support/hashed.zone', import.meta.url), 'utf8');
const CHILD = '@ 600 SOA ns hostmaster 1 2 3 4 5\n@ 600 NS ns.elsewhere.invalid.\n';
const RECURSION_DESIRED = 0x0100;
const edns = { isDnssecOk: true, payloadOctets: 1232 };

const SIGNINGS: (Pick<ForeignSigning, 'signer'> & Hashing)[] = [];
for (const signer of ['dnssec-signzone', 'kzonesign'] as const) {
  for (const isOptOut of [false, true]) {
    SIGNINGS.push({ signer, isOptOut, iterations: 0, salt: '' });
    SIGNINGS.push({ signer, isOptOut, iterations: 10, salt: 'aabbccdd' });
  }
}

/**
 * Lists questions about each name, and about names beside and below it. The owners of NSEC3 count as ordinary names
 * here.
 */
function listQuestions({ records }: ZoneContent): string[] {
  const names = new Set(Array.from(records, ({ owner }) => wireToName(owner)));
  for (const name of names) {
    const parent = name.replace(/^([^.\\]|\\.)*\./, '');
    if (parent.endsWith(ZONE)) names.add(parent);
  }
  const around = [...names].flatMap((name) => [name, `zz.${name}`, `0.1.${name}`, `0${name}`]);
  const types = ['A', 'DS', 'TXT', 'NSEC3', 'NS'];
  return around.flatMap((name) => types.map((type) => `${name} ${type}`));
}

/**
 * Questions that NSD answers differently. Below an NSEC3 it treats that as the closest encloser, and proves less. For a
 * query of type NSEC3 it follows no CNAME. For a wildcard by its name it proves the closest encloser, too. Below an
 * empty non-terminal without an NSEC3 it proves no encloser.
 */
const NSD_DIFFERS =
  /\.[0-9a-v]{32}\.hashed\.test\. | NSEC3$|^\*\.|(^|[.0])(y\.)?insecure\.hashed\.test\. /;

const isReady = hasSigners() && hasForeignServer('nsd') && hasForeignServer('knotd');

(isReady ? describe : describe.skip).each(SIGNINGS)(
  'A zone with NSEC3 by $signer, $iterations iterations, opt-out: $isOptOut',
  ({ signer, ...hashing }) => {
    let presigned: PresignedZone;
    let zone: ZoneContent;
    let ours: InProcessServer;
    let nsd: ForeignServer | undefined;
    let knot: ForeignServer | undefined;
    let running: RunningServer | undefined;
    beforeAll(async () => {
      presigned = presignZone(ZONE, TEXT, { signer, hashing });
      const texts = new Map([[ZONE, presigned.text]]);
      nsd = await ForeignServer.start('nsd', texts);
      knot = await ForeignServer.start('knotd', texts);
      zone = await transferZone(nsd.address, ZONE);
      ours = new InProcessServer([zone]);
      running = await startOurServer([zone]);
    });
    afterAll(async () => {
      await running?.stop();
      await nsd?.stop();
      await knot?.stop();
    });

    const ask = (question: string) => ours.ask('TCP', { question, edns });

    async function listDifferences(server: ForeignServer, exceptions?: RegExp) {
      const different: unknown[] = [];
      const questions = listQuestions(zone).filter((each) => exceptions?.test(each) !== true);
      const answers = await askServer(server.address, questions, { edns });
      for (const [at, question] of questions.entries()) {
        const found = differenceOf(ask(question), answers[at]!);
        if (found !== undefined) different.push([question, found]);
      }
      if (questions.length < 500) throw new Error('Too few questions are asked.');
      return different;
    }

    it('every answer is the same as that of NSD', async () => {
      expect(await listDifferences(nsd!, NSD_DIFFERS)).toEqual([]);
    });

    it('every answer is the same as that of Knot', async () => {
      expect(await listDifferences(knot!)).toEqual([]);
    });

    it('a chain with a gap or a missing name is not used', () => {
      const records = [...zone.records];
      const isHash = ({ type }: { type: number }) => type === RR_TYPE.NSEC3;
      const gap = records.toSpliced(records.findIndex(isHash), 1);
      expect(() => compileZone({ ...zone, records: gap })).toThrow('does not point to the next');
      const owner = nameToWire(`new.${ZONE}`);
      const more = { owner, type: RR_TYPE.A, ttl: 600, rdata: Buffer.from([192, 0, 2, 1]) };
      const withMore = { ...zone, records: [...records, more] };
      expect(() => compileZone(withMore)).toThrow('new. has no NSEC3');
    });

    it('RFC 5155 s7.2.8: owners of NSEC3 do not exist, but transfers contain them', () => {
      const hash = [...zone.records].find(({ type }) => type === RR_TYPE.NSEC3)!;
      const name = wireToName(hash.owner);
      for (const type of ['NSEC3', 'A', 'ANY', 'RRSIG']) {
        expect(ask(`${name} ${type}`).rcode).toBe('NXDOMAIN');
      }
      const walk = new ZoneWalk(new BlockNodes(compileZone(zone)));
      let hashes = 0;
      for (let record = walk.next(); record !== undefined; record = walk.next()) {
        if (record.type === RR_TYPE.NSEC3) hashes++;
      }
      expect(hashes).toBe([...zone.records].filter(({ type }) => type === RR_TYPE.NSEC3).length);
    });

    it('a name between the zone and a hosted one is an empty non-terminal, proved as far as the chain allows', () => {
      const child = parseZone(`child.between.${ZONE}`, CHILD);
      const both = new InProcessServer([zone, child]);
      const { rcode, authorities } = both.ask('TCP', { question: `between.${ZONE} A`, edns });
      expect(rcode).toBe('NOERROR');
      // The closest encloser and the next closer name need NSEC3 records; one record may cover both.
      const hashes = authorities.filter((line) => / IN NSEC3 /.test(line));
      expect([1, 2]).toContain(hashes.length);
      const below = both.ask('TCP', { question: `x.between.${ZONE} A`, edns });
      expect(below.rcode).toBe('NXDOMAIN');
    });

    it('a denial that does not fit is truncated', () => {
      const small = { isDnssecOk: true, payloadOctets: 512 };
      const { flags } = ours.ask('UDP', { question: `zz.${ZONE} A`, edns: small });
      expect(flags).toContain('tc');
    });

    (hasUnbound() ? it : it.skip)('every answer is secure or opted out for Unbound', async () => {
      const { address } = running!;
      const anchors = [presigned.anchor];
      const unbound = await ValidatingResolver.start(address, { zones: [ZONE], anchors });
      const wrong: unknown[] = [];
      try {
        // The zone's own DS is in a parent that is not hosted here.
        const questions = listQuestions(zone).filter(
          (each) => isDecidedHere(ask(each)) && each !== `${ZONE} DS`,
        );
        const answers = await askServer(unbound.address, questions, {
          edns,
          flags: RECURSION_DESIRED,
        });
        for (const [at, question] of questions.entries()) {
          const own = ask(question);
          const found = answers[at]!;
          const isSecure = found.flags.includes('ad');
          if (found.rcode !== own.rcode || (!isSecure && !hashing.isOptOut)) {
            wrong.push([question, found.rcode, found.flags, own.rcode]);
          }
        }
      } finally {
        await unbound.stop();
      }
      expect(wrong).toEqual([]);
    });
  },
);

/**
 * Returns whether our data decides the answer: it contains data or proves that there is none, and is neither a referral
 * nor an alias that leads elsewhere.
 */
function isDecidedHere({ flags, rcode, answers, authorities }: Message): boolean {
  if (!flags.includes('aa') || (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN')) return false;
  return (
    authorities.some((line) => / SOA /.test(line)) ||
    answers.some((line) => !/ IN (CNAME|RRSIG) /.test(line))
  );
}
