import type { Answer } from './answer.js';
import type { Caller, CallOptions, Input } from './caller.js';
import { NotFoundError } from './errors.js';
import type { components } from './generated/dns.js';
import { deleteOnce, followPages, isOfRepetition, PAGE_ROWS } from './pages.js';

type Schemas = components['schemas'];
export type Domain = Schemas['Domain'];
export type ListedDomain = Schemas['ListedDomain'];
export type RestoredDomain = Schemas['RestoredDomain'];
export type Difference = Schemas['Difference'];
export type Change = Schemas['Changes']['changes'][number];
export type ImportResult = Schemas['ImportResult'];
export type ReadFile = Schemas['ReadFile'];
export type ImportOptions = Omit<Schemas['Import'], 'name' | 'email'>;

const FIRST_NOT_ASCII = 0x80;

/**
 * Decodes a file that a user chooses: UTF-8, or UTF-16 by its byte order mark, as PowerShell writes it. In a file of
 * another encoding each byte outside ASCII becomes an escape of zone files (RFC 1035 s5.1).
 */
export function decodeFile(bytes: Uint8Array): string {
  const mark = bytes.subarray(0, 2).join(' ');
  if (mark === '255 254') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === '254 255') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) =>
      byte < FIRST_NOT_ASCII ? String.fromCharCode(byte) : `\\${byte}`,
    ).join('');
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Operations on domains, with their zone files and their history. */
export class Domains {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @param deleted lists the deleted domains that can be restored instead of the active ones */
  list(
    options: CallOptions = {},
    { deleted = false, q }: { readonly deleted?: boolean; readonly q?: string } = {},
  ): AsyncGenerator<ListedDomain, void, undefined> {
    return followPages(async (marker) => {
      const query = {
        limit: PAGE_ROWS,
        ...(deleted ? { deleted } : {}),
        ...(q === undefined ? {} : { q }),
        ...(marker === undefined ? {} : { marker }),
      };
      return (await this.#caller.call('listDomains', { query }, options)).value.domains;
    });
  }

  /** Finds a domain by id or by name, with or without the trailing dot. @throws NotFoundError */
  async get(idOrName: string, options: CallOptions = {}): Promise<Answer<Domain>> {
    const domainId = UUID.test(idOrName) ? idOrName : await this.#findId(idOrName, options);
    return await this.#caller.call('getDomain', { path: { domainId } }, options);
  }

  async #findId(text: string, options: CallOptions): Promise<string> {
    const name = text.endsWith('.') ? text : `${text}.`;
    const found = await this.#caller.call('listDomains', { query: { name } }, options);
    const [domain] = found.value.domains;
    if (domain !== undefined) return domain.id;
    throw new NotFoundError(`there is no domain ${name} in your project`);
  }

  create(body: Schemas['NewDomain'], options?: CallOptions): Promise<Answer<Domain>> {
    return this.#caller.call('createDomain', { body }, options);
  }

  async update(
    domainId: string,
    body: Schemas['DomainUpdate'],
    options: CallOptions = {},
  ): Promise<Answer<Domain>> {
    const path = { domainId };
    try {
      return await this.#caller.call('updateDomain', { path, body }, options);
    } catch (error) {
      if (!isOfRepetition(error, 412)) throw error;
      const now = await this.#caller.call('getDomain', { path }, options);
      const members = new Map<string, unknown>(Object.entries(now.value));
      if (Object.entries(body).every(([name, value]) => members.get(name) === value)) return now;
      throw error;
    }
  }

  delete(domainId: string, options?: CallOptions): Promise<Answer<undefined>> {
    return deleteOnce(this.#caller.call('deleteDomain', { path: { domainId } }, options));
  }

  undelete(domainId: string, options?: CallOptions): Promise<Answer<Domain>> {
    return this.#caller.call('undeleteDomain', { path: { domainId } }, options);
  }

  async export(domainId: string, options?: CallOptions): Promise<string> {
    return (await this.#caller.call('exportZoneFile', { path: { domainId } }, options)).value;
  }

  /** Imports a zone file into an existing domain. */
  import(
    domainId: string,
    body: ImportOptions,
    options?: CallOptions,
  ): Promise<Answer<ImportResult>> {
    return this.#caller.call('importZoneFile', { path: { domainId }, body }, options);
  }

  /** Reads a file in any supported format: its domain, its records, and notes about its lines. Stores nothing. */
  read(body: Input<'readImportFile'>['body'], options?: CallOptions): Promise<Answer<ReadFile>> {
    return this.#caller.call('readImportFile', { body }, options);
  }

  /** Creates a domain from a zone file. */
  importNew(
    body: Input<'importNewDomain'>['body'],
    options?: CallOptions,
  ): Promise<Answer<ImportResult>> {
    return this.#caller.call('importNewDomain', { body }, options);
  }

  /** Yields changes, newest first, each with its user, source and note. */
  changes(
    domainId: string,
    options: CallOptions = {},
    filter: { readonly name?: string; readonly type?: string } = {},
  ): AsyncGenerator<Change, void, undefined> {
    return followPages(async (marker) => {
      const page = { limit: PAGE_ROWS, ...(marker === undefined ? {} : { marker }) };
      const query = { ...page, ...filter, extended: true };
      return (await this.#caller.call('listChanges', { path: { domainId }, query }, options)).value
        .changes;
    });
  }

  /** Restores the records to their state at a serial. */
  restore(
    domainId: string,
    body: Schemas['Restore'],
    options?: CallOptions,
  ): Promise<Answer<Domain>> {
    return this.#caller.call('restoreDomain', { path: { domainId }, body }, options);
  }

  /** Reverts all changes of one serial, if none of the records has changed since. */
  revert(
    domainId: string,
    serial: number,
    options: CallOptions & { readonly confirm?: boolean } = {},
  ): Promise<Answer<RestoredDomain>> {
    const { confirm } = options;
    const query = confirm === undefined ? {} : { confirm };
    return this.#caller.call('revertChange', { path: { domainId, serial }, query }, options);
  }

  /** Returns the state of a change's publication. `wait` is the maximum number of seconds to wait for it, up to 10. */
  async publication(
    domainId: string,
    serial: number,
    { wait, ...options }: CallOptions = {},
  ): Promise<Schemas['Publication']> {
    const input = {
      path: { domainId, serial },
      ...(wait === undefined ? {} : { query: { wait } }),
    };
    return (await this.#caller.call('getPublication', input, options)).value;
  }

  async check(domainId: string, options?: CallOptions): Promise<Schemas['Examination']> {
    return (await this.#caller.call('checkDomain', { path: { domainId } }, options)).value;
  }

  /** Returns what a check would find about records that are not written yet. Stores nothing. */
  async checkRecords(
    domainId: string,
    body: Schemas['RecordsToCheck'],
    options?: CallOptions,
  ): Promise<Schemas['Finding'][]> {
    const { value } = await this.#caller.call(
      'checkNewRecords',
      { path: { domainId }, body },
      options,
    );
    return value.findings;
  }

  /** Returns the answers of each nameserver for a name in the domain. */
  async ask(
    domainId: string,
    query: Input<'askNameservers'>['query'],
    options?: CallOptions,
  ): Promise<Schemas['NameserverAnswers']> {
    return (await this.#caller.call('askNameservers', { path: { domainId }, query }, options))
      .value;
  }

  /** Lists the nameservers that the registrar needs. */
  async servers(domainId: string, options?: CallOptions): Promise<Schemas['Servers']['servers']> {
    return (await this.#caller.call('listServersOfDomain', { path: { domainId } }, options)).value
      .servers;
  }
}

/**
 * Returns the default e-mail address of a new domain. An address cannot contain the name of an address range, such as
 * `0/25.2.0.192.in-addr.arpa` (RFC 2317), so the network above it is used.
 */
export function defaultEmail(name: string): string {
  return `hostmaster@${name.replace(/\.$/, '').replace(/^[^.]*\/[^.]*\./, '')}`;
}
