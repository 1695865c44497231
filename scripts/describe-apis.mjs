// OpenAPI documents of both APIs, as the services send them.
const dist = (path) => import(new URL(`../packages/${path}`, import.meta.url));

const BASE_URL = 'http://localhost';

/** Returns the documents. Both packages must be built. */
export async function describeApis() {
  const { describeApi: describeDns } = await dist('dns-api/dist/openapi/describe-api.js');
  const { DESCRIBED_OPERATIONS } = await dist('dns-api/dist/operations.js');
  const { describeApi: describeIdentity } = await dist('identity-service/dist/http/openapi.js');
  const { ROUTES } = await dist('identity-service/dist/routes.js');
  const dns = describeDns(DESCRIBED_OPERATIONS, BASE_URL);
  const identity = describeIdentity(ROUTES, { baseUrl: BASE_URL, extensionAliases: [] });
  // Functions and undefined members are not sent.
  return JSON.parse(JSON.stringify({ dns, identity }));
}
