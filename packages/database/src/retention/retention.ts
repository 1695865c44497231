import { setTimeout as delay } from 'node:timers/promises';
import {
  type Clock,
  intervalAfter,
  type Logger,
  type Pace,
  type RetentionMetrics,
} from '@zonewright/service-kit';
import { type Database, openDatabase } from '../connection/connection.js';
import { isDatabaseUnavailable } from '../connection/errors.js';
import { tryLockName } from '../connection/name-locks.js';
import type { RetentionRule } from './retention-rule.js';

interface RetentionOptions {
  readonly databaseUrl: string;
  readonly applicationName: string;
  /** The schema whose tables are measured. */
  readonly schema: 'identity' | 'dns';
  readonly rules: readonly RetentionRule[];
  readonly metrics: RetentionMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The interval of the checks for due rules. */
const TICK_MS = 30_000;
/** A pause after each batch, four times as long as the batch, limits it to a fifth of one connection's time. */
const REST: Pace = { share: 4, leastMs: 5, mostMs: 5_000 };
/** The statement timeout. It is long because a domain is removed with all its records. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** The time that a stopping process waits for a statement; PostgreSQL undoes a longer one. */
const STOP_WITHIN_MS = 500;
/** The largest tolerated difference from PostgreSQL's clock. If it is larger, nothing is removed. */
const CLOCK_TOLERANCE_MS = 60 * 60 * 1_000;

/**
 * Removes old rows, kind by kind and batch by batch, for as long as the service runs. Replicas take turns: only one of
 * them at a time removes rows of a kind. A failure is logged, and the next check tries again.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #db: Database;
  readonly #dueAt = new Map<RetentionRule, number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  #isStopped = false;
  #endRest: (() => void) | undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
    const { databaseUrl: url, applicationName } = options;
    // A separate pool, so that no request has to wait for a connection.
    this.#db = openDatabase({
      url,
      applicationName,
      maxConnections: 1,
      requiresSchema: true,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
  }

  start(): void {
    this.#timer = setInterval(() => {
      if (this.#isRunning) return;
      this.#isRunning = true;
      this.#running = this.run(true).finally(() => {
        this.#isRunning = false;
      });
    }, TICK_MS);
    this.#timer.unref();
  }

  /** Stops after the current batch if that ends soon. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#endRest?.();
    await Promise.race([this.#running, delay(STOP_WITHIN_MS, undefined, { ref: false })]);
    await Promise.race([this.#db.destroy(), delay(STOP_WITHIN_MS, undefined, { ref: false })]);
  }

  /** Removes rows of all kinds, or only of those that are due, until nothing is left to remove. */
  async run(onlyDue = false): Promise<void> {
    const { rules, log } = this.#options;
    const startedAt = performance.now();
    const due = rules.filter((rule) => !onlyDue || (this.#dueAt.get(rule) ?? 0) <= startedAt);
    for (const rule of due) {
      if (this.#isStopped) return;
      this.#dueAt.set(rule, startedAt + rule.everyMs);
      try {
        await this.#removeAll(rule);
        await this.#readAge(rule);
      } catch (error) {
        // Other users of the database report that it is not available.
        const level = isDatabaseUnavailable(error) ? 'debug' : 'warn';
        log[level]({ err: error, kind: rule.kind }, 'old rows cannot be removed; trying again');
      }
    }
    await this.#measure();
  }

  async #removeAll(rule: RetentionRule): Promise<void> {
    while (!this.#isStopped) {
      const startedAt = performance.now();
      const batch = await this.#db.transaction((trx) => this.#removeBatch(trx, rule));
      this.#options.metrics.countRemoved(rule, batch.removed);
      if (batch.isDone) return;
      await this.#rest(intervalAfter(performance.now() - startedAt, REST));
    }
  }

  async #removeBatch(trx: Database, rule: RetentionRule) {
    const { clock, log } = this.#options;
    if (!(await tryLockName(trx, 'retention', rule.kind))) return { removed: 0, isDone: true };
    const { rows } = await trx.raw<{ rows: { now: Date }[] }>('select now() as now');
    const now = clock.now();
    const skew = Math.abs(now - Number(rows[0]?.now));
    if (skew > CLOCK_TOLERANCE_MS) {
      log.warn(
        { skewMs: skew },
        'nothing is removed: the clocks of this machine and PostgreSQL differ',
      );
      return { removed: 0, isDone: true };
    }
    return await rule.removeBatch(trx, new Date(now));
  }

  async #readAge(rule: RetentionRule): Promise<void> {
    if (rule.oldest === undefined) return;
    const { rows } = await this.#db.raw<{ rows: { oldest: Date | null }[] }>(rule.oldest);
    const { clock, metrics } = this.#options;
    const since = rows[0]?.oldest ?? null;
    metrics.setOldest(rule, since === null ? 0 : Math.max(0, clock.now() - since.getTime()));
  }

  async #measure(): Promise<void> {
    const { metrics, schema, log } = this.#options;
    try {
      metrics.setTableSizes(await listTableSizes(this.#db, schema));
    } catch (error) {
      log.debug({ err: error }, 'tables cannot be measured');
    }
  }

  async #rest(ms: number): Promise<void> {
    if (this.#isStopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endRest = undefined;
  }
}

/** The size of a table on disk, with its indexes and its long values. */
export interface TableSize {
  /** The table's name with its schema. */
  readonly table: string;
  readonly octets: number;
}

/** Lists the tables of the given schemas, the largest first. The login needs no rights to the tables themselves. */
export async function listTableSizes(db: Database, ...schemas: string[]): Promise<TableSize[]> {
  const { rows } = await db.raw<{ rows: TableSize[] }>(
    `select n.nspname || '.' || c.relname as "table", pg_total_relation_size(c.oid) as octets
       from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where n.nspname = any(?::text[]) and c.relkind = 'r'
      order by octets desc`,
    [schemas],
  );
  return rows;
}
