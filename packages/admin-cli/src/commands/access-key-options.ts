import {
  getTenant,
  parseDate,
  readRestriction,
  type RequestedRestriction,
} from '@zonewright/accounts';
import { type Database, DEFAULT_ACCESS_KEY_ALGORITHM } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { collect, parseCount } from '@zonewright/terminal';
import type { Command } from 'commander';

/** Options of `access-key create` and `access-key import`; dates are as typed. */
export interface AccessKeyOptions extends RestrictionOptions {
  readonly user: string;
  readonly name?: string;
  readonly algorithm?: string;
  readonly keyLength?: number;
  readonly validFrom?: string;
  readonly validTo?: string;
}

export function addAccessKeyOptions(command: Command): Command {
  return addRestrictionOptions(command)
    .requiredOption('--user <id|name>', 'owner of the key')
    .option('--name <name>', 'name of the key')
    .option(
      '--algorithm <name>',
      `algorithm of signatures by clients (default: ${DEFAULT_ACCESS_KEY_ALGORITHM})`,
    )
    .option('--key-length <bits>', 'length of the secret key', parseCount)
    .option('--valid-from <date>', 'start of validity in UTC, YYYY-MM-DDThh:mm:ss (default: now)')
    .option(
      '--valid-to <date>',
      'end of validity in UTC, YYYY-MM-DDThh:mm:ss (default: 3650 days later)',
    );
}

/** Converts the options to the members of both inputs. */
export async function toKeyInput(db: Database, options: AccessKeyOptions) {
  const { user, name, algorithm, keyLength, validFrom, validTo } = options;
  return {
    user,
    name,
    algorithm,
    keyLength,
    restriction: await toRestrictionWish(db, options),
    validFrom: validFrom === undefined ? undefined : readDate(validFrom),
    validTo: validTo === undefined ? undefined : readDate(validTo),
  };
}

/**
 * Converts a date to the form of the API.
 * @throws ServiceError invalid
 */
function readDate(text: string): Date {
  const date = parseDate(text);
  if (date !== undefined) return date;
  throw new ServiceError(
    'invalid',
    `"${text}" is not a date: write YYYY-MM-DDThh:mm:ss, for example 2030-01-31T00:00:00`,
  );
}

/** Restrictions of a new key, as typed. */
interface RestrictionOptions {
  readonly preset?: string;
  readonly zone?: string;
  readonly restrict?: string;
  readonly tenant?: string;
  readonly network?: readonly string[];
}

function addRestrictionOptions(command: Command): Command {
  return command
    .option(
      '--preset <name>',
      'restrict the key to the needs of a program: acme, for the challenges of --zone',
    )
    .option('--zone <name>', 'zone for --preset')
    .option(
      '--restrict <json>',
      'restrict the key by rules: {"rules": [{"zone": ..., "actions": [...]}]}',
    )
    .option('--tenant <id|name>', 'restrict the key to a tenant; required if the user has several')
    .option('--network <cidr>', 'restrict the key to a network; repeatable', collect);
}

/** @throws ServiceError invalid, or not-found for the tenant */
async function toRestrictionWish(
  db: Database,
  options: RestrictionOptions,
): Promise<RequestedRestriction | undefined> {
  const members = await toMembers(db, options);
  const { wish, faults } = readRestriction(members);
  if (faults.length === 0) return wish;
  throw new ServiceError('invalid', faults.map(({ path, what }) => `${path} ${what}`).join('; '));
}

/** Converts the options to members for the API: a preset, restrictions, or both, which is refused. */
async function toMembers(db: Database, options: RestrictionOptions): Promise<Map<string, unknown>> {
  const { preset, zone, restrict, tenant, network } = options;
  const common = withoutAbsent({
    tenantId: tenant === undefined ? undefined : (await getTenant(db, tenant)).id,
    networks: network,
  });
  const given = withoutAbsent({ preset, zone });
  const rules = restrict === undefined ? {} : parseRules(restrict);
  if (Object.keys(given).length > 0) {
    const both = restrict === undefined ? {} : { restrictions: rules };
    return new Map<string, unknown>(Object.entries({ ...given, ...common, ...both }));
  }
  const isRestricted = restrict !== undefined || Object.keys(common).length > 0;
  return new Map<string, unknown>(isRestricted ? [['restrictions', { ...rules, ...common }]] : []);
}

function withoutAbsent(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function parseRules(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The error is reported below.
  }
  const example = '{"rules": [{"zone": "example.com.", "name": "www", "actions": ["update"]}]}';
  throw new ServiceError('invalid', `--restrict needs a JSON object, such as ${example}`);
}
