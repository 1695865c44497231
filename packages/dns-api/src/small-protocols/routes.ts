import type { Operation } from '../http/operation.js';
import { ACME_DNS_OPERATIONS } from './acme-dns.js';
import { renderDyndnsError, updateHosts } from './dyndns.js';
import { HTTPREQ_OPERATIONS } from './httpreq.js';
import { readBasicKey } from './shown-key.js';

/** Protocols that other projects define and document (ADR 0031). */
export const INTEGRATION_OPERATIONS: readonly Operation[] = [
  {
    id: 'dyndnsUpdate',
    name: 'Update Hosts (dyndns2)',
    method: 'GET',
    path: '/nic/update',
    access: 'key',
    restricted: 'by-rules',
    readKey: readBasicKey,
    body: 'none',
    types: ['text/plain'],
    writes: true,
    source: 'dyndns',
    renderError: renderDyndnsError,
    handle: updateHosts,
  },
  ...ACME_DNS_OPERATIONS,
  ...HTTPREQ_OPERATIONS,
];
