import { readPostgresUrl } from './postgres-url.js';
import { readRedisUrl } from './redis-url.js';

/**
 * Value that an operator sets through the environment. A service declares its settings as a tree, the only source of a
 * variable's name, default and meaning. docs/reference/configuration.md and .env.example are checked against it.
 */
export interface Setting<T> {
  readonly variable: string;
  /** One sentence for docs/reference/configuration.md: the effect of the setting, and its unit. */
  readonly help: string;
  /** Secrets have no default and are never printed, not even in errors. */
  readonly secret: boolean;
  /** Default value in the documentation. Empty if there is none. */
  readonly defaultText: string;
  /** Value if the variable is unset or empty. Undefined if the variable is required. */
  readonly fallback: { readonly value: T } | undefined;
  /** Parses the text. Throws an Error with a message that completes "VARIABLE ...". */
  readonly parse: (text: string) => T;
}

interface SettingOptions<T> {
  readonly help: string;
  readonly default?: T;
  readonly secret?: boolean;
}

function define<T>(
  variable: string,
  options: SettingOptions<T>,
  parse: (text: string) => T,
): Setting<T> {
  const hasDefault = 'default' in options;
  return {
    variable,
    help: options.help,
    secret: options.secret ?? false,
    defaultText: hasDefault ? toText(options.default) : '',
    fallback: hasDefault ? { value: options.default } : undefined,
    parse,
  };
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

export function text(variable: string, options: SettingOptions<string>): Setting<string> {
  return define(variable, options, (value) => value);
}

export function optionalText(
  variable: string,
  options: { readonly help: string; readonly secret?: boolean },
): Setting<string | undefined> {
  return define<string | undefined>(variable, { ...options, default: undefined }, (value) => value);
}

interface IntegerRange {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Setting with a whole number from `minimum` to `maximum`. */
export function integer(
  variable: string,
  options: SettingOptions<number> & IntegerRange,
): Setting<number> {
  return define(variable, options, (value) => parseInteger(value, options));
}

export function optionalInteger(
  variable: string,
  options: { readonly help: string } & IntegerRange,
): Setting<number | undefined> {
  return define<number | undefined>(variable, { ...options, default: undefined }, (value) =>
    parseInteger(value, options),
  );
}

function parseInteger(
  value: string,
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: IntegerRange,
): number {
  const number = /^-?\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= minimum && number <= maximum)) {
    throw new Error(`must be a whole number from ${minimum} to ${maximum}, not "${value}"`);
  }
  return number;
}

/** Setting with a TCP or UDP port. With 0, the system chooses a free one. */
export function port(variable: string, options: SettingOptions<number>): Setting<number> {
  return integer(variable, { ...options, minimum: 0, maximum: 65_535 });
}

/** Setting with the value `true` or `false`. */
export function flag(variable: string, options: SettingOptions<boolean>): Setting<boolean> {
  return define(variable, options, (value) => {
    if (value !== 'true' && value !== 'false') {
      throw new Error(`must be true or false, not "${value}"`);
    }
    return value === 'true';
  });
}

/** Setting with one of several words. */
export function oneOf<T extends string>(
  variable: string,
  words: readonly T[],
  options: SettingOptions<T>,
): Setting<T> {
  return define(variable, options, (value) => {
    const found = words.find((word) => word === value);
    if (found === undefined) throw new Error(`must be one of ${words.join(', ')}, not "${value}"`);
    return found;
  });
}

/** Setting with words separated by commas. Blanks around them are dropped. */
export function list(
  variable: string,
  options: SettingOptions<readonly string[]>,
): Setting<readonly string[]> {
  return define(variable, options, (value) =>
    value
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  );
}

/** Setting with an absolute URL that has one of the given schemes (`http`, `postgres` ...). Its text is not changed. */
export function url(
  variable: string,
  schemes: readonly string[],
  options: SettingOptions<string>,
): Setting<string> {
  return define(variable, options, (value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (parsed === undefined || !schemes.includes(parsed.protocol.slice(0, -1))) {
      // The value is not repeated, since a URL may contain a password.
      throw new Error(
        `must be a URL that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`,
      );
    }
    return value;
  });
}

/** Setting with a URL of PostgreSQL, which may name several servers (readPostgresUrl). Its text is not changed. */
export function postgresUrl(variable: string, options: SettingOptions<string>): Setting<string> {
  return define(variable, options, checked(readPostgresUrl));
}

export function optionalPostgresUrl(
  variable: string,
  options: { readonly help: string },
): Setting<string | undefined> {
  return define(variable, { ...options, default: undefined }, checked(readPostgresUrl));
}

/** Optional setting with a URL of Redis, of its sentinels or of a cluster (readRedisUrl). Its text is not changed. */
export function optionalRedisUrl(
  variable: string,
  options: { readonly help: string },
): Setting<string | undefined> {
  return define(variable, { ...options, default: undefined }, checked(readRedisUrl));
}

/** Returns the text itself if `read` accepts it. */
function checked(read: (text: string) => unknown): (text: string) => string {
  return (value) => {
    read(value);
    return value;
  };
}

export function optionalUrl(
  variable: string,
  schemes: readonly string[],
  options: { readonly help: string },
): Setting<string | undefined> {
  const required = url(variable, schemes, options);
  return define<string | undefined>(variable, { ...options, default: undefined }, required.parse);
}

/** Setting with a number from 0 to 1. */
export function fraction(variable: string, options: SettingOptions<number>): Setting<number> {
  return define(variable, options, (value) => {
    const number = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number <= 1)) throw new Error(`must be a number from 0 to 1, not "${value}"`);
    return number;
  });
}

/**
 * Setting with `name=value` pairs separated by commas. Blanks around names and values are dropped, and values are
 * percent-encoded.
 */
export function pairs(
  variable: string,
  options: SettingOptions<Readonly<Record<string, string>>>,
): Setting<Readonly<Record<string, string>>> {
  const setting = define(variable, options, (value) => {
    const words = value.split(',').filter((word) => word.trim() !== '');
    return Object.fromEntries(words.map(parsePair));
  });
  const names = Object.entries(options.default ?? {});
  return { ...setting, defaultText: names.map((pair) => pair.join('=')).join(',') };
}

function parsePair(word: string): [string, string] {
  const [, name, value = ''] = /^\s*([^\s=]+)\s*=(.*)$/s.exec(word) ?? [];
  if (name === undefined) throw new Error('must be name=value pairs separated by commas');
  try {
    return [name, decodeURIComponent(value.trim())];
  } catch {
    throw new Error(`has a value that is not percent-encoded, for ${name}`);
  }
}
