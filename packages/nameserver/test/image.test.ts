import { nameToWire, RR_TYPE } from '@zonewright/dns-records';
import { describe, expect, it } from '@jest/globals';

import { parseZone, readConformanceZones } from '../conformance/support/zones.js';
import { compileZone } from '../src/compile/compile-zone.js';
import { findEnclosingZone, NOT_FOUND } from '../src/image/directory.js';
import { ImageReader } from '../src/image/image-reader.js';
import { ImageFullError } from '../src/image/image-space.js';
import { ImageWriter } from '../src/image/image-writer.js';
import { IMAGE_HEADER_OCTETS } from '../src/image/layout.js';
import type { ZoneContent } from '../src/compile/zone-tree.js';
import { toLookupName } from '../src/wire/lookup-name.js';
import { Dice } from './support/hostile-messages.js';

const IMAGE_OCTETS = 1 << 20;

/** Returns a zone with the given number of A records. */
function zoneOf(apex: string, serial: number, addresses = 1): ZoneContent {
  const hosts = Array.from({ length: addresses }, (_, i) => `host${i} 60 A 192.0.2.${i % 256}`);
  return parseZone(apex, `@ 60 SOA ns. admin. ${serial} 2 3 4 5\n@ 60 NS ns.\n${hosts.join('\n')}`);
}

function apexFound(reader: ImageReader, name: string): boolean {
  return findEnclosingZone(reader, toLookupName(nameToWire(name)), 0) !== NOT_FOUND;
}

describe('zone image', () => {
  it('has no zones at first', () => {
    const image = ImageWriter.create(IMAGE_OCTETS);
    expect(image.zones).toBe(0);
    expect(apexFound(new ImageReader(image.buffer), 'a.test.')).toBe(false);
  });

  it('finds a zone by its names, replaces it as a whole, and removes it', () => {
    const image = ImageWriter.create(IMAGE_OCTETS);
    const reader = new ImageReader(image.buffer);
    const apex = nameToWire('A.test.');
    image.put(compileZone(zoneOf('a.test.', 4_000_000_000, 3)));
    expect(apexFound(reader, 'www.a.TEST.')).toBe(true);
    expect(image.zoneSerial(apex)).toBe(4_000_000_000);
    expect([image.zones, image.records]).toEqual([1, 5]);
    image.put(compileZone(zoneOf('a.test.', 2, 1)));
    expect(image.zoneSerial(apex)).toBe(2);
    expect([image.zones, image.records]).toEqual([1, 3]);
    expect(image.remove(apex)).toBe(true);
    expect(image.remove(apex)).toBe(false);
    expect([image.zones, image.records]).toEqual([0, 0]);
    expect(image.zoneSerial(apex)).toBeUndefined();
    expect(apexFound(reader, 'www.a.test.')).toBe(false);
  });

  it('the directory grows with the number of zones, and keeps no removed one', () => {
    const image = ImageWriter.create(8 * IMAGE_OCTETS);
    const reader = new ImageReader(image.buffer);
    const apexes = Array.from({ length: 3000 }, (_, i) => `zone${i}.test.`);
    for (const apex of apexes) image.put(compileZone(zoneOf(apex, 1)));
    for (const apex of apexes.slice(0, 1500)) image.remove(nameToWire(apex));
    for (const apex of apexes.slice(0, 500)) image.put(compileZone(zoneOf(apex, 2)));
    expect(image.zones).toBe(2000);
    expect(apexes.filter((apex) => apexFound(reader, apex))).toEqual([
      ...apexes.slice(0, 500),
      ...apexes.slice(1500),
    ]);
    expect(image.listApexes()).toHaveLength(2000);
  });

  it('refuses a zone that does not fit, and changes nothing', () => {
    const image = ImageWriter.create(1 << 15);
    image.put(compileZone(zoneOf('a.test.', 1)));
    expect(() => {
      image.put(compileZone(zoneOf('a.test.', 2, 2000)));
    }).toThrow(ImageFullError);
    expect(image.zoneSerial(nameToWire('a.test.'))).toBe(1);
    expect(image.records).toBe(3);
  });

  it('the next writer continues where the last one ended', () => {
    const image = ImageWriter.create(IMAGE_OCTETS);
    for (const zone of readConformanceZones()) image.put(compileZone(zone));
    for (let serial = 1; serial < 20; serial++)
      image.put(compileZone(zoneOf('a.test.', serial, 50)));
    image.remove(nameToWire('example.'));
    const next = ImageWriter.resume(image.buffer);
    expect([next.zones, next.records]).toEqual([image.zones, image.records]);
    const used = next.usedOctets;
    for (let serial = 20; serial < 40; serial++)
      next.put(compileZone(zoneOf('a.test.', serial, 50)));
    expect(next.usedOctets).toBe(used);
    expect(next.zoneSerial(nameToWire('corp.test.'))).toBe(7);
    expect(apexFound(new ImageReader(image.buffer), 'www.example.')).toBe(false);
  });

  it('is not read if it is invalid', () => {
    const buffer = new SharedArrayBuffer(IMAGE_HEADER_OCTETS);
    expect(() => new ImageReader(buffer)).toThrow('not a zone image');
    expect(() => ImageWriter.resume(buffer)).toThrow('not a zone image');
  });
});

describe('memory of a replaced zone', () => {
  const apex = nameToWire('a.test.');

  /** Returns the zone's octets as seen by a reader that has looked it up before. */
  function blockAt(reader: ImageReader, zone: number, length: number): Buffer {
    return Buffer.from(reader.octets.slice(zone, zone + length));
  }

  it('is unchanged until each reader that may be using it has passed a quiet point', () => {
    const image = ImageWriter.create(IMAGE_OCTETS);
    const block = compileZone(zoneOf('a.test.', 1, 20));
    image.put(block);
    const reader = new ImageReader(image.buffer, 3);
    reader.enter();
    const zone = findEnclosingZone(reader, toLookupName(apex), 0);
    for (let serial = 2; serial < 50; serial++)
      image.put(compileZone(zoneOf('a.test.', serial, 20)));
    expect(blockAt(reader, zone, block.length)).toEqual(Buffer.from(block));

    const used = image.usedOctets;
    reader.leave();
    for (let serial = 50; serial < 90; serial++)
      image.put(compileZone(zoneOf('a.test.', serial, 20)));
    expect(image.usedOctets).toBe(used);
    expect(blockAt(reader, zone, block.length)).not.toEqual(Buffer.from(block));
  });

  it('is reused while a busy reader processes batch after batch', () => {
    const image = ImageWriter.create(IMAGE_OCTETS);
    const reader = new ImageReader(image.buffer, 0);
    for (let serial = 1; serial < 10; serial++) {
      reader.enter();
      image.put(compileZone(zoneOf('a.test.', serial, 20)));
    }
    const used = image.usedOctets;
    for (let serial = 10; serial < 200; serial++) {
      reader.enter();
      image.put(compileZone(zoneOf('a.test.', serial, 20)));
    }
    expect(image.usedOctets).toBe(used);
  });

  it('is not held forever by a worker that crashed', () => {
    const image = ImageWriter.create(IMAGE_OCTETS);
    new ImageReader(image.buffer, 5).enter();
    for (let serial = 1; serial < 10; serial++)
      image.put(compileZone(zoneOf('a.test.', serial, 20)));
    const used = image.usedOctets;
    image.dismissReader(5);
    for (let serial = 10; serial < 100; serial++)
      image.put(compileZone(zoneOf('a.test.', serial, 20)));
    expect(image.usedOctets).toBe(used);
  });

  it('after a day of changes the image is at most a fifth larger than its zones ever were', () => {
    const image = ImageWriter.create(16 * IMAGE_OCTETS);
    const reader = new ImageReader(image.buffer, 0);
    const dice = new Dice(4711);
    // Each zone is compiled in many sizes beforehand, because the test does not measure compiling.
    const sizes = Array.from({ length: 20 }, (_, n) => 4 * n);
    const blocks = Array.from({ length: 100 }, (_, zone) =>
      sizes.map((n) => compileZone(zoneOf(`zone${zone}.test.`, 1, n))),
    );
    const live = blocks.map(() => 0);
    let peak = 0;
    for (let change = 0; change < 50_000; change++) {
      const zone = dice.below(blocks.length);
      const block = dice.pick(blocks[zone] ?? []);
      reader.enter();
      image.put(block);
      live[zone] = block.length;
      peak = Math.max(
        peak,
        live.reduce((sum, octets) => sum + octets),
      );
    }
    expect(image.usedOctets).toBeLessThan(peak * 1.2);
  });
});

describe('compileZone', () => {
  it('takes less than 60 octets for an A record with a separate name', () => {
    const [small, large] = [100, 1100].map((n) => compileZone(zoneOf('a.test.', 1, n)).length);
    expect(((large ?? 0) - (small ?? 0)) / 1000).toBeLessThan(60);
  });

  it('RFC 2181 s5: counts a repeated record once', () => {
    const image = ImageWriter.create(IMAGE_OCTETS);
    const zone = zoneOf('a.test.', 1);
    image.put(compileZone({ ...zone, records: [...zone.records, ...zone.records] }));
    expect(image.records).toBe(3);
  });

  it('refuses a zone without SOA', () => {
    const zone = zoneOf('a.test.', 1);
    const records = [...zone.records].filter(({ type }) => type !== RR_TYPE.SOA);
    expect(() => compileZone({ ...zone, records })).toThrow('a.test. has no SOA');
  });

  it.each(['b.test.', 'xa.test.', 'test.', '.'])(
    'refuses an owner outside the zone: %s',
    (owner) => {
      const zone = zoneOf('a.test.', 1);
      const stranger = {
        owner: nameToWire(owner),
        type: RR_TYPE.A,
        ttl: 1,
        rdata: new Uint8Array(4),
      };
      const records = [...zone.records, stranger];
      expect(() => compileZone({ ...zone, records })).toThrow(
        `${owner} is not in the zone a.test.`,
      );
    },
  );

  it('refuses rdata with an invalid name', () => {
    const zone = zoneOf('a.test.', 1);
    const broken = {
      owner: nameToWire('a.test.'),
      type: RR_TYPE.MX,
      ttl: 1,
      rdata: new Uint8Array([0, 1, 5]),
    };
    expect(() => compileZone({ ...zone, records: [...zone.records, broken] })).toThrow(
      'Invalid MX rdata',
    );
  });
});
