import { getTenant, readRestriction, type RestrictionWish } from '@zonewright/accounts';
import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { Command } from 'commander';
import { collect } from '../command/option-values.js';

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
  { preset, zone, restrict, tenant, network }: RestrictionOptions,
): Promise<RestrictionWish | undefined> {
  const common = {
    ...(tenant === undefined ? {} : { tenantId: (await getTenant(db, tenant)).id }),
    ...(network === undefined ? {} : { networks: network }),
  };
  const isPreset = preset !== undefined || zone !== undefined;
  const given = {
    ...(preset === undefined ? {} : { preset }),
    ...(zone === undefined ? {} : { zone }),
  };
  const rules = restrict === undefined ? {} : parseRules(restrict);
  const isPlain = !isPreset && restrict === undefined && Object.keys(common).length === 0;
  if (isPlain) return undefined;
  const members = {
    ...(isPreset ? { ...given, ...common } : {}),
    ...(isPreset && restrict === undefined ? {} : { restrictions: { ...rules, ...common } }),
  };
  const { wish, faults } = readRestriction(new Map(Object.entries(members)));
  if (faults.length === 0) return wish;
  const sentences = faults.map(({ path, what }) => `${path} ${what}`);
  throw new ServiceError('invalid', sentences.join('; '));
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
