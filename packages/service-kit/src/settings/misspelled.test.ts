import { expect, it } from '@jest/globals';
import { findMisspelled } from './misspelled.js';

const KNOWN = new Set([
  'RATE_LIMITS',
  'MX_TARGET_CHECK',
  'DNS_API_HOST',
  'DNS_API_PORT',
  'LOG_LEVEL',
]);

it.each([
  ['RATE_LIMIT', 'RATE_LIMITS'],
  ['RATE_LIMTIS', 'RATE_LIMITS'],
  ['MX_TARGETS_CHECK', 'MX_TARGET_CHECK'],
  ['MX_TARGET_CHEK', 'MX_TARGET_CHECK'],
  ['DNSAPI_PORT', 'DNS_API_PORT'],
])('%s is reported as %s', (name, meant) => {
  expect(findMisspelled({ [name]: 'off' }, KNOWN)).toEqual([{ name, meant }]);
});

it.each(['RATE_LIMITS', 'DNS_API_HOST', 'LOG', 'PATH', 'HOSTNAME', 'npm_config_loglevel', 'RATE'])(
  '%s is not reported',
  (name) => {
    expect(findMisspelled({ [name]: 'x' }, KNOWN)).toEqual([]);
  },
);
