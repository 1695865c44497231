import type { recordAnswers } from '@zonewright/testkit';
import { describeApi } from '../src/http/openapi.js';
import { ROUTES } from '../src/routes.js';

/** This API for recordAnswers, as it describes itself, without aliases. */
export const IDENTITY_API: Parameters<typeof recordAnswers>[0] = {
  name: 'identity-service',
  document: describeApi(ROUTES, { baseUrl: 'http://identity.example.net', extensionAliases: [] }),
};
