import { type Problem } from '@zonewright/service-kit';
import { checkMembers, type Members } from '../../http/members.js';

/**
 * Returns the writable members of a v2 body. Read-only members are accepted and ignored, since clients send back what they have read.
 *
 * @throws ServiceError `invalid` if the body is not an object
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

/** Problems of a member that must be one of the given texts. */
export function checkChoice(path: string, value: unknown, choices: readonly string[]): Problem[] {
  if (value === undefined || choices.includes(value as string)) return [];
  const message = `${path} must be ${choices.map((choice) => JSON.stringify(choice)).join(' or ')}.`;
  return [{ path, validator: 'enum', message }];
}
