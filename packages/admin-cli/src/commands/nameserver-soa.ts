import {
  type Database,
  findServiceSettings,
  type ServiceSettings,
  updateServiceSettings,
} from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { Column } from '@zonewright/terminal';
import { type Command, InvalidArgumentError } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

interface ShownSettings {
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
  readonly domainTtl: number;
}

const COLUMNS: readonly Column<ShownSettings>[] = [
  { title: 'Refresh', member: 'refresh' },
  { title: 'Retry', member: 'retry' },
  { title: 'Expire', member: 'expire' },
  { title: 'Minimum', member: 'minimum' },
  { title: 'TTL of the nameserver domain', member: 'domainTtl' },
];

/** Implements `show-soa` and `set-soa`, which concern the times in the SOA records of all zones. */
export function nameserverSoaCommands(host: Host): Command[] {
  return [showSoaCommand(host), setSoaCommand(host)];
}

function showSoaCommand(host: Host): Command {
  return operatorCommand(
    'show-soa',
    'show the times of SOA records, in seconds',
    'nameserver show-soa',
  ).action(
    withSession(host, async ({ db, output }) => {
      output.item(toShown(await getSettings(db)), COLUMNS);
    }),
  );
}

function setSoaCommand(host: Host): Command {
  return operatorCommand(
    'set-soa',
    'change these times; all zones are updated in the background',
    'nameserver set-soa --minimum 600',
  )
    .option('--refresh <seconds>', 'interval at which secondaries check the serial', parseSeconds)
    .option('--retry <seconds>', 'interval of checks after a failure', parseSeconds)
    .option(
      '--expire <seconds>',
      'time after which secondaries stop answering without a successful check',
      parseSeconds,
    )
    .option(
      '--minimum <seconds>',
      'maximum time for which negative answers are cached',
      parseSeconds,
    )
    .option('--domain-ttl <seconds>', 'TTL of the records of the nameserver domain', parseSeconds)
    .action(
      withSession(host, async ({ db, output }, options: Partial<ShownSettings>) => {
        const changed = await db.transaction(async (trx) => {
          const { soa, nameserverDomainTtlSeconds } = await getSettings(trx);
          const settings = {
            soa: {
              refreshSeconds: options.refresh ?? soa.refreshSeconds,
              retrySeconds: options.retry ?? soa.retrySeconds,
              expireSeconds: options.expire ?? soa.expireSeconds,
              minimumSeconds: options.minimum ?? soa.minimumSeconds,
            },
            nameserverDomainTtlSeconds: options.domainTtl ?? nameserverDomainTtlSeconds,
          };
          await updateServiceSettings(trx, settings);
          return toShown(settings);
        });
        output.item(changed, COLUMNS);
      }),
    );
}

async function getSettings(db: Database): Promise<ServiceSettings> {
  const settings = await findServiceSettings(db);
  if (settings === undefined) {
    throw new ServiceError('not-found', 'dns.service_settings has no row');
  }
  return settings;
}

function toShown({ soa, nameserverDomainTtlSeconds }: ServiceSettings): ShownSettings {
  return {
    refresh: soa.refreshSeconds,
    retry: soa.retrySeconds,
    expire: soa.expireSeconds,
    minimum: soa.minimumSeconds,
    domainTtl: nameserverDomainTtlSeconds,
  };
}

const LONGEST_SECONDS = 2_147_483_647;

function parseSeconds(value: string): number {
  const seconds = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (seconds <= LONGEST_SECONDS) return seconds;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${LONGEST_SECONDS}.`);
}
