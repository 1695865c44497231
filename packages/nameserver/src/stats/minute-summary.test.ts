import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@zonewright/service-kit';
import { MinuteSummary } from './minute-summary.js';
import { createTransportCounters } from './transport-counters.js';

describe('MinuteSummary', () => {
  it('style 2.8: logs what was counted since the last line, and nothing when nothing was', () => {
    const lines: unknown[] = [];
    const log = createLogger('test', 'info', { write: (line) => lines.push(JSON.parse(line)) });
    const counters = createTransportCounters();
    const summary = new MinuteSummary(counters, log);
    counters.udp.queries.queries = 5;
    counters.tcp.queries.responses = 2;
    summary.write();
    counters.udp.queries.queries = 7;
    counters.udp.rateLimitDrops = 1;
    summary.write();
    summary.write();
    expect(lines).toEqual([
      expect.objectContaining({ udpQueries: 5, responses: 2, rateLimited: 0 }),
      expect.objectContaining({ udpQueries: 2, responses: 0, rateLimited: 1 }),
    ]);
  });
});
