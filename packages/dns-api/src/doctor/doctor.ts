import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@zonewright/database';
import { type Clock, ServiceError } from '@zonewright/service-kit';
import { findSecondary, type StatusReader, type Zone } from '@zonewright/zones';
import type { DnsApiSettings } from '../settings/settings.js';
import { checkDelegation, checkGlue } from './check-delegation.js';
import { checkNameservers, type NameserversChecked } from './check-nameservers.js';
import { checkRecords } from './check-records.js';
import { checkSecondaries } from './check-secondaries.js';
import { checkTargets } from './check-targets.js';
import { checkTtls } from './check-ttls.js';
import {
  type Examination,
  type ExaminationResult,
  finding,
  joinResults,
  type Part,
  type PartResult,
  type Severity,
} from './finding.js';

interface DoctorOptions {
  readonly settings: DnsApiSettings['check'];
  readonly db: Database;
  readonly statuses: StatusReader;
  readonly clock: Clock;
}

/** The time for which the results for a version of a domain are cached. */
const REMEMBERED_MS = 5_000;
/** The limit of concurrent checks. Each sends up to about seventy queries, so together they do not overload servers. */
const MAX_RUNNING = 8;
/** The minimum interval between the starts of a tenant's checks; one check may wait for it. */
const TENANT_INTERVAL_MS = 1_000;

interface Known {
  readonly serial: number;
  readonly startedAt: number;
  readonly result: Promise<ExaminationResult>;
}

/**
 * Checks domains, a few at a time, so that nobody can make this service flood others with queries. It queries only the
 * configured resolver and our own nameservers.
 */
export class Doctor {
  readonly #options: DoctorOptions;
  /** Cached results by zone. */
  readonly #known = new Map<string, Known>();
  /** The earliest time when the next check of a tenant may begin. */
  readonly #nextOfTenant = new Map<string, number>();
  #running = 0;

  constructor(options: DoctorOptions) {
    this.#options = options;
  }

  /** @throws ServiceError `rate-limited` */
  async examine(zone: Zone): Promise<ExaminationResult> {
    const now = this.#options.clock.now();
    this.#forgetOld(now);
    const known = this.#known.get(zone.id);
    if (known?.serial === zone.serial) return await known.result;
    const startsAt = Math.max(now, this.#nextOfTenant.get(zone.tenantId) ?? 0);
    if (this.#running >= MAX_RUNNING || startsAt - now > TENANT_INTERVAL_MS) {
      if (known !== undefined) return await known.result;
      throw tooMany();
    }
    this.#nextOfTenant.set(zone.tenantId, startsAt + TENANT_INTERVAL_MS);
    const result = this.#run(zone, startsAt - now);
    const next = { serial: zone.serial, startedAt: startsAt, result };
    this.#known.set(zone.id, next);
    result.catch(() => {
      if (this.#known.get(zone.id) === next) this.#known.delete(zone.id);
    });
    return await result;
  }

  async #run(zone: Zone, waitMs: number): Promise<ExaminationResult> {
    const { settings, db, statuses, clock } = this.#options;
    if (waitMs > 0) {
      await delay(waitMs);
      if (this.#running >= MAX_RUNNING) throw tooMany();
    }
    this.#running++;
    try {
      const checkedAt = new Date(clock.now());
      const servers = await statuses.read();
      const secondary = await findSecondary(db, zone.id);
      const result = await examineZone({ db, zone, secondary, servers, ...settings });
      return { ...result, checkedAt };
    } finally {
      this.#running--;
    }
  }

  #forgetOld(now: number): void {
    for (const [id, { startedAt }] of this.#known) {
      if (now - startedAt >= REMEMBERED_MS) this.#known.delete(id);
    }
    for (const [tenant, startsAt] of this.#nextOfTenant) {
      // If the clock was set back, the old times must delay no checks.
      if (startsAt <= now || startsAt > now + 2 * TENANT_INTERVAL_MS)
        this.#nextOfTenant.delete(tenant);
    }
  }
}

function tooMany(): ServiceError {
  return new ServiceError(
    'rate-limited',
    'Each project can check one domain per second; try again in a second.',
  );
}

/** The time limit for all checks, even if other servers are slow. */
const DEADLINE_MS = 5_000;
const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

/** Runs all checks of a domain concurrently, for 5 s at most. */
async function examineZone(
  examination: Examination,
): Promise<Omit<ExaminationResult, 'checkedAt'>> {
  const deadline = new AbortController();
  const late = delay(DEADLINE_MS, undefined, { signal: deadline.signal });
  late.catch(() => undefined);
  const inTime = <T>(check: Promise<T>, what: string, parts: readonly Part[]) =>
    Promise.race([check, late.then(() => notDone(what, parts))]);
  try {
    const servers = checkNameservers(examination);
    const ttls = servers.then(({ negativeTtl }) => checkTtls(examination, negativeTtl));
    const [asked, ...others] = await Promise.all([
      inTime<NameserversChecked | PartResult>(servers, 'the nameservers', ['nameservers']),
      inTime(checkDelegation(examination), 'the delegation', ['delegation']),
      inTime(checkGlue(examination), 'glue', ['glue', 'nameserver-addresses']),
      inTime(checkTargets(examination), 'targets', ['targets', 'targets-elsewhere']),
      inTime(ttls, 'TTLs', ['ttls']),
      inTime(checkRecords(examination), 'the records', ['records', 'spf-includes']),
      inTime(checkSecondaries(examination), 'secondaries', []),
    ]);
    const { findings, notChecked } = joinResults([asked, ...others]);
    return {
      zone: examination.zone,
      findings: findings.toSorted(
        (one, other) => ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity),
      ),
      notChecked: new Set(notChecked),
      nameservers: 'nameservers' in asked ? asked.nameservers : [],
      secondary: examination.secondary,
    };
  } finally {
    deadline.abort();
  }
}

function notDone(what: string, notChecked: readonly Part[]): PartResult {
  const message = `The check of ${what} was not finished within ${DEADLINE_MS / 1_000} s.`;
  const findings = [finding('info', 'check-not-finished', message, 'Check again later.')];
  return { findings, notChecked };
}
