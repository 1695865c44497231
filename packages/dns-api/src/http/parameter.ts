import { invalidRequest } from '@zonewright/service-kit';

/**
 * A parameter of the query; undefined where there is none.
 *
 * @throws ServiceError `invalid` for an empty value: a script whose variable is unset must get neither everything
 *   nor nothing (D-REQ-8).
 */
export function readParameter(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name);
  if (value !== '') return value ?? undefined;
  const message = `${name} is empty; give it a value or leave it out.`;
  throw invalidRequest([{ path: name, validator: 'required', message }]);
}

/** Maximum length of a search text: the length of a name. */
const MAX_SEARCH_CHARACTERS = 255;

/** Text to search in names, data and descriptions. Undefined if there is none. @throws ServiceError `invalid` */
export function readSearchText(query: URLSearchParams): string | undefined {
  const text = readParameter(query, 'q');
  if (text === undefined || text.length <= MAX_SEARCH_CHARACTERS) return text;
  const message = `q has more than ${MAX_SEARCH_CHARACTERS} characters.`;
  throw invalidRequest([{ path: 'q', validator: 'maxLength', message }]);
}

/**
 * Returns the parameters of a query. Text that PostgreSQL cannot store is refused here for all of them. Percent-encoding cannot produce half
 * a surrogate pair.
 *
 * @throws ServiceError `invalid` for a NUL.
 */
export function readQueryText(text: string): URLSearchParams {
  const query = new URLSearchParams(text);
  const path = [...query].find((parameter) => parameter.join().includes('\0'))?.[0];
  if (path === undefined) return query;
  const message = 'The query holds a NUL, which nothing here has; remove it.';
  throw invalidRequest([{ path, validator: 'format', message }]);
}
