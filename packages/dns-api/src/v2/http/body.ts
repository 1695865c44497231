import { type Problem } from '@zonewright/service-kit';
import { checkMembers, type Members } from '../../http/members.js';

/**
 * The members of a body of v2: those that may be written, and those that an object is read with, which change nothing: clients
 * send back what they have read.
 *
 * @throws ServiceError `invalid` when it is no object.
 */
export function readMembers(
  body: unknown,
  writable: readonly string[],
  readOnly: readonly string[] = [],
): Members {
  const { values, problems } = checkMembers(body, [...writable, ...readOnly]);
  const written = Object.entries(values).filter(([name]) => writable.includes(name));
  return { values: Object.fromEntries(written), problems };
}

/** What keeps a member from being one of these texts. */
export function checkChoice(path: string, value: unknown, choices: readonly string[]): Problem[] {
  if (value === undefined || choices.includes(value as string)) return [];
  const message = `${path} must be ${choices.map((choice) => JSON.stringify(choice)).join(' or ')}.`;
  return [{ path, validator: 'enum', message }];
}
