import { Counter, Gauge, type Registry } from 'prom-client';

/** Counters of transfers to peers and of NOTIFY. */
export interface TransferCounters {
  readonly done: { axfr: number; ixfr: number };
  refused: number;
  /** Number of incomplete transfers: the client closed the connection or was too slow, or this process stopped. */
  cut: number;
  octets: number;
  /** Number of NOTIFY requests by response. */
  readonly notifies: Map<string, number>;
}

export function createTransferCounters(): TransferCounters {
  return { done: { axfr: 0, ixfr: 0 }, refused: 0, cut: 0, octets: 0, notifies: new Map() };
}

interface TransferSources {
  readonly transfers: TransferCounters;
  readonly peers: () => number;
  readonly runningTransfers: () => number;
}

/** Metrics of transfers to peers (docs/operations/secondaries.md). */
export function registerTransferMetrics(registry: Registry, sources: TransferSources): void {
  const { transfers, peers, runningTransfers } = sources;
  new Gauge({
    name: 'zonewright_nameserver_peers',
    help: 'Peers that may transfer zones.',
    registers: [registry],
    collect() {
      this.set(peers());
    },
  });
  new Gauge({
    name: 'zonewright_nameserver_transfers_running',
    help: 'Transfers in progress.',
    registers: [registry],
    collect() {
      this.set(runningTransfers());
    },
  });
  new Counter({
    name: 'zonewright_nameserver_transfers_total',
    help: 'Transfers, by outcome.',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset();
      const { done, refused, cut } = transfers;
      for (const [result, count] of Object.entries({ ...done, refused, cut })) {
        this.inc({ result }, count);
      }
    },
  });
  new Counter({
    name: 'zonewright_nameserver_transfer_bytes_total',
    help: 'Bytes of transfer messages.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(transfers.octets);
    },
  });
  new Counter({
    name: 'zonewright_nameserver_notifies_total',
    help: 'NOTIFY requests, by answer.',
    labelNames: ['answer'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [answer, count] of transfers.notifies) this.inc({ answer }, count);
    },
  });
}
