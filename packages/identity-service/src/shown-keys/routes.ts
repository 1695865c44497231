import type { Route } from '../http/route.js';
import { checkShownKey } from './check-shown-key.js';

/** For the other services alone: whose access key a program showed them, in a protocol that has no tokens (ADR 0031). */
export const SHOWN_KEY_ROUTES: readonly Route[] = [
  {
    id: 'checkShownKey',
    name: 'Check Shown Access Key',
    method: 'POST',
    path: '/v3/internal/access-keys/verify',
    access: 'token',
    json: { reads: 'ShownKey', answers: 'CheckedKey' },
    faults: [429],
    handle: checkShownKey,
  },
];
