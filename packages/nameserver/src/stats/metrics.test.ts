import { describe, expect, it } from '@jest/globals';
import { OUTCOME } from '../message/outcome.js';
import type { QueryContext } from '../message/query-context.js';
import { createRegistry } from './metrics.js';
import { createTransferCounters } from './transfer-counters.js';
import { createTransportCounters } from './transport-counters.js';

const counters = createTransportCounters();
const udp = counters.addUdpThread();
const registry = createRegistry({
  counters,
  transfers: createTransferCounters(),
  peers: () => 0,
  runningTransfers: () => 0,
  openTcpConnections: () => 3,
  zones: () => 2,
  records: () => 5,
  imageOctets: () => 4_096,
  signatureSecondsLeft: () => Infinity,
  failedZones: () => 0,
  failedSnapshots: () => 0,
  snapshotWrittenSeconds: () => 0,
  isFeedReachable: () => true,
  isDatabaseBelieved: () => true,
  feedLagSeconds: () => 0.5,
  lastAppliedSeconds: () => 1_700_000_000,
});

/** The properties of an answered query that the counters use. */
const ANSWERED = {
  outcome: OUTCOME.ANSWER,
  rcode: 0,
  qtype: 1,
  fault: null,
} as unknown as QueryContext;

/** Returns the lines of one metric without its help text. */
async function linesOf(name: string): Promise<string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line.startsWith(name));
}

describe('metrics in the form of Prometheus', () => {
  it('responses by rcode and transport', async () => {
    udp.queries.byRcode[0] = 4;
    udp.queries.byRcode[16] = 1;
    counters.tcp.queries.byRcode[3] = 2;
    expect(await linesOf('zonewright_nameserver_responses_total')).toEqual([
      'zonewright_nameserver_responses_total{transport="udp",rcode="NOERROR"} 4',
      'zonewright_nameserver_responses_total{transport="udp",rcode="BADVERS"} 1',
      'zonewright_nameserver_responses_total{transport="tcp",rcode="NXDOMAIN"} 2',
    ]);
  });

  it('questions by type and transport; types above CAA are counted together', async () => {
    udp.queries.byType[28] = 7;
    counters.tcp.queries.byType[258] = 1;
    expect(await linesOf('zonewright_nameserver_questions_total')).toEqual([
      'zonewright_nameserver_questions_total{transport="udp",type="AAAA"} 7',
      'zonewright_nameserver_questions_total{transport="tcp",type="other"} 1',
    ]);
  });

  it('response sizes as a histogram, whose buckets include all smaller sizes', async () => {
    for (const octets of [100, 100, 100, 1_000, 1_000, 17_000]) udp.queries.count(ANSWERED, octets);
    const lines = await linesOf('zonewright_nameserver_response_size_bytes');
    const prefix = 'zonewright_nameserver_response_size_bytes_bucket{transport="udp",le=';
    expect(lines.filter((line) => line.includes('transport="udp"'))).toEqual([
      `${prefix}"64"} 0`,
      `${prefix}"128"} 3`,
      `${prefix}"256"} 3`,
      `${prefix}"512"} 3`,
      `${prefix}"1232"} 5`,
      `${prefix}"1452"} 5`,
      `${prefix}"4096"} 5`,
      `${prefix}"16384"} 5`,
      `${prefix}"+Inf"} 6`,
      'zonewright_nameserver_response_size_bytes_sum{transport="udp"} 19300',
      'zonewright_nameserver_response_size_bytes_count{transport="udp"} 6',
    ]);
  });
});
