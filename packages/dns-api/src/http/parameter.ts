import { invalidRequest } from '@zonewright/service-kit';

/**
 * A parameter of the query; undefined where there is none.
 *
 * @throws ServiceError `invalid` for an empty value: a script whose variable is unset must get neither everything
 *   nor nothing (decisions 1.2, Empty parameters).
 */
export function readParameter(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name);
  if (value !== '') return value ?? undefined;
  const message = `${name} is empty; give it a value or leave it out.`;
  throw invalidRequest([{ path: name, validator: 'required', message }]);
}

/**
 * The parameters of a query. What PostgreSQL's text cannot hold is refused here, once for all of them; half a
 * surrogate pair cannot come out of percent-encoding.
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
