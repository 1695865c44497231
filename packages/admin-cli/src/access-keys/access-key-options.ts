import { type Database, DEFAULT_ACCESS_KEY_ALGORITHM } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { Command } from 'commander';
import { parseDate } from '@zonewright/accounts';
import { parseCount } from '@zonewright/terminal';
import {
  addRestrictionOptions,
  type RestrictionOptions,
  toRestrictionWish,
} from './restriction-options.js';

/** What `access-key create` and `access-key import` both take; the dates as they were typed. */
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
    .requiredOption('--user <id|name>', 'the owner')
    .option('--name <name>', 'what its owner calls it')
    .option(
      '--algorithm <name>',
      `what clients sign with (default: ${DEFAULT_ACCESS_KEY_ALGORITHM})`,
    )
    .option('--key-length <bits>', 'the length of the secret key', parseCount)
    .option('--valid-from <date>', 'YYYY-MM-DDThh:mm:ss, in UTC (default: now)')
    .option('--valid-to <date>', 'YYYY-MM-DDThh:mm:ss, in UTC (default: 3650 days later)');
}

/** The members of both inputs that the options give. */
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

/** A moment as the API takes it. @throws ServiceError invalid */
function readDate(text: string): Date {
  const date = parseDate(text);
  if (date !== undefined) return date;
  throw new ServiceError(
    'invalid',
    `"${text}" is no date: write YYYY-MM-DDThh:mm:ss, for example 2030-01-31T00:00:00`,
  );
}
