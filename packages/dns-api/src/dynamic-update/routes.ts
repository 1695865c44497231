import type { Operation } from '../http/operation.js';
import { relayUpdate } from './relay-update.js';
import { signQuery } from './sign-query.js';

/** What nameservers relay (ADR 0033). */
export const UPDATE_OPERATIONS: readonly Operation[] = [
  {
    id: 'relayUpdate',
    name: 'Relay Dynamic Update',
    method: 'POST',
    path: '/internal/v1/updates',
    access: 'nameserver',
    body: 'json',
    source: 'dynamic-update',
    handle: relayUpdate,
  },
  {
    id: 'signQuery',
    name: 'Sign Answer to Signed Query',
    method: 'POST',
    path: '/internal/v1/signed-queries',
    access: 'nameserver',
    body: 'json',
    handle: signQuery,
  },
];
