import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  canonicalRdata,
  formatZoneText,
  type MessageRecord,
  rdataToWire,
  readMessage,
  rcodeOf,
  typeMnemonic,
  typeNumber,
} from '@zonewright/dns-records';
import { exchangeTcp } from '@zonewright/testkit';
import { readdirSync, readFileSync } from 'node:fs';
import { buildQuery } from '../conformance/support/query.js';
import { parseZone } from '../conformance/support/zones.js';
import { ForeignServer, hasForeignServer } from './support/foreign-server.js';
import { InProcessServer } from './support/in-process-server.js';

/** The files `TYPE.valid.txt` with data that the rules of each type accept. */
const CASES = new URL('../../dns-records/test/cases/', import.meta.url);
const ZONE = 'types.example.';
const PRIORITY = 10;
const WITH_PRIORITY = new Set(['MX', 'SRV']);

interface Case {
  readonly owner: string;
  readonly type: string;
  readonly data: string;
}

function readCases(): Case[] {
  const files = readdirSync(CASES).filter((file) => file.endsWith('.valid.txt'));
  const cases = files.flatMap((file) => {
    const type = file.slice(0, -'.valid.txt'.length);
    // Names below a delegation have other answers.
    if (typeNumber(type) === undefined || type === 'NS' || type === 'SOA') return [];
    const lines = readFileSync(new URL(file, CASES), 'utf8').split('\n');
    return lines
      .filter((line) => line !== '' && !line.startsWith('# '))
      .map((data, at) => ({ owner: `${type.toLowerCase()}${at}.${ZONE}`, type, data }));
  });
  return [...cases, { owner: `type65280.${ZONE}`, type: 'TYPE65280', data: '\\# 4 0a000001' }];
}

const records = readCases();
const priorityOf = (type: string) => (WITH_PRIORITY.has(type) ? PRIORITY : null);

/** Writes the zone as an export would. */
function writeZone(cases = records): string {
  const apex = [
    { type: 'SOA', data: `ns.elsewhere.test. hostmaster.${ZONE} 7 14400 3600 1209600 300` },
    { type: 'NS', data: 'ns.elsewhere.test.' },
  ].map((record) => ({ ...record, ownerName: ZONE, ttl: null, priority: null }));
  const rest = cases.map(({ owner: ownerName, type, data }) => {
    return { ownerName, type, data, ttl: null, priority: priorityOf(type) };
  });
  return formatZoneText({ origin: ZONE, defaultTtl: 600, records: [...apex, ...rest] });
}

const hex = (octets: Uint8Array) => Buffer.from(octets).toString('hex');

/**
 * Reads the records that answer the question, octet by octet, with uncompressed names. Other servers may return names
 * in their canonical case (RFC 4034, section 6.2), as NSD does.
 */
function read(octets: Uint8Array, shown = (_type: string, rdata: Uint8Array) => rdata) {
  const message = readMessage(octets);
  const lines = ({ name, type, class: rrClass, ttl, rdata }: MessageRecord) =>
    `${hex(name)} ${type} ${rrClass} ${ttl} ${hex(shown(typeMnemonic(type), rdata))}`;
  return { rcode: rcodeOf(message), answers: message.answers.map(lines).toSorted() };
}

describe('a zone with every type, as it is exported', () => {
  const ours = new InProcessServer([parseZone(ZONE, writeZone())]);
  const ask = ({ owner, type }: Case) => buildQuery({ question: `${owner} ${type}` });
  const answer = (each: Case) => ours.answer('TCP', ask(each)) ?? new Uint8Array();

  it('has all types', () => {
    expect(new Set(records.map(({ type }) => type)).size).toBeGreaterThan(25);
  });

  it.each(records)('$type $data is answered with the octets that were checked', (each) => {
    const wire = rdataToWire(each.type, each.data, priorityOf(each.type));
    const { rcode, answers } = read(answer(each));
    expect([rcode, answers.map((line) => line.split(' ').at(-1) ?? '')]).toEqual([0, [hex(wire)]]);
  });

  describe.each([
    ['nsd', records],
    // Debian's Knot is older than RFC 9461.
    ['knotd', records.filter(({ data }) => !data.includes('dohpath'))],
  ] as const)('compared with %s', (name, cases) => {
    const itHere = hasForeignServer(name) ? it : it.skip;
    let server: ForeignServer | undefined;
    beforeAll(async () => {
      if (itHere === it)
        server = await ForeignServer.start(name, new Map([[ZONE, writeZone(cases)]]));
    });
    afterAll(async () => {
      await server?.stop();
    });

    itHere('every answer has the same octets', async () => {
      const different: unknown[] = [];
      for (const each of cases) {
        const theirs = read(await exchangeTcp(server!.address, ask(each)), canonicalRdata);
        const own = read(answer(each), canonicalRdata);
        if (JSON.stringify(theirs) !== JSON.stringify(own)) different.push([each, own, theirs]);
      }
      expect(different).toEqual([]);
    });
  });
});
