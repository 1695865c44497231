import { getTenant, readRestriction, type RequestedRestriction } from '@zonewright/accounts';
import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { Command } from 'commander';
import { collect } from '@zonewright/terminal';

/** What a new key is restricted to, as it was typed. */
export interface RestrictionOptions {
  readonly preset?: string;
  readonly zone?: string;
  readonly restrict?: string;
  readonly tenant?: string;
  readonly network?: readonly string[];
}

export function addRestrictionOptions(command: Command): Command {
  return command
    .option(
      '--preset <name>',
      'restrict it to what a program needs: acme, for the challenges of --zone',
    )
    .option('--zone <name>', 'the zone of --preset')
    .option(
      '--restrict <json>',
      'restrict it by rules: {"rules": [{"zone": ..., "actions": [...]}]}',
    )
    .option('--tenant <id|name>', 'restrict it to a tenant; needed where the user has several')
    .option('--network <cidr>', 'restrict it to a network; may be given several times', collect);
}

/** @throws ServiceError invalid, not-found (the tenant) */
export async function toRestrictionWish(
  db: Database,
  options: RestrictionOptions,
): Promise<RequestedRestriction | undefined> {
  const members = await toMembers(db, options);
  const { wish, faults } = readRestriction(members);
  if (faults.length === 0) return wish;
  throw new ServiceError('invalid', faults.map(({ path, what }) => `${path} ${what}`).join('; '));
}

/** What was typed, as the API has it: a preset, restrictions, or both, which is refused. */
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
    // Said below.
  }
  const example = '{"rules": [{"zone": "example.com.", "name": "www", "actions": ["update"]}]}';
  throw new ServiceError('invalid', `--restrict takes an object in JSON, such as ${example}`);
}
