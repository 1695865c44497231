import { Counter, Gauge, type Registry } from 'prom-client';

/** Kind of rows with a retention time, for metrics. */
interface RowKind {
  readonly kind: string;
  /** Undefined if rows are not removed because of their age. */
  readonly keptMs?: number;
}

/** Metrics of retention, with the values of the last check. */
export class RetentionMetrics {
  readonly #removed: Counter<'kind'>;
  readonly #oldest: Gauge<'kind'>;
  readonly #tableBytes: Gauge<'table'>;

  constructor(registry: Registry, rules: readonly RowKind[]) {
    const registers = [registry];
    this.#removed = new Counter({
      name: 'zonewright_retention_removed_rows_total',
      help: 'Rows removed because of their age, by kind.',
      labelNames: ['kind'],
      registers,
    });
    this.#oldest = new Gauge({
      name: 'zonewright_retention_oldest_seconds',
      help: 'Age of the oldest row, by kind.',
      labelNames: ['kind'],
      registers,
    });
    const kept = new Gauge({
      name: 'zonewright_retention_kept_seconds',
      help: 'Time for which rows are stored, by kind.',
      labelNames: ['kind'],
      registers,
    });
    this.#tableBytes = new Gauge({
      name: 'zonewright_database_table_bytes',
      help: 'Size of a table on disk with its indexes, in bytes.',
      labelNames: ['table'],
      registers,
    });
    for (const { kind, keptMs } of rules) {
      this.#removed.inc({ kind }, 0);
      if (keptMs !== undefined) kept.set({ kind }, keptMs / 1_000);
    }
  }

  countRemoved({ kind }: RowKind, rows: number): void {
    this.#removed.inc({ kind }, rows);
  }

  setOldest({ kind }: RowKind, ageMs: number): void {
    this.#oldest.set({ kind }, ageMs / 1_000);
  }

  setTableSizes(sizes: readonly { readonly table: string; readonly octets: number }[]): void {
    this.#tableBytes.reset();
    for (const { table, octets } of sizes) this.#tableBytes.set({ table }, octets);
  }
}
