import { inferJsonSchema, type Schema } from '@zonewright/http-api';
import {
  renderAssignment,
  renderDomain,
  renderProject,
  renderRegion,
  renderRole,
  renderService,
  renderUser,
  toListedEndpoints,
} from '../representation/administration.js';
import { JSON_REQUESTS } from './administration-requests.js';
import { renderHolder, renderSigner } from '../representation/v3-token.js';
import {
  ASSIGNMENTS,
  DOMAIN,
  ENDPOINT,
  ROLE,
  SERVICE_ENTRY,
  TENANTS,
  USER,
  V3_ACCESSES,
} from './samples.js';

const BASE_URL = 'https://identity.example.net';

const PROJECTS = TENANTS.map((tenant) =>
  renderProject({ ...tenant, tags: ['a'], extra: {} }, BASE_URL),
);
const USERS = [null, TENANTS[0]?.id ?? ''].map((defaultProjectId) =>
  renderUser({ ...USER, defaultProjectId }, BASE_URL),
);
const ROLES = [{}, { description: 'A role' }].map((extra) =>
  renderRole({ ...ROLE, extra }, BASE_URL),
);
const DOMAINS = [renderDomain(DOMAIN, BASE_URL)];
const SERVICES = [renderService(SERVICE_ENTRY, BASE_URL)];
const ENDPOINTS = toListedEndpoints(ENDPOINT, BASE_URL);
const REGIONS = [renderRegion(ENDPOINT.region, BASE_URL)];
const ROLE_ASSIGNMENTS = [true, false].flatMap((includesNames) =>
  ASSIGNMENTS.map((assignment) =>
    renderAssignment(assignment, { baseUrl: BASE_URL, includesNames }),
  ),
);

/** JSON responses, rendered from the samples. */
const JSON_ANSWERS = {
  V3Project: ofOne('project', PROJECTS),
  V3AllProjects: ofList('projects', PROJECTS),
  V3ProjectTags: [{ tags: ['a'], links: { self: BASE_URL, previous: null, next: null } }],
  V3User: ofOne('user', USERS),
  V3Users: ofList('users', USERS),
  V3Role: ofOne('role', ROLES),
  V3Roles: ofList('roles', ROLES),
  V3RoleAssignments: ofList('role_assignments', ROLE_ASSIGNMENTS),
  V3Domain: ofOne('domain', DOMAINS),
  V3Domains: ofList('domains', DOMAINS),
  V3Groups: ofList('groups', []),
  V3Service: ofOne('service', SERVICES),
  V3Services: ofList('services', SERVICES),
  V3Endpoint: ofOne('endpoint', ENDPOINTS),
  V3Endpoints: ofList('endpoints', ENDPOINTS),
  V3Region: ofOne('region', REGIONS),
  CheckedTsig: [
    { fault: 'BADSIG' },
    { access_key_id: 'K', fault: null, token: null },
    ...V3_ACCESSES.map((access) => renderSigner('K', access)),
  ],
  TsigExchanged: V3_ACCESSES.map((access) => ({
    results: [
      { fault: 'BADSIG' },
      { access_key_id: 'K', fault: null, token: null, answer: 'AAA=' },
      { access_key_id: 'K', fault: null, token: 0, answer: 'AAA=' },
      { too_many: true },
    ],
    tokens: [renderHolder(access).token],
  })),
  CheckedKey: [undefined, ...V3_ACCESSES].map(renderHolder),
  SignedTsigAnswer: [{ message: 'AAA=' }],
  SignedTsigTransfer: [{ records: [{ tsig: 'AAA=' }] }],
  V3Regions: ofList('regions', REGIONS),
} as const;

export type JsonAnswerName = keyof typeof JSON_ANSWERS;

/** Objects in which clients may store additional members, and the lists of these objects. */
const OPEN = ['project', 'user', 'role'];

export const JSON_SCHEMAS: Readonly<Record<string, Schema>> = {
  ...JSON_REQUESTS,
  ...Object.fromEntries(
    Object.entries(JSON_ANSWERS).map(([name, samples]) => [
      name,
      withOthers(inferJsonSchema(samples)),
    ]),
  ),
};

/** Allows other members in these objects. */
function withOthers(schema: Schema): Schema {
  const properties = schema['properties'] as Readonly<Record<string, Schema>>;
  const opened = Object.entries(properties).map(([name, member]): [string, Schema] => {
    if (OPEN.includes(name)) return [name, { ...member, additionalProperties: true }];
    const items = member['items'] as Schema | undefined;
    return OPEN.includes(name.replace(/s$/, '')) && items !== undefined
      ? [name, { ...member, items: { ...items, additionalProperties: true } }]
      : [name, member];
  });
  return { ...schema, properties: Object.fromEntries(opened) };
}

function ofOne(member: string, items: readonly object[]): object[] {
  return items.map((item) => ({ [member]: item }));
}

function ofList(member: string, items: readonly object[]): object[] {
  const links = { self: BASE_URL, previous: null, next: null };
  return [
    { [member]: items, links },
    { [member]: items, links: { ...links, next: BASE_URL }, truncated: true },
  ];
}
