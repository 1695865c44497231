import type { Operation } from '../http/operation.js';
import { relayUpdate } from './relay-update.js';

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
];
