import { invalidRequest } from '@zonewright/accounts';

/**
 * A parameter of the query; undefined where there is none.
 *
 * @throws ServiceError (invalid) for an empty value: a script whose variable is unset must get neither everything
 *   nor nothing (decisions 1.2, Empty parameters).
 */
export function readParameter(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name);
  if (value === '') throw invalidRequest(`${name} is empty: give it a value or leave it out`);
  return value ?? undefined;
}
