import { invalidRequest } from '@zonewright/service-kit';
import type { SortOrder } from '@zonewright/zones';
import { readParameter } from './parameter.js';

/** `sort=name`, or `sort=-name` for the other way round; undefined: as ever. @throws ServiceError `invalid`. */
export function readSort<K extends string>(
  query: URLSearchParams,
  keys: readonly K[],
): SortOrder<K> | undefined {
  const text = readParameter(query, 'sort');
  if (text === undefined) return undefined;
  const isDescending = text.startsWith('-');
  const key = keys.find((each) => each === (isDescending ? text.slice(1) : text));
  if (key !== undefined) return { key, isDescending };
  const message = `sort must be one of ${keys.join(', ')}, with a minus in front for the other way round.`;
  throw invalidRequest([{ path: 'sort', validator: 'enum', message }]);
}

/** The schema of the parameter. */
export function describeSort(keys: readonly string[]) {
  return { enum: keys.flatMap((key) => [key, `-${key}`]) };
}
