import { getTenant, listTenants, type Tenant } from '@zonewright/accounts';
import { type Column, parseCount } from '@zonewright/terminal';
import {
  changeQuota,
  clearQuota,
  getQuota,
  listQuotas,
  MX_TARGET_CHECKS,
  type MxTargetCheck,
  type Quota,
} from '@zonewright/zones';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function quotaCommands(host: Host): Command {
  return commandGroup(
    'quota',
    'manage quotas of tenants: domains, records, writes and the check of MX targets',
    [
      quotaSetCommand(host),
      quotaShowCommand(host),
      quotaListCommand(host),
      quotaClearCommand(host),
    ],
    'quota set acme-web --max-domains 100',
  );
}

function quotaClearCommand(host: Host): Command {
  return operatorCommand(
    'clear',
    'reset the quotas of a tenant to the defaults',
    'quota clear acme-web',
  )
    .argument('<tenant>', 'ID or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        const tenant = await getTenant(db, reference);
        output.item(toTenantQuota(tenant, await clearQuota(db, tenant.id)), QUOTA_COLUMNS);
      }),
    );
}

const QUOTA_COLUMNS: readonly Column<TenantQuota>[] = [
  { title: 'Tenant', member: 'tenantName' },
  { title: 'Max domains', member: 'maxDomains', none: 'default' },
  { title: 'Max records per domain', member: 'maxDomainRecords', none: 'default' },
  { title: 'Max bytes written per minute', member: 'maxWriteOctets', none: 'default' },
  { title: 'MX target check', member: 'mxTargetCheck', none: 'default' },
];

function quotaListCommand(host: Host): Command {
  return operatorCommand('list', 'list tenants with their own quotas', 'quota list').action(
    withSession(host, async ({ db, output }) => {
      const tenants = await listTenants(db, undefined);
      const quotas = await listQuotas(
        db,
        tenants.map(({ id }) => id),
      );
      const rows = tenants.flatMap((tenant) => {
        const quota = quotas.get(tenant.id);
        return quota === undefined ? [] : [toTenantQuota(tenant, quota)];
      });
      output.list(rows, QUOTA_COLUMNS);
    }),
  );
}

/**
 * Commander replaces a null from a parser with an empty text, so the default is represented by a word up to this
 * point.
 */
type Limit = number | 'default';
type Check = MxTargetCheck | 'default';

interface QuotaSetOptions {
  readonly maxDomains?: Limit;
  readonly maxRecords?: Limit;
  readonly maxWriteBytes?: Limit;
  readonly mxTargetCheck?: Check;
}

/** The maximum value of the column. */
const MAX_INTEGER = 2_147_483_647;

function quotaSetCommand(host: Host): Command {
  return operatorCommand(
    'set',
    'change the quotas of a tenant',
    'quota set acme-web --max-domains 100 --max-records 5000',
    'quota set acme-web --max-domains default',
    'quota set acme-web --mx-target-check off',
  )
    .argument('<tenant>', 'ID or name')
    .option(
      '--max-domains <n>',
      'maximum domains of the tenant; "default" uses the default of dns-api',
      parseLimit,
    )
    .option(
      '--max-records <n>',
      'maximum records per domain; "default" uses the default of dns-api',
      parseLimit,
    )
    .option(
      '--max-write-bytes <n>',
      'bytes per minute that changes may write to the database; "default" uses the default of dns-api',
      parseWriteLimit,
    )
    .addOption(
      new Option(
        '--mx-target-check <rule>',
        'check of MX targets: "hosted" requires an address of targets in hosted domains, "strict" of every target, "off" checks nothing; "default" uses the default of dns-api',
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
  throw new InvalidArgumentError(`It must be at most ${MAX_INTEGER}.`);
}

/** The minimum value of the column: a lower limit would forbid every change. */
const LEAST_WRITE_OCTETS = 1_024;

function parseWriteLimit(text: string): Limit {
  if (text === 'default') return text;
  const limit = parseCount(text);
  if (limit >= LEAST_WRITE_OCTETS) return limit;
  throw new InvalidArgumentError(`It must be at least ${LEAST_WRITE_OCTETS}.`);
}

function quotaShowCommand(host: Host): Command {
  return operatorCommand('show', 'show the quotas of a tenant', 'quota show acme-web')
    .argument('<tenant>', 'ID or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        const tenant = await getTenant(db, reference);
        output.item(toTenantQuota(tenant, await getQuota(db, tenant.id)), QUOTA_COLUMNS);
      }),
    );
}

interface TenantQuota extends Quota {
  readonly tenantId: string;
  readonly tenantName: string;
}

function toTenantQuota({ id, name }: Tenant, quota: Quota): TenantQuota {
  return { tenantId: id, tenantName: name, ...quota };
}
