import type { recordAnswers } from '@zonewright/testkit';
import { describeApi } from '../src/http/openapi.js';
import { ROUTES } from '../src/routes.js';

/** Name and OpenAPI document of the identity service without aliases, as input for recordAnswers. */
export const IDENTITY_API: Parameters<typeof recordAnswers>[0] = {
  name: 'identity-service',
  document: describeApi(ROUTES, { baseUrl: 'http://identity.example.net', extensionAliases: [] }),
};
