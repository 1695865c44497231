import { OperationFinder } from '@zonewright/http-api';
import type { recordAnswers } from '@zonewright/testkit';
import { describeApi } from '../../src/openapi/describe-api.js';
import { DESCRIBED_OPERATIONS, OPERATIONS } from '../../src/operations.js';

const finder = new OperationFinder(OPERATIONS);
const described = new Set(DESCRIBED_OPERATIONS);

/** For recordAnswers: this API, as it describes itself. */
export const DNS_API: Parameters<typeof recordAnswers>[0] = {
  name: 'dns-api',
  document: describeApi(DESCRIBED_OPERATIONS, 'http://dns.example.net'),
  find: (method, path) => {
    try {
      const { operation } = finder.find(method, path);
      return described.has(operation) ? operation.id : undefined;
    } catch {
      // No operation at all, or none of this method.
      return undefined;
    }
  },
};
