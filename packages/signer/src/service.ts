import { countMostConnections, listRefusals, openDatabase } from '@zonewright/database';
import {
  type Clock,
  createLogger,
  type Logger,
  OperationsServer,
  nearestManifest,
  type RunnableService,
  ServiceRegistry,
  systemClock,
} from '@zonewright/service-kit';
import { Counter } from 'prom-client';
import { ClockCheck } from './jobs/clock-check.js';
import { ZoneAudit } from './jobs/zone-audit.js';
import { ZoneJobs } from './jobs/zone-jobs.js';
import { keyCreator } from './keys/private-keys.js';
import { PrivateKeys } from './keys/private-keys.js';
import type { SignerSettings } from './settings/settings.js';
import { SignServer } from './sign/sign-server.js';
import { ZoneKeySigner } from './sign/zone-key-signer.js';

/** Replacements of real objects in tests. */
export interface SignerOverrides {
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Whether the clock is compared with the database's. Tests that simulate months use a different clock. */
  readonly isClockChecked?: boolean;
}

interface Parts {
  readonly settings: SignerSettings;
  readonly log: Logger;
  readonly server: SignServer;
  readonly operations: OperationsServer;
  readonly close: () => Promise<void>;
}

/** Signs zones. It is the only process that decrypts their private keys, and no key leaves it. */
export class SignerService implements RunnableService {
  readonly jobs: ZoneJobs;
  readonly #parts: Parts;

  private constructor(jobs: ZoneJobs, parts: Parts) {
    this.jobs = jobs;
    this.#parts = parts;
  }

  static create(settings: SignerSettings, overrides: SignerOverrides = {}): SignerService {
    const { clock = systemClock, isClockChecked = true } = overrides;
    const log = overrides.log ?? createLogger('signer', settings.logLevel);
    const db = openDatabase({
      url: settings.database.url,
      applicationName: 'zonewright-signer',
      maxConnections: settings.database.maxConnections,
      requiresSchema: true,
    });
    const registry = new ServiceRegistry({
      service: 'signer',
      manifest: nearestManifest(import.meta.url),
      mostConnections: countMostConnections,
      refusals: listRefusals,
    });
    const signatures = new Counter({
      name: 'zonewright_signatures_made_total',
      help: 'Signatures made.',
      registers: [registry],
    });
    const done = new Counter({
      name: 'zonewright_signer_actions_total',
      help: 'Maintenance actions on signed zones, one transaction each.',
      labelNames: ['action'],
      registers: [registry],
    });
    const audited = new Counter({
      name: 'zonewright_signer_audited_zones_total',
      help: 'Audited signed zones, by result: good or broken.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    const check = new ClockCheck(db, clock);
    const requireClock = isClockChecked ? () => check.require() : () => Promise.resolve();
    const keys = new PrivateKeys(settings.encryptionKeys);
    const onSigned = (count: number) => {
      signatures.inc(count);
    };
    const signing = { keys, clock, random: Math.random, onSigned };
    const jobs = new ZoneJobs({
      ...{ db, clock, log, requireClock, everyMs: settings.jobs.everyMs },
      signerOf: (trx) => new ZoneKeySigner(trx, signing),
      audit: new ZoneAudit({
        ...{ db, clock, log },
        onAudited: (outcome) => {
          audited.inc({ outcome });
        },
      }),
      createKey: keyCreator(settings.encryptionKeys, clock),
      onDone: (action) => {
        done.inc({ action });
      },
    });
    const { host, port, operationsPort } = settings.http;
    const signer = new ZoneKeySigner(db, signing);
    const { secret } = settings;
    return new SignerService(jobs, {
      settings,
      log,
      server: new SignServer({ host, port, secret, signer, requireClock, log }),
      operations: new OperationsServer({
        ...{ host, port: operationsPort, registry },
        checks: { database: () => db.raw('select 1'), clock: requireClock },
      }),
      close: () => db.destroy(),
    });
  }

  /** Listens at once, even if PostgreSQL is not available yet. */
  async start(): Promise<Record<string, string>> {
    const { settings, log, server, operations } = this.#parts;
    const { host } = settings.http;
    const port = await server.start();
    const operationsPort = await operations.start();
    this.jobs.start();
    const addresses = {
      http: `http://${host}:${port}`,
      operations: `http://${host}:${operationsPort}`,
    };
    log.info({ addresses }, 'started');
    return addresses;
  }

  async stop(): Promise<void> {
    const { log, server, operations, close } = this.#parts;
    await server.stop();
    await this.jobs.stop();
    await operations.stop();
    await close();
    log.info('stopped');
  }
}
