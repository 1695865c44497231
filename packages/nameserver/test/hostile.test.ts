import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';

import { readConformanceZones } from '../conformance/support/zones.js';
import { decodeMessage } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import { assertAnswer } from './support/assert-answer.js';
import { allTruncations, Dice, makeHostileMessage } from './support/hostile-messages.js';
import { InProcessServer } from './support/in-process-server.js';

/** The number of messages; `npm run test:faults` sends 1,000,000. */
const MESSAGES = Number(process.env['HOSTILE_MESSAGES'] ?? 250_000);
const SEED = 20_261_121;
/** One message in this number is a normal query. */
const HONEST_EVERY = 100;
/** One answer in this number is read by a strict reader, which takes longer than the server. */
const READ_EVERY = 20;
/**
 * The time limit of one message. It takes some microseconds, but a busy machine may stop the whole process in between.
 */
const MAX_MILLISECONDS = 5_000;
const MAX_GROWTH_OCTETS = 64 * 1024 * 1024;

const HONEST = buildQuery({ question: 'www.corp.test. A' });

describe('hostile messages', () => {
  it('RFC 1035 s4.1: a query that is cut off at any octet gets FORMERR or no answer', () => {
    const server = new InProcessServer(readConformanceZones());
    for (const query of allTruncations()) {
      const answer = server.answer('UDP', query);
      assertAnswer(query, answer);
      if (answer !== undefined) assert.equal(decodeMessage(answer).rcode, 'FORMERR');
    }
    expect(server.context.fault).toBeNull();
  });

  it(`${MESSAGES} of them: no error, no answer to a response, limited time, the same memory`, () => {
    const server = new InProcessServer(readConformanceZones());
    const dice = new Dice(SEED);
    const memoryBefore = process.memoryUsage().rss;
    let slowest = 0;
    for (let i = 0; i < MESSAGES; i++) {
      const query = makeHostileMessage(dice);
      const start = performance.now();
      const answer = server.answer('UDP', query);
      slowest = Math.max(slowest, performance.now() - start);
      assertAnswer(query, answer);
      if (answer !== undefined && i % READ_EVERY === 0) decodeMessage(answer);
      if (i % HONEST_EVERY === 0) {
        assert.equal(
          decodeMessage(server.answer('UDP', HONEST) ?? Buffer.alloc(0)).answers.length,
          1,
        );
      }
    }
    expect(slowest).toBeLessThan(MAX_MILLISECONDS);
    expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(MAX_GROWTH_OCTETS);
  }, 120_000);
});
