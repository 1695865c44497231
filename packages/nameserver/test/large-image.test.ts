import { describe, expect, it } from '@jest/globals';
import { nameToWire } from '@zonewright/dns-records';
import { buildQuery } from '../conformance/support/query.js';
import { readConformanceQuestions } from '../conformance/support/questions.js';
import { signConformanceZones } from '../conformance/support/signed-zones.js';
import { parseZone, readConformanceZones } from '../conformance/support/zones.js';
import { compileZone } from '../src/compile/compile-zone.js';
import { ImageCapture } from '../src/image/image-capture.js';
import { ImageWriter } from '../src/image/image-writer.js';
import type { ZoneContent } from '../src/compile/zone-tree.js';
import { InProcessServer } from './support/in-process-server.js';

const GIBIBYTE = 2 ** 30;
const EDNS = { isDnssecOk: true, payloadOctets: 1232 };
/** The number of zones is large enough to make the writer create a new directory behind the gap. */
const MANY = Array.from({ length: 200 }, (_, index) =>
  parseZone(`z${index}.many.`, '@ 60 SOA ns. admin. 1 2 3 4 5\n@ 60 NS ns.\nwww 60 A 192.0.2.1'),
);

/**
 * Returns a server with all zones behind reserved memory that is never touched, so that the test needs no more memory
 * than others.
 */
function serverBeyond(octets: number, zones: readonly ZoneContent[]): InProcessServer {
  const server = new InProcessServer([], {}, 4 * GIBIBYTE);
  if (octets > 0) reserve(server.image, octets);
  for (const zone of [...zones, ...MANY]) server.image.put(compileZone(zone));
  return server;
}

/** Reserves memory that is never released. */
function reserve(image: ImageWriter, octets: number): void {
  image.reserveNext(nameToWire('nothing.example.')).take(octets);
}

function answersOf(server: InProcessServer): (string | undefined)[] {
  return readConformanceQuestions().flatMap((question) =>
    (['UDP', 'TCP'] as const).map((transport) =>
      server.answer(transport, buildQuery({ question, edns: EDNS }))?.toString('hex'),
    ),
  );
}

describe('An image beyond 2 GiB', () => {
  it.each([
    ['unsigned', readConformanceZones()],
    ['signed', signConformanceZones()],
  ])('answers each question as a small one does, octet for octet: %s zones', (_, zones) => {
    const expected = answersOf(serverBeyond(0, zones));
    // First some of the zones are below the line and others above it, then all of them are above it.
    for (const octets of [2 * GIBIBYTE - 8_192, 3 * GIBIBYTE]) {
      const server = serverBeyond(octets, zones);
      expect(server.image.usedOctets).toBeGreaterThan(2 * GIBIBYTE);
      expect(answersOf(server)).toEqual(expected);
    }
  });

  it('its zones are changed, removed, and taken over by another writer', () => {
    const zones = readConformanceZones();
    const server = serverBeyond(3 * GIBIBYTE, zones);
    const { image } = server;
    const ask = (name: string) => server.ask('UDP', { question: `${name} A` });
    for (let serial = 2; serial < 10; serial++) {
      image.put(compileZone({ ...MANY[0]!, serial }));
      expect(image.zoneSerial(nameToWire('z0.many.'))).toBe(serial);
    }
    const used = image.usedOctets;
    image.remove(nameToWire('z1.many.'));
    expect(ask('www.z1.many.').rcode).toBe('REFUSED');
    const next = ImageWriter.resume(image.buffer);
    expect(next.listApexes()).toHaveLength(zones.length + MANY.length - 1);
    next.put(compileZone(MANY[1]!));
    expect(next.usedOctets).toBe(used);
    expect(ask('www.z1.many.').answers).toEqual(['www.z1.many. 60 IN A 192.0.2.1']);
  });

  it('is read in place for a snapshot', () => {
    const server = serverBeyond(3 * GIBIBYTE, []);
    const capture = new ImageCapture(server.image.buffer);
    const block = Buffer.from(server.image.zoneBlock(nameToWire('z0.many.'))!);
    const tail = Buffer.alloc(capture.octets - 3 * GIBIBYTE);
    expect(capture.read(3 * GIBIBYTE, tail)).toBe(tail.length);
    expect(tail.includes(block)).toBe(true);
    capture.release();
  });

  it('is full at its limit', () => {
    const server = serverBeyond(3 * GIBIBYTE, []);
    const take = (octets: number) => () => {
      reserve(server.image, octets);
    };
    expect(take(GIBIBYTE)).toThrow('has no space');
    expect(take(GIBIBYTE / 2)).not.toThrow();
  });
});
