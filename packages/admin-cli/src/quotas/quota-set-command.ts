import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { getTenant } from '@zonewright/accounts';
import { QUOTA_COLUMNS } from './quota-columns.js';
import { toTenantQuota } from './tenant-quota.js';
import { MX_TARGET_CHECKS, type MxTargetCheck, changeQuota } from '@zonewright/zones';
import { parseCount } from '@zonewright/terminal';

/** Commander turns the null of a parser into an empty text, so the default keeps its name up to here. */
type Limit = number | 'default';
type Check = MxTargetCheck | 'default';

interface QuotaSetOptions {
  readonly maxDomains?: Limit;
  readonly maxRecords?: Limit;
  readonly maxWriteBytes?: Limit;
  readonly mxTargetCheck?: Check;
}

/** The largest number that the column holds. */
const MAX_INTEGER = 2_147_483_647;

export function quotaSetCommand(host: Host): Command {
  return operatorCommand(
    'set',
    'change what a tenant may have; what is not given stays as it is',
    'quota set acme-web --max-domains 100 --max-records 5000',
    'quota set acme-web --max-domains default',
    'quota set acme-web --mx-target-check off',
  )
    .argument('<tenant>', 'id or name')
    .option('--max-domains <n>', 'domains of the tenant; "default" follows dns-api', parseLimit)
    .option('--max-records <n>', 'records in each domain; "default" follows dns-api', parseLimit)
    .option(
      '--max-write-bytes <n>',
      'octets that its changes make the database write a minute; "default" follows dns-api',
      parseWriteLimit,
    )
    .addOption(
      new Option(
        '--mx-target-check <rule>',
        'what targets of MX records need: "hosted" an address if they lie in a domain here, "strict" to lie in one, "off" nothing; "default" follows dns-api',
      ).choices([...MX_TARGET_CHECKS, 'default']),
    )
    .action(
      withSession(host, async ({ db, output }, reference: string, options: QuotaSetOptions) => {
        const tenant = await getTenant(db, reference);
        const quota = await changeQuota(db, tenant.id, {
          maxDomains: toColumn(options.maxDomains),
          maxDomainRecords: toColumn(options.maxRecords),
          maxWriteOctets: toColumn(options.maxWriteBytes),
          mxTargetCheck: toColumn(options.mxTargetCheck),
        });
        output.item(toTenantQuota(tenant, quota), QUOTA_COLUMNS);
      }),
    );
}

function toColumn<T>(value: T | 'default' | undefined): T | null | undefined {
  return value === 'default' ? null : value;
}

function parseLimit(text: string): Limit {
  if (text === 'default') return text;
  const limit = parseCount(text);
  if (limit <= MAX_INTEGER) return limit;
  throw new InvalidArgumentError(`It may be ${MAX_INTEGER} at most.`);
}

/** As the column has it: with less nothing could be changed at all. */
const LEAST_WRITE_OCTETS = 1_024;

function parseWriteLimit(text: string): Limit {
  if (text === 'default') return text;
  const limit = parseCount(text);
  if (limit >= LEAST_WRITE_OCTETS) return limit;
  throw new InvalidArgumentError(`It must be ${LEAST_WRITE_OCTETS} at least.`);
}
