import { describe, expect, it } from '@jest/globals';
import { nameToWire, RR_TYPE, typeMnemonic } from '@zonewright/dns-records';
import { addRecord, finishRrsets, type ZoneNode } from './zone-tree.js';

const owner = nameToWire('www.example.');
const ADDRESS = Uint8Array.of(192, 0, 2, 1);
const TEXT = Uint8Array.of(1, 97);

function rrsigOf(type: number): Uint8Array {
  const rdata = Buffer.alloc(30);
  rdata.writeUInt16BE(type, 0);
  return rdata;
}

/** Shows the RRsets as `TYPE TTL`, in order. */
function finish(...records: readonly (readonly [type: number, ttl: number, rdata: Uint8Array])[]) {
  const node: ZoneNode = { name: '', hash: 0, flags: 0, rrsets: [] };
  for (const [type, ttl, rdata] of records) addRecord(node, { owner, type, ttl, rdata });
  finishRrsets(node);
  return node.rrsets.map(({ type, ttl }) => `${typeMnemonic(type)} ${ttl}`);
}

describe('RRsets of a name', () => {
  it.each([60, 7_200])(
    'RFC 4034 s3.1.4: a signed RRset has its signed TTL, not the %s s that its zone has since then',
    (ttl) => {
      expect(
        finish(
          [RR_TYPE.RRSIG, 3_600, rrsigOf(RR_TYPE.A)],
          [RR_TYPE.TXT, ttl, TEXT],
          [RR_TYPE.A, ttl, ADDRESS],
        ),
      ).toEqual(['A 3600', 'RRSIG 3600', `TXT ${ttl}`]);
    },
  );

  it('are in the order of types, each with its signatures after it', () => {
    expect(
      finish(
        [RR_TYPE.TXT, 60, TEXT],
        [RR_TYPE.RRSIG, 60, rrsigOf(RR_TYPE.TXT)],
        [RR_TYPE.RRSIG, 60, rrsigOf(RR_TYPE.A)],
        [RR_TYPE.A, 60, ADDRESS],
      ),
    ).toEqual(['A 60', 'RRSIG 60', 'TXT 60', 'RRSIG 60']);
  });
});
