import { invalidRequest, type Problem } from '@zonewright/service-kit';

/** NUL and unpaired surrogates. PostgreSQL's text and jsonb cannot contain them, and no member needs them. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
/**
 * Maximum number of problems in one error. Some APIs return them in one text, which must not be longer than the
 * request.
 */
const MAX_GATHERED = 50;

/**
 * Reads the members of a body and collects problems. Only own members are read, so that a body cannot reach inherited
 * ones.
 */
export class Members {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #problems: Problem[];

  private constructor(value: unknown, path: string, problems: Problem[]) {
    this.#path = path;
    this.#problems = problems;
    if (isObject(value)) {
      this.#value = value;
      return;
    }
    // XML has no empty object: an element without content is an empty string, or blanks.
    if (typeof value !== 'string' || value.trim() !== '') {
      this.#add(path, `${path || 'the body'} must be an object`);
    }
    this.#value = {};
  }

  /** Reads a body with `read`. @throws ServiceError (invalid) that lists all problems. */
  static read<T>(body: unknown, read: (members: Members) => T): T {
    const problems: Problem[] = [];
    const result = read(new Members(body, '', problems));
    if (problems.length > 0) throw invalidRequest(problems);
    return result;
  }

  /** Names of the members that are present and not null. */
  get names(): string[] {
    return Object.keys(this.#value).filter((name) => this.has(name));
  }

  /** Returns all members but those with these names; null members are included. */
  others(known: readonly string[]): Readonly<Record<string, unknown>> {
    const entries = Object.entries(this.#value).filter(([name]) => !known.includes(name));
    for (const [name, value] of entries) {
      if (!isStorable(name) || !isStorable(value)) {
        this.problem(name, 'must not contain NUL characters or unpaired surrogates');
      }
    }
    return Object.fromEntries(entries);
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  /** Adds a problem of a member, for rules of the caller. */
  problem(name: string, rule: string): void {
    const path = this.#nameOf(name);
    this.#add(path, `${path} ${rule}`);
  }

  /** Reads a required object. */
  object(name: string): Members {
    const value = this.#get(name);
    if (value === undefined) this.problem(name, 'is required');
    return new Members(value ?? {}, this.#nameOf(name), this.#problems);
  }

  optionalObject(name: string): Members | undefined {
    return this.has(name) ? this.object(name) : undefined;
  }

  /** Reads one object or an array of them: XML cannot distinguish an array with one item from the item itself. */
  objects(name: string, { max }: { readonly max: number }): Members[] {
    const value = this.#get(name) ?? [];
    const items: unknown[] = Array.isArray(value) ? value : [value];
    if (items.length > max) {
      this.problem(name, `must contain at most ${max} items, but has ${items.length}`);
      return [];
    }
    return items.map(
      (item, index) => new Members(item, `${this.#nameOf(name)}[${index}]`, this.#problems),
    );
  }

  /** Reads a required text. */
  text(name: string): string {
    if (!this.has(name)) this.problem(name, 'is required');
    return this.optionalText(name) ?? '';
  }

  optionalText(name: string): string | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && !UNSTORABLE.test(value)) return value;
    this.problem(name, 'must be a string without NUL characters or unpaired surrogates');
    return undefined;
  }

  /** Reads a text that may be sent as an integer. */
  optionalIdText(name: string): string | undefined {
    const value = this.#get(name);
    return Number.isSafeInteger(value) ? String(value) : this.optionalText(name);
  }

  /** Reads texts, as a JSON array or as XML elements of one name inside `name`. */
  texts(name: string, itemName: string): string[] {
    const value = this.#get(name);
    const items = isObject(value) ? ownMember(value, itemName) : value;
    const list: unknown[] = Array.isArray(items) ? items : [items];
    if (list.every((item) => typeof item === 'string')) return list;
    this.problem(name, 'must be a list of strings');
    return [];
  }

  /** Returns a member as it was sent, for rules that need more than a type. */
  raw(name: string): unknown {
    return this.#get(name);
  }

  #add(path: string, message: string): void {
    if (this.#problems.length >= MAX_GATHERED) return;
    this.#problems.push({ path, validator: 'form', message });
  }

  #get(name: string): unknown {
    return ownMember(this.#value, name) ?? undefined;
  }

  #nameOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }
}

/** Whether PostgreSQL can store a value as jsonb. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).flat().every(isStorable);
}

function ownMember(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
