import { isDatabaseUnavailable, secretIdentity } from '@zonewright/database';
import { TSIG_ALGORITHMS, type TsigKey } from '@zonewright/dns-records';
import { FairSlots, ServiceError } from '@zonewright/service-kit';
import {
  applyTransfer,
  claimDue,
  type DueSecondary,
  findFailingSecondaries,
  inTransaction,
  isSpecialAddress,
  isStillClaimed,
  joinFaults,
  noteFailure,
  type Primary,
  type Transfer,
  TransferFault,
  type UnitOfWork,
  withholdZone,
} from '@zonewright/zones';
import { Counter, Gauge, Histogram } from 'prom-client';
import { NO_SIGNER } from '../access/signer-client.js';
import type { Context } from '../context/context.js';
import { fetchZone } from './fetch-zone.js';
import { RepeatedJob } from './repeated-job.js';

/** The interval of the checks for due zones. */
const IDLE_MS = 500;
/** The number of concurrent transfers for one tenant, so that its slow primaries do not delay other tenants. */
const MOST_OF_TENANT = 2;
/** Interval at which a running transfer checks that its zone still needs it. A claim lasts for 30 s. */
const HOLD_MS = 2_000;
/** Limits in seconds of the times of an SOA. */
const LEAST_REFRESH = 30;
const MOST_REFRESH = 86_400;
const LEAST_RETRY = 10;
const MOST_RETRY = 3_600;
/** The random part of the interval, which spreads the requests for the zones of one primary. */
const SPREAD = 0.1;
const MAX_PROBLEM_CHARACTERS = 500;

/**
 * Keeps secondary zones equal to their primaries (ADR 0040). The state of the work is in the rows. One process at a
 * time works on a zone; when it ends, another continues.
 */
export class SecondaryRefresher extends RepeatedJob {
  readonly #context: Context;
  readonly #metrics: RefreshMetrics;
  readonly #running = new Set<Promise<void>>();
  /** Tenants of the zones that are being transferred. */
  readonly #tenants = new Set<string>();
  readonly #slots: FairSlots;
  readonly #ending = new AbortController();

  constructor(context: Context) {
    const onFailure = 'secondary zones cannot be listed; trying again';
    super({ log: context.log, restMs: IDLE_MS, onFailure });
    this.#context = context;
    this.#metrics = new RefreshMetrics(context);
    const total = context.settings.secondaries.maxTransfers;
    this.#slots = new FairSlots({ total, perOwner: MOST_OF_TENANT });
  }

  override start(restMs?: number): void {
    if (this.#context.settings.secondaries.isAsking) super.start(restMs);
  }

  /** Aborts running transfers, which then write nothing. */
  override async stop(): Promise<void> {
    this.#ending.abort();
    await super.stop();
    await Promise.all(this.#running);
  }

  /** Starts a transfer for each free slot. */
  override async run(): Promise<void> {
    const { maxTransfers } = this.#context.settings.secondaries;
    while (this.#slots.taken < maxTransfers && (await this.#startNext()));
  }

  /**
   * Starts the transfer of one zone at a time, because a tenant's share depends on its running transfers.
   * @returns false if no zone is due
   */
  async #startNext(): Promise<boolean> {
    const busyTenants = [...this.#tenants].filter((tenant) => !this.#slots.hasRoom(tenant));
    const [due] = await claimDue(this.#context.db, { limit: 1, busyTenants });
    if (due === undefined) return false;
    const { tenantId } = due;
    this.#slots.count(tenantId);
    this.#tenants.add(tenantId);
    const running = this.#refresh(due).finally(() => {
      this.#running.delete(running);
      this.#slots.leave(tenantId);
      if (this.#slots.takenBy(tenantId) === 0) this.#tenants.delete(tenantId);
    });
    this.#running.add(running);
    return true;
  }

  async #refresh(due: DueSecondary): Promise<void> {
    const { db, log, clock } = this.#context;
    const startedAt = clock.now();
    const about = { zone: due.name, tenantId: due.tenantId };
    const gone = new AbortController();
    const hold = setInterval(() => {
      // Without PostgreSQL the transfer continues until the claim expires.
      void isStillClaimed(db, due).then(
        (isHeld) => {
          if (!isHeld) gone.abort();
        },
        () => undefined,
      );
    }, HOLD_MS);
    try {
      const { form, serial } = await this.#ask(due, gone.signal);
      this.#metrics.count(form, (clock.now() - startedAt) / 1_000);
      if (form !== 'current') {
        log.info({ ...about, form, serial, ms: clock.now() - startedAt }, 'a zone was transferred');
      }
    } catch (error) {
      if (!gone.signal.aborted) await this.#fail(due, error);
    } finally {
      clearInterval(hold);
    }
  }

  /**
   * Tries one primary after the other until one has the zone.
   * @param gone aborted if the zone is deleted or gets other primaries
   */
  async #ask(due: DueSecondary, gone: AbortSignal) {
    const faults: [address: string, TransferFault][] = [];
    for (const primary of due.primaries) {
      try {
        return await this.#askOne(due, primary, gone);
      } catch (error) {
        if (!(error instanceof TransferFault) || gone.aborted) throw error;
        faults.push([primary.address, error]);
      }
    }
    throw joinFaults(faults);
  }

  async #askOne(due: DueSecondary, primary: Primary, gone: AbortSignal) {
    const { settings } = this.#context;
    const { mayBePrivate, maxOctets, timeoutSeconds } = settings.secondaries;
    if (!mayBePrivate && isSpecialAddress(primary.address)) {
      throw new TransferFault('not-public', 'its address is not public');
    }
    const wanted = {
      zone: due.name,
      known: due.serial ?? undefined,
      key: this.#keyOf(due),
      maxOctets,
      maxRecords: due.maxRecords ?? settings.rules.maxDomainRecords,
      signal: AbortSignal.any([
        this.#ending.signal,
        gone,
        AbortSignal.timeout(timeoutSeconds * 1_000),
      ]),
    };
    const transfer = await fetchZone(primary, wanted);
    try {
      return await this.#take(due, primary, transfer);
    } catch (error) {
      if (!(error instanceof TransferFault) || transfer.steps === undefined) throw error;
      // The changes do not fit the stored version, so the whole zone is transferred.
      const whole = await fetchZone(primary, { ...wanted, known: undefined });
      return await this.#take(due, primary, whole);
    }
  }

  async #take(due: DueSecondary, { address }: Primary, transfer: Transfer) {
    const { serial } = transfer.soa;
    const note = `serial ${serial} of ${address}`;
    await this.#write(due, note, (work) =>
      applyTransfer(work, due, transfer, nextSeconds(transfer)),
    );
    return { form: formOf(transfer), serial };
  }

  async #fail(due: DueSecondary, error: unknown): Promise<void> {
    const { db, log } = this.#context;
    if (this.#ending.signal.aborted) return;
    this.#metrics.count('failed', 0);
    const isGone = error instanceof ServiceError && error.kind === 'not-found';
    if (isGone) return;
    const isTold = error instanceof TransferFault;
    if (!isTold) log.warn({ err: error, zone: due.name }, 'a zone could not be transferred');
    const problem = isTold ? error.message : 'this service could not store it';
    try {
      const leastSeconds = Math.min(LEAST_RETRY * 2 ** Math.min(due.failures, 10), MOST_RETRY);
      const { isExpired } = await noteFailure(db, due, {
        problem: problem.slice(0, MAX_PROBLEM_CHARACTERS),
        leastSeconds,
        reason: isTold ? error.reason : 'internal',
        isOfPrimary: isTold,
      });
      if (isExpired) await this.#write(due, undefined, (work) => withholdZone(work, due.zoneId));
    } catch (failure) {
      if (!isDatabaseUnavailable(failure))
        log.warn({ err: failure }, 'a failed transfer could not be recorded');
    }
  }

  async #write<T>(
    due: DueSecondary,
    note: string | undefined,
    perform: (work: UnitOfWork) => Promise<T>,
  ): Promise<T> {
    const { settings, db, clock, metrics } = this.#context;
    const written = { octets: 0 };
    const rules = { ...settings.rules, cloudAdminRoles: settings.access.cloudAdminRoles };
    const caller = { userId: 'primary', tenantId: due.tenantId, roles: [] };
    const signer = NO_SIGNER;
    const zonesToKeep = new Set<string>();
    const parts = { caller, note, rules, clock, signer, written, zonesToKeep, isDryRun: false };
    const source = 'transfer' as const;
    const requestId = `transfer-${due.heldBy}`;
    try {
      return await inTransaction(
        db,
        (trx) => perform({ ...parts, trx, source, requestId, hints: { mixedTtl: false } }),
        () => {
          metrics.transactionRetries.inc();
        },
      );
    } finally {
      metrics.writtenOctets.inc(written.octets);
    }
  }

  /** @throws TransferFault if the key cannot be decrypted */
  #keyOf({ zoneId, keyName, keyAlgorithm, sealed, keyId }: DueSecondary): TsigKey | undefined {
    if (keyName === null || sealed === null || keyId === null) return undefined;
    const algorithm = TSIG_ALGORITHMS.find((each) => each === keyAlgorithm);
    const { transferKeys } = this.#context.settings;
    if (algorithm === undefined || transferKeys === undefined) {
      throw new TransferFault('key', 'the key cannot be used here; the operator can find out why');
    }
    const secret = transferKeys.open({ sealed, keyId }, secretIdentity.primaryKey(zoneId));
    return { name: keyName, algorithm, secret };
  }
}

function formOf({ records, steps }: Transfer): 'axfr' | 'ixfr' | 'current' {
  if (records !== undefined) return 'axfr';
  return steps === undefined ? 'current' : 'ixfr';
}

/** Returns the seconds until the next refresh, from the REFRESH field (RFC 1034, section 4.3.5). */
function nextSeconds({ soa: { refresh } }: Transfer): number {
  const seconds = Math.min(Math.max(refresh, LEAST_REFRESH), MOST_REFRESH);
  return Math.round(seconds * (1 - SPREAD * Math.random()));
}

/** The result of a request to a zone's primaries. */
type RefreshOutcome = 'axfr' | 'ixfr' | 'current' | 'failed';

/** Metrics of secondary zones (ADR 0040). */
class RefreshMetrics {
  readonly #refreshes: Counter<'outcome'>;
  readonly #seconds: Histogram<'outcome'>;

  constructor({ db, metrics, log }: Pick<Context, 'db' | 'metrics' | 'log'>) {
    const registers = [metrics.registry];
    this.#refreshes = new Counter({
      name: 'zonewright_dns_api_secondary_refreshes_total',
      help: 'Queries to primaries, by outcome: axfr, ixfr, current, failed.',
      labelNames: ['outcome'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'zonewright_dns_api_secondary_refresh_seconds',
      help: 'Time from the query to a primary until the zone was stored.',
      labelNames: ['outcome'],
      buckets: [0.01, 0.05, 0.2, 1, 5, 30, 120],
      registers,
    });
    new Gauge({
      name: 'zonewright_dns_api_secondary_failing_zones',
      help: 'Secondary zones whose primaries failed three times in a row.',
      registers,
      async collect() {
        try {
          this.set((await findFailingSecondaries(db)).count);
        } catch (error) {
          log.debug({ err: error }, 'failing secondary zones cannot be counted');
        }
      },
    });
  }

  count(outcome: RefreshOutcome, seconds: number): void {
    this.#refreshes.inc({ outcome });
    if (outcome !== 'failed') this.#seconds.observe({ outcome }, seconds);
  }
}
