import { readParameter } from '../http/parameter.js';
import { ACCESS_KEY_STATES, type AccessKeyState, invalidRequest } from '@zonewright/accounts';
import type { ApiRequest } from '../http/route.js';

/** Without a filter a list shows the keys that can still be used or woken up, and those that expired. */
const STATES_BY_DEFAULT: readonly AccessKeyState[] = ['active', 'inactive', 'expired'];

export function readUserId({ query }: ApiRequest): string | undefined {
  return readParameter(query, 'userId');
}

/** Whether secret keys are asked for. @throws ServiceError (invalid) for anything but true and false. */
export function readExport(request: ApiRequest): boolean {
  return readFlag(request, 'export');
}

/** Whether more is asked for than the original service had. @throws ServiceError (invalid) for anything but true and false. */
export function readExtended(request: ApiRequest): boolean {
  return readFlag(request, 'extended');
}

function readFlag({ query }: ApiRequest, name: string): boolean {
  const text = readParameter(query, name) ?? 'false';
  if (text !== 'true' && text !== 'false') throw invalidRequest(`${name} must be true or false`);
  return text === 'true';
}

export function readStates({ query }: ApiRequest): readonly AccessKeyState[] {
  const text = readParameter(query, 'status');
  if (text === undefined) return STATES_BY_DEFAULT;
  const state = ACCESS_KEY_STATES.find((known) => known === text);
  if (state === undefined) {
    throw invalidRequest(`status must be one of ${ACCESS_KEY_STATES.join(', ')}`);
  }
  return [state];
}
