import { describe, expect, it } from '@jest/globals';
import { nameToWire } from '@zonewright/dns-records';
import { parseZone } from '../conformance/support/zones.js';
import { compileZone } from '../src/compile/compile-zone.js';
import { ImageCapture } from '../src/image/image-capture.js';
import { ImageWriter } from '../src/image/image-writer.js';

const ZONES = 400;
const IMAGE_OCTETS = 4 * 1024 * 1024;

function zone(number: number, serial: number): Uint8Array {
  const apex = `z${number}.example.`;
  const soa = `@ 300 IN SOA ns.example. admin.example. ${serial} 1 1 1 1`;
  return compileZone(parseZone(apex, `${soa}\nwww 60 IN A 192.0.2.${number % 256}\n`));
}

describe('ImageCapture', () => {
  it('contains the image as it was, however zones change while it is read', () => {
    const image = ImageWriter.create(IMAGE_OCTETS);
    for (let i = 0; i < ZONES; i++) image.put(zone(i, 1));
    const capture = new ImageCapture(image.buffer);
    const copy = new SharedArrayBuffer(IMAGE_OCTETS);
    const octets = new Uint8Array(copy);
    for (let at = 0, round = 2; at < capture.octets; round++) {
      for (let i = 0; i < ZONES; i++) image.put(zone(i, round));
      image.remove(nameToWire(`z${round}.example.`));
      const chunk = new Uint8Array(20_000);
      const read = capture.read(at, chunk);
      octets.set(chunk.subarray(0, read), at);
      at += read;
    }
    capture.release();
    const restored = ImageWriter.resume(copy);
    expect(restored.zones).toBe(ZONES);
    for (let i = 0; i < ZONES; i++) {
      expect(restored.zoneSerial(nameToWire(`z${i}.example.`))).toBe(1);
    }
    const used = image.usedOctets;
    for (let i = 0; i < ZONES; i++) image.put(zone(i, 99));
    expect(image.usedOctets).toBe(used);
  });
});
