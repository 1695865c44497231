import type { ImportMode, ImportRequest } from '@zonewright/zones';
import { checkFlag, readFlag } from '../http/flags.js';
import { checkMembers } from '../http/members.js';
import { invalidRequest, type Problem } from '@zonewright/service-kit';

/** Query parameters of an import whose body is the file itself. */
export const IMPORT_PARAMETERS = ['mode', 'on_error', 'confirm'] as const;
export const NEW_ZONE_PARAMETERS = ['name', 'email'] as const;

/**
 * Reads an import: the zone file itself as the body, with the rest in the query, or JSON with all of it.
 *
 * @throws ServiceError `invalid` with all problems.
 */
export function readImport(body: unknown, query: URLSearchParams): ImportRequest {
  const { values, problems } =
    typeof body === 'string'
      ? { values: fromQuery(body, query), problems: [] }
      : checkMembers(body, ['zonefile', ...IMPORT_PARAMETERS, ...NEW_ZONE_PARAMETERS]);
  const { zonefile, mode = 'merge', confirm = false, name, email } = values;
  // If the file replaces all records, a part of it is worse than none.
  const { on_error: onError = mode === 'replace' ? 'refuse' : 'skip' } = values;
  const all = [
    ...problems,
    ...(typeof body === 'string' ? [] : checkOnlyInBody(query)),
    ...checkText('zonefile', zonefile, true),
    ...checkText('name', name, false),
    ...checkText('email', email, false),
    ...checkFlag('confirm', confirm),
    ...checkChoice('mode', mode, ['merge', 'replace']),
    ...checkChoice('on_error', onError, ['refuse', 'skip']),
  ];
  if (all.length > 0) throw invalidRequest(all);
  return {
    text: zonefile as string,
    mode: mode as ImportMode,
    onError: onError as 'refuse' | 'skip',
    confirm: confirm as boolean,
    name: name as string | undefined,
    email: email as string | undefined,
  };
}

function fromQuery(zonefile: string, query: URLSearchParams): Readonly<Record<string, unknown>> {
  return {
    zonefile,
    mode: query.get('mode') ?? undefined,
    on_error: query.get('on_error') ?? undefined,
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

function checkChoice(path: string, value: unknown, choices: readonly string[]): Problem[] {
  if (choices.includes(value as string)) return [];
  return [{ path, validator: 'enum', message: `${path} must be ${choices.join(' or ')}.` }];
}

/** Beside JSON the query would be one of two places that say something, and nobody looked there. */
function checkOnlyInBody(query: URLSearchParams): Problem[] {
  return [...IMPORT_PARAMETERS, ...NEW_ZONE_PARAMETERS]
    .filter((name) => query.has(name))
    .map((path) => ({
      path,
      validator: 'disallowed',
      message: `${path} must be in the JSON body, beside zonefile.`,
    }));
}
