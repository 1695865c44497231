import { readFileSync } from 'node:fs';
import {
  type Client,
  defaultEmail,
  type Domain,
  type ImportOptions,
  type ImportResult,
  NotFoundError,
  pairChanges,
} from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import { type Host, marksFor } from '../command/host.js';
import { PROGRAM } from '../command/user-command.js';
import { writePrivate } from '../profile/profile-store.js';
import { type RecordLine, withDot } from '../record/names.js';
import { renderDifference } from '../record/plan-set.js';

/** Changes that a zone file would make, as the service reports them. */
export interface Plan {
  /** Undefined if the domain would be created. */
  readonly domain: Domain | undefined;
  /** ETag of the planned domain, so that exactly the shown changes are applied. */
  readonly etag: string | undefined;
  readonly result: ImportResult;
}

export interface ImportInput {
  readonly domain: string;
  readonly zonefile: string;
  /** E-mail address of a new domain. Default: from the SOA of the file. */
  readonly email?: string | undefined;
  /** Whether lines that cannot be imported are skipped. Otherwise a file with such a line is rejected. */
  readonly skips?: boolean | undefined;
  /** Whether records that are missing from the file are kept. */
  readonly merges: boolean;
  /** The columns of a table; undefined if the file must show its format. */
  readonly columns?: Columns | undefined;
}

export type Columns = NonNullable<ImportOptions['columns']>;

export const COLUMNS_HELP =
  'contents of the columns of a table: name,type,data,ttl,priority,weight,port,comment,tags, or - to ignore one';

/** The service checks the names. */
export function parseColumns(text: string): Columns {
  return text.split(',').map((column) => column.trim()) as Columns;
}

/** Returns the members of a request that imports the file into its domain. */
export function toImport({ zonefile, merges, skips, columns }: ImportInput) {
  const mode = merges ? 'merge' : 'replace';
  return { zonefile, mode, on_error: onError(skips), ...(columns && { columns }) } as const;
}

/** Returns the members of a request that creates the domain from the file. */
export function toNewDomain({ zonefile, domain, email, skips, columns }: ImportInput) {
  const optional = { ...(email === undefined ? {} : { email }), ...(columns && { columns }) };
  return { zonefile, name: withDot(domain), ...optional, on_error: onError(skips) } as const;
}

function onError(skips = false) {
  return skips ? 'skip' : 'refuse';
}

/**
 * Asks the service for the domain of a file, since only the service can read all formats. A domain whose file names
 * no mailbox gets `hostmaster`. @throws InputError if neither the file nor `domain` names it
 */
export async function readInput(
  client: Client,
  {
    zonefile,
    domain,
    columns,
  }: Pick<ImportInput, 'zonefile' | 'columns'> & {
    readonly domain: string | undefined;
  },
  signal: AbortSignal,
) {
  const name = domain === undefined ? {} : { name: withDot(domain) };
  const body = { zonefile, ...name, ...(columns && { columns }) };
  const { value } = await client.domains.read(body, { signal });
  if (value.domain === null)
    throw new InputError('the file does not name its domain. Use --domain.');
  const email = value.email ?? defaultEmail(value.domain);
  return { zonefile, columns, domain: value.domain, email, file: value };
}

/** @param seen ETag that the domain must still have, if it was read before */
export async function makePlan(
  client: Client,
  wish: ImportInput,
  signal: AbortSignal,
  seen?: string,
): Promise<Plan> {
  const asked = { signal, dryRun: true };
  const found = await findDomain(client, wish.domain, signal);
  if (found === undefined) {
    const { value } = await client.domains.importNew(toNewDomain(wish), asked);
    return { domain: undefined, etag: undefined, result: value };
  }
  const { value: domain, etag: now } = found;
  const etag = seen ?? now;
  // The plan is shown even if its size requires confirmation.
  const body = { ...toImport(wish), confirm: true };
  const { value } = await client.domains.import(domain.id, body, { ...asked, ifMatch: etag });
  return { domain, etag, result: value };
}

async function findDomain(client: Client, name: string, signal: AbortSignal) {
  try {
    return await client.domains.get(name, { signal });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

export function isEmpty({ domain, result }: Plan): boolean {
  const { created, updated, deleted } = result;
  return domain !== undefined && created + updated + deleted === 0;
}

/** Counts records as they are shown: one whose data changes is not a deleted one and an added one. */
export function countChanges({ result: { created, updated, deleted, difference } }: Plan) {
  if (difference === undefined) return { created, updated, deleted };
  const pairs = pairChanges<RecordLine>(difference).update.length - difference.update.length;
  return { created: created - pairs, updated: updated + pairs, deleted: deleted - pairs };
}

/** Renders the plan as lines: created, changed and deleted records, and the errors of the file. */
export function renderPlan(host: Host, plan: Plan): string[] {
  const { domain, result } = plan;
  const wrong = result.not_taken.filter(({ severity }) => severity === 'error');
  // Many files have NS records of the old provider and types that are not supported. These lines need no action.
  const lost = result.not_taken.filter(({ code }) => code === 'alias' || code === 'disabled');
  const { created, updated, deleted } = countChanges(plan);
  const { notes } = result;
  const marks = marksFor(host);
  const isRefused = wrong.length > 0 && result.outcome === 'would_refuse';
  const counts = `${created} to add, ${updated} to change, ${deleted} to delete.`;
  return [
    domain === undefined
      ? `${result.domain.name} does not exist yet and will be created`
      : `${domain.name} serial ${domain.serial}`,
    // Do not print a plan of a file with errors.
    ...(isRefused ? [] : renderDifference(host, result.difference)),
    ...wrong.map(({ line, reason }) => `  ${marks.bad} line ${line}: ${reason}`),
    ...[...lost, ...notes].map(({ line, reason }) => `  ${marks.warning} line ${line}: ${reason}`),
    ...(isRefused ? [] : [isEmpty(plan) ? 'No changes.' : counts]),
  ];
}

/** A reviewed plan, which is applied either exactly or not at all. */
interface KeptPlan {
  readonly zonewrightPlan: 1;
  readonly wish: ImportInput;
  /** ETag of the domain that was planned. Null if the domain did not exist. */
  readonly ifMatch: string | null;
}

export function savePlan(file: string, wish: ImportInput, { etag }: Plan): void {
  const kept: KeptPlan = { zonewrightPlan: 1, wish, ifMatch: etag ?? null };
  writePrivate(file, `${JSON.stringify(kept, undefined, 2)}\n`);
}

/** Reads a file that `plan --out` wrote. Undefined if it is not a plan. @throws InputError */
export function readSavedPlan(
  file: string,
): { readonly wish: ImportInput; readonly ifMatch: string | undefined } | undefined {
  if (!file.endsWith('.json')) return undefined;
  let kept: Partial<KeptPlan>;
  try {
    kept = JSON.parse(readFileSync(file, 'utf8')) as Partial<KeptPlan>;
  } catch (error) {
    throw new InputError(`${file} cannot be read as a plan: ${(error as Error).message}`);
  }
  if (kept.zonewrightPlan !== 1 || kept.wish === undefined) {
    throw new InputError(`${file} is not a plan file. Create one with \`${PROGRAM} plan --out\`.`);
  }
  return { wish: kept.wish, ifMatch: kept.ifMatch ?? undefined };
}
