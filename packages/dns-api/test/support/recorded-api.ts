import type { recordAnswers } from '@zonewright/testkit';
import { describeApi } from '../../src/openapi/describe-api.js';
import { DESCRIBED_OPERATIONS } from '../../src/operations.js';

/** Name and OpenAPI document of the DNS API, as input for recordAnswers. */
export const DNS_API: Parameters<typeof recordAnswers>[0] = {
  name: 'dns-api',
  document: describeApi(DESCRIBED_OPERATIONS, 'http://dns.example.net'),
};
