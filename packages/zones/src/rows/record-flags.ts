import type { Problem } from '@zonewright/service-kit';
import type { Timestamp } from './statements.js';

/**
 * A property of a record that is not part of DNS. All that requests, answers, rows, the journal and exports need to
 * know about it is here.
 */
export interface FlagDescriptor<T> {
  /** Its name in requests, answers and the journal. Rows and exports of accounts use the key of the descriptor. */
  readonly member: string;
  /** The value of records for which nobody has set one. */
  readonly initial: T;
  /** Reads the value of a request, a row or an export. Returns undefined if it breaks `rule`. */
  readonly read: (value: unknown) => T | undefined;
  /** Describes the allowed values. */
  readonly rule: string;
  /** Class of the problem in error documents. */
  readonly validator: 'type' | 'format';
  /** A rule for values that a request changes. Returns what is wrong with the new value. */
  checkNew?(value: T): Omit<Problem, 'path'> | undefined;
}

type Descriptors = Readonly<Record<string, FlagDescriptor<unknown>>>;
type Entry<D> = readonly [keyof D & string, FlagDescriptor<unknown>];
type Values<D> = { readonly [K in keyof D]: D[K] extends FlagDescriptor<infer T> ? T : never };

const MAX_TAGS = 20;
/** Visible characters that fit a list in a query or on a command line. */
const TAG = /^[^\s,\p{C}]{1,40}$/u;
/** RFC 3339. The offset may be missing, since times of this API are in UTC. */
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?$/i;

/** Whether the record is off: stored, but not part of the zone. */
const DISABLED: FlagDescriptor<boolean> = {
  member: 'disabled',
  initial: false,
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  rule: 'disabled must be true or false.',
  validator: 'type',
};

/** The time when the record is deleted automatically; null if it is never deleted. */
const EXPIRES_AT: FlagDescriptor<Timestamp | null> = {
  member: 'expires_at',
  initial: null,
  read: (value) => (value === null ? null : readTime(value)),
  rule: 'expires_at must be null or a time such as 2030-01-31T12:00:00Z; without a zone it is UTC.',
  validator: 'format',
  checkNew: (end) =>
    end === null || end > nowText()
      ? undefined
      : {
          validator: 'future',
          message: `expires_at is ${end} UTC, which is in the past; write a future time, or null.`,
        },
};

/** Words that the owner chose, sorted and without duplicates. */
const TAGS: FlagDescriptor<readonly string[]> = {
  member: 'tags',
  initial: [],
  read: readTags,
  rule: `tags must be an array of at most ${MAX_TAGS} strings of 1 to 40 characters without spaces and commas.`,
  validator: 'format',
};

/** The flags of a list of descriptors: reads, compares and renders them. */
export class FlagSet<D extends Descriptors> {
  readonly none: Values<D>;
  /** Names in requests, answers and the journal. */
  readonly members: readonly string[];
  readonly #entries: readonly Entry<D>[];

  constructor(descriptors: D) {
    this.#entries = Object.entries(descriptors);
    this.none = this.#make(({ initial }) => initial);
    this.members = this.#entries.map(([, { member }]) => member);
  }

  /**
   * Reads the properties of a request. Other properties keep their stored value. `flags` is undefined if the
   * request contains none of them, or has problems.
   */
  read(
    values: Readonly<Record<string, unknown>>,
    stored: Values<D> = this.none,
  ): { readonly flags: Values<D> | undefined; readonly problems: readonly Problem[] } {
    if (this.members.every((member) => values[member] === undefined)) {
      return { flags: undefined, problems: [] };
    }
    const problems: Problem[] = [];
    const flags = this.#make((descriptor, key) => {
      const { member, read, rule, validator } = descriptor;
      const value = values[member];
      if (value === undefined) return stored[key];
      const flag = read(value);
      if (flag === undefined) problems.push({ path: member, validator, message: rule });
      // A stored expiry time may be in the past when the record is changed.
      const problem =
        flag === undefined || flag === stored[key] ? undefined : descriptor.checkNew?.(flag);
      if (problem !== undefined) problems.push({ path: member, ...problem });
      return flag;
    });
    return { flags: problems.length > 0 ? undefined : flags, problems };
  }

  /** Whether a value has the form in which rows and account exports contain the flags. */
  isStored(value: unknown): value is Values<D> {
    if (typeof value !== 'object' || value === null) return false;
    const stored = value as Readonly<Record<string, unknown>>;
    return (
      Object.keys(stored).length === this.#entries.length &&
      this.#entries.every(([key, { read }]) => {
        const flag = Object.hasOwn(stored, key) ? read(stored[key]) : undefined;
        return flag !== undefined && isSame(flag, stored[key]);
      })
    );
  }

  isSame(one: Values<D> = this.none, other: Values<D> = this.none): boolean {
    return one === other || this.#entries.every(([key]) => isSame(one[key], other[key]));
  }

  /** Returns the flags as a row stores them: undefined if none is set. */
  some(flags: Values<D> | undefined): Values<D> | undefined {
    return this.isSame(flags) ? undefined : flags;
  }

  /** Returns the flags as members of the API and the journal. */
  toMembers(flags: Values<D> = this.none): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#entries.map(([key, { member }]) => [member, flags[key]]));
  }

  /** Returns the flags of an image in the journal. An image contains them only if one was set. */
  ofMembers(image: object): Values<D> {
    const members = image as Readonly<Record<string, unknown>>;
    return this.#make(({ member, initial }) => members[member] ?? initial);
  }

  #make(value: (descriptor: FlagDescriptor<unknown>, key: keyof D & string) => unknown): Values<D> {
    return Object.fromEntries(
      this.#entries.map(([key, descriptor]) => [key, value(descriptor, key)]),
    ) as Values<D>;
  }
}

export const RECORD_FLAGS = new FlagSet({
  disabled: DISABLED,
  expiresAt: EXPIRES_AT,
  tags: TAGS,
});

/** Properties of a record that are not part of DNS. */
export type RecordFlags = typeof RECORD_FLAGS.none;

function isSame(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other) ? one.join() === other.join() : one === other;
}

function readTime(value: unknown): Timestamp | undefined {
  if (typeof value !== 'string' || !TIME.test(value)) return undefined;
  const hasZone = /(Z|[+-]\d\d:\d\d)$/i.test(value);
  const time = new Date(hasZone ? value : `${value}Z`);
  if (Number.isNaN(time.getTime())) return undefined;
  const fraction = /\.(\d{1,6})/.exec(value)?.[1] ?? '';
  const text = time.toISOString();
  // Years of five digits have a sign.
  return text.length === 24 ? `${text.slice(0, 19)}.${fraction.padEnd(6, '0')}` : undefined;
}

function nowText(): Timestamp {
  return `${new Date().toISOString().slice(0, -1)}000`;
}

function readTags(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_TAGS) return undefined;
  if (!value.every((tag): tag is string => typeof tag === 'string' && TAG.test(tag))) {
    return undefined;
  }
  return [...new Set(value)].sort();
}
