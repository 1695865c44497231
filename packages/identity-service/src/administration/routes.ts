import type { Schema } from '@zonewright/http-api';
import { ServiceError } from '@zonewright/service-kit';
import type { Route, TokenRoute } from '../http/route.js';
import * as activations from './activations.js';
import * as catalog from './catalog-entries.js';
import { getDomain, listDomains, listGroups, listGroupsOfUser, listOwnDomains } from './domains.js';
import { checkGrant, grant, listGrants, listRoleAssignments, revokeGrant } from './grants.js';
import { NAME_PARAMETERS, PAGE_PARAMETERS } from '../http/lists.js';
import { changePassword, createUser, deleteUser, getUser, listUsers, updateUser } from './users.js';
import {
  createProject,
  deleteProject,
  getProject,
  listProjects,
  listProjectTags,
  updateProject,
} from './projects.js';
import { createRole, deleteRole, getRole, listRoles, updateRole } from './roles.js';

const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };
const NAMED: Readonly<Record<string, Schema>> = { name: TEXT };
const BY_TAGS: Readonly<Record<string, Schema>> = Object.fromEntries(
  ['tags', 'tags-any', 'not-tags', 'not-tags-any'].map((name) => [name, TEXT]),
);
const FILTER = { ...NAMED, enabled: FLAG, ...PAGE_PARAMETERS };
const NAMES_FILTER = { ...FILTER, ...NAME_PARAMETERS };

type Row = Omit<TokenRoute, 'access' | 'limit' | 'name'>;

/** Builds a route from a row of the table. Each operation of a resource has its own handler. */
function administered(name: string, row: Row): Route {
  return {
    ...row,
    name: `v3 ${name}`,
    access: 'token',
    limit: 'administer',
    handle: explained(row.handle),
  };
}

/** Adds the explanations of errors, which callers of these operations may see. */
function explained(handle: Row['handle']): Row['handle'] {
  return async (...args) => {
    try {
      return await handle(...args);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.details !== undefined) throw error;
      if (error.kind === 'unauthenticated' || error.kind === 'unavailable') throw error;
      throw new ServiceError(error.kind, error.message, { details: error.message, cause: error });
    }
  };
}

const PROJECT = '/v3/projects/{projectId}';
const USER = '/v3/users/{userId}';
const ROLE = '/v3/roles/{roleId}';

/** Returns the operations on roles that a user holds on one kind of target. */
function grantRoutes(place: 'Project' | 'Domain'): Route[] {
  const path = `/v3/${place.toLowerCase()}s/{${place.toLowerCase()}Id}/users/{userId}/roles`;
  const one = `${path}/{roleId}`;
  const where = `on a ${place}`;
  return [
    administered(`List Roles of a User ${where}`, {
      id: `listRolesOn${place}V3`,
      method: 'GET',
      path,
      json: { answers: 'V3Roles' },
      handle: listGrants,
    }),
    administered(`Check Role of a User ${where}`, {
      id: `checkRoleOn${place}V3`,
      method: 'HEAD',
      path: one,
      status: 204,
      json: {},
      handle: checkGrant,
    }),
    administered(`Grant Role to a User ${where}`, {
      id: `grantRoleOn${place}V3`,
      method: 'PUT',
      path: one,
      status: 204,
      json: {},
      faults: [place === 'Domain' ? 400 : 413],
      handle: grant,
    }),
    administered(`Revoke Role of a User ${where}`, {
      id: `revokeRoleOn${place}V3`,
      method: 'DELETE',
      path: one,
      status: 204,
      json: {},
      handle: revokeGrant,
    }),
  ];
}

const FILTER_PATH = '/v3/OS-EP-FILTER';
const FILTERED = `${FILTER_PATH}${PROJECT.slice('/v3'.length)}/endpoints`;
const FILTERED_ONE = `${FILTERED}/{endpointId}`;

/** Services of projects, which Keystone calls endpoint filters. */
const ACTIVATION_ROUTES: readonly Route[] = [
  administered('List Endpoints of a Project', {
    id: 'listEndpointsOfProjectV3',
    method: 'GET',
    path: FILTERED,
    json: { answers: 'V3Endpoints' },
    handle: activations.listEndpointsOfProject,
  }),
  administered('Get Endpoint of a Project', {
    id: 'getEndpointOfProjectV3',
    method: 'GET',
    path: FILTERED_ONE,
    status: 204,
    json: {},
    handle: activations.checkEndpointOfProject,
  }),
  administered('Check Endpoint of a Project', {
    id: 'checkEndpointOfProjectV3',
    method: 'HEAD',
    path: FILTERED_ONE,
    status: 204,
    json: {},
    handle: activations.checkEndpointOfProject,
  }),
  administered('Add Endpoint to a Project', {
    id: 'addEndpointToProjectV3',
    method: 'PUT',
    path: FILTERED_ONE,
    status: 204,
    json: {},
    handle: activations.addEndpointToProject,
  }),
  administered('Remove Endpoint from a Project', {
    id: 'removeEndpointFromProjectV3',
    method: 'DELETE',
    path: FILTERED_ONE,
    status: 204,
    json: {},
    handle: activations.removeEndpointFromProject,
  }),
  administered('List Projects of an Endpoint', {
    id: 'listProjectsOfEndpointV3',
    method: 'GET',
    path: `${FILTER_PATH}/endpoints/{endpointId}/projects`,
    query: { ...PAGE_PARAMETERS, ...NAME_PARAMETERS },
    json: { answers: 'V3AllProjects' },
    handle: activations.listProjectsOfEndpoint,
  }),
];

/** Administration of accounts in version 3 (ADR 0028), in JSON only. */
export const ADMINISTRATION_ROUTES: readonly Route[] = [
  administered('List all Projects', {
    id: 'listAllProjectsV3',
    method: 'GET',
    path: '/v3/projects',
    query: { ...NAMES_FILTER, domain_id: TEXT, ...BY_TAGS },
    json: { answers: 'V3AllProjects' },
    handle: listProjects,
  }),
  administered('List Tags of a Project', {
    id: 'listProjectTagsV3',
    method: 'GET',
    path: `${PROJECT}/tags`,
    json: { answers: 'V3ProjectTags' },
    handle: listProjectTags,
  }),
  administered('Create Project', {
    id: 'createProjectV3',
    method: 'POST',
    path: '/v3/projects',
    status: 201,
    faults: [404, 409],
    json: { reads: 'V3NewProject', answers: 'V3Project' },
    handle: createProject,
  }),
  administered('Get Project', {
    id: 'getProjectV3',
    method: 'GET',
    path: PROJECT,
    json: { answers: 'V3Project' },
    handle: getProject,
  }),
  administered('Update Project', {
    id: 'updateProjectV3',
    method: 'PATCH',
    path: PROJECT,
    faults: [409],
    json: { reads: 'V3ProjectChange', answers: 'V3Project' },
    handle: updateProject,
  }),
  administered('Delete Project', {
    id: 'deleteProjectV3',
    method: 'DELETE',
    path: PROJECT,
    status: 204,
    faults: [409],
    json: {},
    handle: deleteProject,
  }),
  administered('List Users', {
    id: 'listUsersV3',
    method: 'GET',
    path: '/v3/users',
    query: { ...NAMES_FILTER, domain_id: TEXT },
    json: { answers: 'V3Users' },
    handle: listUsers,
  }),
  administered('Create User', {
    id: 'createUserV3',
    method: 'POST',
    path: '/v3/users',
    status: 201,
    faults: [404, 409],
    json: { reads: 'V3NewUser', answers: 'V3User' },
    handle: createUser,
  }),
  administered('Get User', {
    id: 'getUserV3',
    method: 'GET',
    path: USER,
    json: { answers: 'V3User' },
    handle: getUser,
  }),
  administered('Update User', {
    id: 'updateUserV3',
    method: 'PATCH',
    path: USER,
    faults: [409],
    json: { reads: 'V3UserChange', answers: 'V3User' },
    handle: updateUser,
  }),
  administered('Delete User', {
    id: 'deleteUserV3',
    method: 'DELETE',
    path: USER,
    status: 204,
    json: {},
    handle: deleteUser,
  }),
  administered('Change Password', {
    id: 'changePasswordV3',
    method: 'POST',
    path: `${USER}/password`,
    status: 204,
    json: { reads: 'V3OwnPassword' },
    handle: changePassword,
  }),
  administered("List a User's Groups", {
    id: 'listGroupsOfUserV3',
    method: 'GET',
    path: `${USER}/groups`,
    json: { answers: 'V3Groups' },
    handle: listGroupsOfUser,
  }),
  administered('List Roles', {
    id: 'listRolesV3',
    method: 'GET',
    path: '/v3/roles',
    query: { ...NAMED, ...PAGE_PARAMETERS, domain_id: TEXT },
    json: { answers: 'V3Roles' },
    handle: listRoles,
  }),
  administered('Create Role', {
    id: 'createRoleV3',
    method: 'POST',
    path: '/v3/roles',
    status: 201,
    faults: [409],
    json: { reads: 'V3NewRole', answers: 'V3Role' },
    handle: createRole,
  }),
  administered('Get Role', {
    id: 'getRoleV3',
    method: 'GET',
    path: ROLE,
    json: { answers: 'V3Role' },
    handle: getRole,
  }),
  administered('Update Role', {
    id: 'updateRoleV3',
    method: 'PATCH',
    path: ROLE,
    faults: [409],
    json: { reads: 'V3RoleChange', answers: 'V3Role' },
    handle: updateRole,
  }),
  administered('Delete Role', {
    id: 'deleteRoleV3',
    method: 'DELETE',
    path: ROLE,
    status: 204,
    faults: [409],
    json: {},
    handle: deleteRole,
  }),
  ...grantRoutes('Project'),
  ...grantRoutes('Domain'),
  ...ACTIVATION_ROUTES,
  administered('List Role Assignments', {
    id: 'listRoleAssignmentsV3',
    method: 'GET',
    path: '/v3/role_assignments',
    query: {
      'user.id': TEXT,
      'role.id': TEXT,
      'group.id': TEXT,
      'scope.project.id': TEXT,
      'scope.domain.id': TEXT,
      include_names: FLAG,
      effective: FLAG,
      ...PAGE_PARAMETERS,
    },
    json: { answers: 'V3RoleAssignments' },
    handle: listRoleAssignments,
  }),
  administered('List Domains', {
    id: 'listDomainsV3',
    method: 'GET',
    path: '/v3/domains',
    query: FILTER,
    json: { answers: 'V3Domains' },
    handle: listDomains,
  }),
  administered('Get Domain', {
    id: 'getDomainV3',
    method: 'GET',
    path: '/v3/domains/{domainId}',
    json: { answers: 'V3Domain' },
    handle: getDomain,
  }),
  administered('List own Domains', {
    id: 'listOwnDomainsV3',
    method: 'GET',
    path: '/v3/auth/domains',
    json: { answers: 'V3Domains' },
    handle: listOwnDomains,
  }),
  administered('List Groups', {
    id: 'listGroupsV3',
    method: 'GET',
    path: '/v3/groups',
    json: { answers: 'V3Groups' },
    handle: listGroups,
  }),
  administered('List Services', {
    id: 'listServicesV3',
    method: 'GET',
    path: '/v3/services',
    query: { ...NAMED, type: TEXT },
    json: { answers: 'V3Services' },
    handle: catalog.listServices,
  }),
  administered('Get Service', {
    id: 'getServiceV3',
    method: 'GET',
    path: '/v3/services/{serviceId}',
    json: { answers: 'V3Service' },
    handle: catalog.getService,
  }),
  administered('List Endpoints', {
    id: 'listEndpointsV3',
    method: 'GET',
    path: '/v3/endpoints',
    query: { interface: TEXT, service_id: TEXT, region_id: TEXT },
    json: { answers: 'V3Endpoints' },
    handle: catalog.listEndpoints,
  }),
  administered('Get Endpoint', {
    id: 'getEndpointV3',
    method: 'GET',
    path: '/v3/endpoints/{endpointId}',
    json: { answers: 'V3Endpoint' },
    handle: catalog.getEndpoint,
  }),
  administered('List Regions', {
    id: 'listRegionsV3',
    method: 'GET',
    path: '/v3/regions',
    json: { answers: 'V3Regions' },
    handle: catalog.listRegions,
  }),
  administered('Get Region', {
    id: 'getRegionV3',
    method: 'GET',
    path: '/v3/regions/{regionId}',
    json: { answers: 'V3Region' },
    handle: catalog.getRegion,
  }),
];
