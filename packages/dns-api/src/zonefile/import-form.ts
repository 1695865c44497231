import { checkFlag, readFlag } from '../http/flags.js';
import { checkMembers } from '../http/members.js';
import { invalidRequest, type Problem } from '../problem.js';

/** How a zone file meets what is there: added to it, or in its place. */
export type ImportMode = 'merge' | 'replace';

export interface ImportRequest {
  readonly text: string;
  readonly mode: ImportMode;
  /** See requireConfirmation. */
  readonly confirm: boolean;
  readonly isDryRun: boolean;
  /** Of a new domain; undefined: as the file's SOA has it. */
  readonly name: string | undefined;
  readonly email: string | undefined;
}

/**
 * Reads an import: the zone file itself as the body, with the rest in the query, or JSON with all of it.
 *
 * @throws ServiceError `invalid` with all problems.
 */
export function readImport(body: unknown, query: URLSearchParams): ImportRequest {
  const { values, problems } =
    typeof body === 'string'
      ? { values: fromQuery(body, query), problems: [] }
      : checkMembers(body, ['zonefile', 'mode', 'confirm', 'name', 'email']);
  const { zonefile, mode = 'merge', confirm = false, name, email } = values;
  const all = [
    ...problems,
    ...checkText('zonefile', zonefile, true),
    ...checkText('name', name, false),
    ...checkText('email', email, false),
    ...checkFlag('confirm', confirm),
    ...checkMode(mode),
  ];
  if (all.length > 0) throw invalidRequest(all);
  return {
    text: zonefile as string,
    mode: mode as ImportMode,
    confirm: confirm as boolean,
    isDryRun: readFlag(query, 'dry_run'),
    name: name as string | undefined,
    email: email as string | undefined,
  };
}

function fromQuery(zonefile: string, query: URLSearchParams): Readonly<Record<string, unknown>> {
  return {
    zonefile,
    mode: query.get('mode') ?? undefined,
    confirm: readFlag(query, 'confirm'),
    name: query.get('name') ?? undefined,
    email: query.get('email') ?? undefined,
  };
}

function checkText(path: string, value: unknown, isRequired: boolean): Problem[] {
  if (typeof value === 'string' || (value === undefined && !isRequired)) return [];
  const validator = value === undefined ? 'required' : 'type';
  return [{ path, validator, message: `${path} must be a string.` }];
}

function checkMode(mode: unknown): Problem[] {
  if (mode === 'merge' || mode === 'replace') return [];
  return [{ path: 'mode', validator: 'enum', message: 'mode must be merge or replace.' }];
}
