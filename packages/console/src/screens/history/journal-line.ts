import type { Line } from '../../ui/change-list.js';
import { flagsOfImage } from '../../ui/record-flags.js';

/** Returns the record of a change, or the settings of the domain, which are in its SOA record. */
export function toLine(image: Readonly<Record<string, unknown>> | null): Line | null {
  if (image === null) return null;
  const text = (name: string) => (typeof image[name] === 'string' ? image[name] : '');
  const number = (name: string) => (typeof image[name] === 'number' ? image[name] : null);
  const type = text('type');
  if (type === '')
    return {
      name: text('name'),
      type: 'SOA',
      data: text('email'),
      priority: null,
      ttl: number('ttl'),
    };
  return {
    name: text('name'),
    type,
    data: text('data'),
    priority: number('priority'),
    ttl: number('ttl'),
    ...flagsOfImage(image),
  };
}

export interface Difference {
  readonly created: readonly Line[];
  readonly updated: readonly { readonly before: Line; readonly after: Line }[];
  readonly deleted: readonly Line[];
}

/** Null if the record did not exist, or no longer exists. */
export interface Change {
  readonly before: Line | null;
  readonly after: Line | null;
}

export function toDifference(changes: readonly Change[]): Difference {
  return {
    created: changes.flatMap(({ before, after }) =>
      before === null && after !== null ? [after] : [],
    ),
    updated: changes.flatMap(({ before, after }) =>
      before === null || after === null ? [] : [{ before, after }],
    ),
    deleted: changes.flatMap(({ before, after }) =>
      before !== null && after === null ? [before] : [],
    ),
  };
}
