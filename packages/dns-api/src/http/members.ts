import { invalidRequest, MAX_PROBLEMS, type Problem } from '@zonewright/service-kit';

/** Maximum length of a member name in an error message. All supported names are shorter. */
const MAX_SHOWN = 64;

/** Members of a JSON object, and problems of their names. */
export interface Members {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

/**
 * Returns the members of a body, or of an item in it. Unknown members are problems (D-ZONE: any other member: 400).
 *
 * @throws ServiceError `invalid` if the body is not an object
 */
export function checkMembers(body: unknown, known: readonly string[]): Members {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([
      { path: '', validator: 'type', message: 'The body must be a JSON object.' },
    ]);
  }
  const unknown = Object.keys(body)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_PROBLEMS);
  return {
    values: body as Readonly<Record<string, unknown>>,
    problems: unknown.map((name) => ({
      path: name,
      validator: 'additionalProperties',
      message: `${JSON.stringify(name.slice(0, MAX_SHOWN))} is not a member; the members are ${known.join(', ')}.`,
    })),
  };
}

/**
 * Reads a flag of the query, such as `?dry_run=true`. @throws ServiceError `invalid` for any value other than true and
 * false
 */
export function readFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name) ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  const message = `${name} is ${JSON.stringify(text)}; write true or false.`;
  throw invalidRequest([{ path: name, validator: 'type', message }], 'parameter');
}

/** Returns the problem of a member that is not a boolean. */
export function checkFlag(path: string, value: unknown): Problem[] {
  return typeof value === 'boolean'
    ? []
    : [{ path, validator: 'type', message: `${path} must be true or false.` }];
}
