import type { Operation } from '../http/operation.js';
import { relayUpdate } from './relay-update.js';
import { signQuery } from './sign-query.js';

/** The nameserver waits for 10 s (its `LONG_DEADLINE_MS`). An update that it gave up must not be done later. */
const LONG_UPDATE_MS = 9_500;

/** Messages that nameservers relay (ADR 0033). */
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
    id: 'relayLongUpdate',
    name: 'Relay Long Dynamic Update',
    method: 'POST',
    path: '/internal/v1/long-updates',
    access: 'nameserver',
    body: 'json',
    source: 'dynamic-update',
    answerWithinMs: LONG_UPDATE_MS,
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
