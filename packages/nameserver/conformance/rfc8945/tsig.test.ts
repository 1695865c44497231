import { describe, expect, it } from '@jest/globals';
import { nameToWire, RR_CLASS, RR_TYPE } from '@zonewright/dns-records';

import { TRANSPORTS, useServer } from '../support/cases.js';
import { buildMessage, buildOpt, buildQuestion, buildRecord } from '../support/query.js';

const QUESTION = buildQuestion('www.corp.test. A');
const ALGORITHM = nameToWire('hmac-sha256.');
const TIME_AND_FUDGE = Buffer.from('00006750c0de012c', 'hex');
const MAC = Buffer.alloc(32, 0xab);
const ID = Buffer.from([0x12, 0x34]);

/** The rdata of TSIG: algorithm, time and fudge, MAC, original id, error 0, no other data. */
const TSIG_RDATA = Buffer.concat([
  ALGORITHM,
  TIME_AND_FUDGE,
  Buffer.from([0, 32]),
  MAC,
  ID,
  Buffer.alloc(4),
]);
const TSIG = buildRecord('key.corp.test.', RR_TYPE.TSIG, RR_CLASS.ANY, 0, TSIG_RDATA);

describe.each(TRANSPORTS)('RFC 8945 over %s', (transport) => {
  const { exchange } = useServer();

  it('s5.2.1: an unknown key gets NOTAUTH, with an unsigned TSIG and BADKEY', async () => {
    const query = buildMessage({ questions: [QUESTION], additionals: [buildOpt({}), TSIG] });
    const response = await exchange(transport, query);
    expect(response).toMatchObject({ rcode: 'NOTAUTH', answers: [], authorities: [] });
    expect(response.opt).toBeDefined();
    const badKey = Buffer.concat([
      ALGORITHM,
      TIME_AND_FUDGE,
      Buffer.from([0, 0]),
      ID,
      Buffer.from([0, 17, 0, 0]),
    ]);
    expect(response.additionals).toEqual([
      `key.corp.test. 0 CLASS255 TSIG \\# ${badKey.length} ${badKey.toString('hex')}`,
    ]);
  });

  it('s5.1: a TSIG that is not the last record is FORMERR', async () => {
    const query = buildMessage({ questions: [QUESTION], additionals: [TSIG, buildOpt({})] });
    expect((await exchange(transport, query)).rcode).toBe('FORMERR');
  });

  it.each([0, 5, ALGORITHM.length, TSIG_RDATA.length - 1])(
    's5.2: a TSIG that ends after %i octets of rdata is FORMERR',
    async (length) => {
      const cut = buildRecord(
        'key.corp.test.',
        RR_TYPE.TSIG,
        RR_CLASS.ANY,
        0,
        TSIG_RDATA.subarray(0, length),
      );
      const query = buildMessage({ questions: [QUESTION], additionals: [cut] });
      expect((await exchange(transport, query)).rcode).toBe('FORMERR');
    },
  );
});
