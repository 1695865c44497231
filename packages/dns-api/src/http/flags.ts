import { invalidRequest, type Problem } from '@zonewright/service-kit';

/** A flag of the query: `?dry_run=true`. @throws ServiceError `invalid` for anything but true and false. */
export function readFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name) ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalidRequest([
    {
      path: name,
      validator: 'type',
      message: `${name} is ${JSON.stringify(text)}; write true or false.`,
    },
  ]);
}

/** Problem of a member that is not a boolean. */
export function checkFlag(path: string, value: unknown): Problem[] {
  return typeof value === 'boolean'
    ? []
    : [{ path, validator: 'type', message: `${path} must be true or false.` }];
}
