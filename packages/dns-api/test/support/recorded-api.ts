import type { recordAnswers } from '@zonewright/testkit';
import { describeApi } from '../../src/openapi/describe-api.js';
import { DESCRIBED_OPERATIONS } from '../../src/operations.js';

/** This API for recordAnswers, as it describes itself. */
export const DNS_API: Parameters<typeof recordAnswers>[0] = {
  name: 'dns-api',
  document: describeApi(DESCRIBED_OPERATIONS, 'http://dns.example.net'),
};
