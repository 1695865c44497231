import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@zonewright/service-kit';
import { InProcessServer } from './support/in-process-server.js';
import { MinuteSummary } from '../src/stats/minute-summary.js';
import { createTransportCounters } from '../src/stats/transport-counters.js';

describe('MinuteSummary', () => {
  it('logs the counts since the last line, and nothing if there were none', () => {
    const lines: unknown[] = [];
    const log = createLogger('test', 'info', { write: (line) => lines.push(JSON.parse(line)) });
    const counters = createTransportCounters();
    const { context } = new InProcessServer([]);
    const udp = counters.addUdpThread();
    const summary = new MinuteSummary(counters, log);
    for (let i = 0; i < 5; i++) udp.queries.count(context, 0);
    for (let i = 0; i < 2; i++) counters.tcp.queries.count(context, 100);
    summary.write();
    for (let i = 0; i < 2; i++) udp.queries.count(context, 0);
    udp.countRateLimitDrop();
    summary.write();
    summary.write();
    expect(lines).toEqual([
      expect.objectContaining({ udpQueries: 5, responses: 2, rateLimited: 0 }),
      expect.objectContaining({ udpQueries: 2, responses: 0, rateLimited: 1 }),
    ]);
  });
});
