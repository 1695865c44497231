import type { RecordContent, ZoneRecord } from '@zonewright/client';
import { type Column, InputError } from '@zonewright/terminal';
import type { Command } from 'commander';

/** Properties of a record beyond DNS. */
export interface FlagOptions {
  readonly disable?: boolean;
  readonly enable?: boolean;
  readonly expires?: string;
  readonly tag?: readonly string[];
}

export type Flags = Pick<RecordContent, 'disabled' | 'expires_at' | 'tags'>;

export function withFlagOptions(command: Command): Command {
  return command
    .option('--disable', 'disable the record: it is saved, but not published')
    .option('--enable', 'enable the record')
    .option('--expires <when>', 'expiry: 90m, 12h, 30d, 2030-01-31T12:00Z, or never', parseEnd)
    .option('--tag <words>', 'tags, separated by commas; "" removes all', parseTags);
}

/** Columns of a table, shown on request. */
export const FLAG_COLUMNS: readonly Column<ZoneRecord>[] = [
  { title: 'Disabled', member: 'disabled' },
  { title: 'Expires', member: 'expires_at' },
  { title: 'Tags', member: 'tags', isCut: true },
];

/** Returns only the flags that were given. */
export function toFlags({ disable, enable, expires, tag }: FlagOptions): Flags {
  if (disable === true && enable === true) {
    throw new InputError('specify either --disable or --enable');
  }
  return {
    ...(disable === true ? { disabled: true } : {}),
    ...(enable === true ? { disabled: false } : {}),
    ...(expires === undefined ? {} : { expires_at: expires === NEVER ? null : expires }),
    ...(tag === undefined ? {} : { tags: [...tag] }),
  };
}

export function hasFlags(record: ZoneRecord, flags: Flags): boolean {
  const { disabled, expires_at: end, tags } = flags;
  return (
    (disabled === undefined || disabled === (record.disabled ?? false)) &&
    (end === undefined || end === (record.expires_at ?? null)) &&
    (tags === undefined || tags.toSorted().join() === (record.tags ?? []).join())
  );
}

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };

/** Text for no expiry, since Commander treats null as no value. */
const NEVER = 'never';

function parseEnd(text: string): string {
  if (text === NEVER) return text;
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) {
    return new Date(Date.now() + Number(count) * (UNITS[unit] ?? 0) * 1_000).toISOString();
  }
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return text;
  throw new InputError(
    `"${text}" is not a valid expiry time. Examples: 90m, 12h, 30d, 2030-01-31T12:00Z, never.`,
  );
}

function parseTags(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((tag) => tag !== '');
}

/** Describes the flags in words; empty if there are none. */
export function describeFlags({ disabled, expires_at: end, tags = [] }: Flags): string {
  const words = [
    ...(disabled === true ? ['off'] : []),
    ...(end == null ? [] : [`until ${end.slice(0, 19)}Z`]),
    ...(tags.length === 0 ? [] : [`tags ${tags.join(',')}`]),
  ];
  return words.length === 0 ? '' : `(${words.join('; ')})`;
}
