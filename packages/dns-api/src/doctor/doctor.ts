import type { Database } from '@zonewright/database';
import { type Clock, ServiceError } from '@zonewright/service-kit';
import type { StatusReader, Zone } from '@zonewright/zones';
import type { DnsApiSettings } from '../settings/settings.js';
import type { ExaminationResult } from './examination.js';
import { examineZone } from './examine-zone.js';

interface DoctorOptions {
  readonly settings: DnsApiSettings['check'];
  readonly db: Database;
  readonly statuses: StatusReader;
  readonly clock: Clock;
}

/** What was found out about a domain is given again for so long. */
const REMEMBERED_MS = 5_000;
/** Each check asks some seventy questions at most: together they are never a flood. */
const MAX_RUNNING = 8;
/** A tenant's checks of different domains follow each other after this time. */
const TENANT_INTERVAL_MS = 1_000;

interface Known {
  readonly startedAt: number;
  readonly result: Promise<ExaminationResult>;
}

/**
 * Examines domains, few at a time: nobody can make this service ask others more than it can bear. Only the configured
 * resolver and our own nameservers are ever asked.
 */
export class Doctor {
  readonly #options: DoctorOptions;
  /** By zone. */
  readonly #known = new Map<string, Known>();
  readonly #lastOfTenant = new Map<string, number>();
  #running = 0;

  constructor(options: DoctorOptions) {
    this.#options = options;
  }

  /** @throws ServiceError `rate-limited`. */
  async examine(zone: Zone): Promise<ExaminationResult> {
    this.#forgetOld();
    const known = this.#known.get(zone.id);
    if (known !== undefined) return await known.result;
    const now = this.#options.clock.now();
    if (this.#running >= MAX_RUNNING || this.#lastOfTenant.has(zone.tenantId)) {
      throw new ServiceError(
        'rate-limited',
        'Domains are checked one after the other, one a second for each tenant; try again in a second.',
      );
    }
    this.#lastOfTenant.set(zone.tenantId, now);
    const result = this.#run(zone);
    this.#known.set(zone.id, { startedAt: now, result });
    result.catch(() => this.#known.delete(zone.id));
    return await result;
  }

  async #run(zone: Zone): Promise<ExaminationResult> {
    const { settings, db, statuses, clock } = this.#options;
    this.#running++;
    try {
      const checkedAt = new Date(clock.now());
      const servers = await statuses.read();
      const result = await examineZone({ db, zone, servers, ...settings });
      return { ...result, checkedAt };
    } finally {
      this.#running--;
    }
  }

  #forgetOld(): void {
    const now = this.#options.clock.now();
    for (const [id, { startedAt }] of this.#known) {
      if (now - startedAt >= REMEMBERED_MS) this.#known.delete(id);
    }
    for (const [tenant, startedAt] of this.#lastOfTenant) {
      if (now - startedAt >= TENANT_INTERVAL_MS) this.#lastOfTenant.delete(tenant);
    }
  }
}
