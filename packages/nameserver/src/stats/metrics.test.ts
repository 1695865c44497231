import { describe, expect, it } from '@jest/globals';
import { createRegistry } from './metrics.js';
import { createTransportCounters } from './transport-counters.js';

const counters = createTransportCounters();
const registry = createRegistry({
  counters,
  faults: () => 0,
  openTcpConnections: () => 3,
  zones: () => 2,
  records: () => 5,
  imageOctets: () => 4_096,
  failedZones: () => 0,
  isFeedReachable: () => true,
  feedLagSeconds: () => 0.5,
  lastAppliedSeconds: () => 1_700_000_000,
});

/** Lines of one metric, without its help. */
async function linesOf(name: string): Promise<string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line.startsWith(name));
}

describe('metrics in the form of Prometheus', () => {
  it('issue 5: responses by rcode and transport', async () => {
    counters.udp.queries.byRcode[0] = 4;
    counters.udp.queries.byRcode[16] = 1;
    counters.tcp.queries.byRcode[3] = 2;
    expect(await linesOf('nameserver_responses_total')).toEqual([
      'nameserver_responses_total{transport="udp",rcode="NOERROR"} 4',
      'nameserver_responses_total{transport="udp",rcode="BADVERS"} 1',
      'nameserver_responses_total{transport="tcp",rcode="NXDOMAIN"} 2',
    ]);
  });

  it('issue 5: questions by type and transport; types above CAA together', async () => {
    counters.udp.queries.byType[28] = 7;
    counters.tcp.queries.byType[258] = 1;
    expect(await linesOf('nameserver_questions_total')).toEqual([
      'nameserver_questions_total{transport="udp",type="AAAA"} 7',
      'nameserver_questions_total{transport="tcp",type="other"} 1',
    ]);
  });

  it('issue 5: response sizes as a histogram, each bucket with all that are smaller', async () => {
    const { queries } = counters.udp;
    queries.bySize[1] = 3;
    queries.bySize[4] = 2;
    queries.bySize[8] = 1;
    queries.responses = 6;
    queries.responseOctets = 20_000;
    const lines = await linesOf('nameserver_response_size_bytes');
    const prefix = 'nameserver_response_size_bytes_bucket{transport="udp",le=';
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
      'nameserver_response_size_bytes_sum{transport="udp"} 20000',
      'nameserver_response_size_bytes_count{transport="udp"} 6',
    ]);
  });
});
