import type { Output } from '@zonewright/client';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import { refetch } from '../../api/query-client.js';
import { type CommandTexts, curl, printed, quote, zonewrightApi } from '../../ui/shell.js';

type Assignment = Output<'listRoleAssignmentsV3'>['role_assignments'][number];

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Member {
  readonly user: Named;
  readonly roles: readonly Named[];
}

/**
 * Roles on the account domain that allow managing projects and their members. The service checks on which account domain
 * they are held.
 */
export const ADMINISTRATORS = ['admin', 'identity-operator'];

export const membersOf = (projectId: string) => [...keys.project(projectId), 'members'];

/** Returns one member for each user, by name. */
export function groupByUser(assignments: readonly Assignment[]): Member[] {
  const members = new Map<string, Member>();
  for (const { user, role } of assignments) {
    const before = members.get(user.id)?.roles ?? [];
    members.set(user.id, { user: named(user), roles: [...before, named(role)] });
  }
  return [...members.values()].toSorted((a, b) => a.user.name.localeCompare(b.user.name));
}

function named({ id, name = id }: { readonly id: string; readonly name?: string }): Named {
  return { id, name };
}

const refreshMembers = (projectId: string) => refetch(membersOf(projectId));

export async function findRoleId(projectId: string, name: string): Promise<string> {
  const { value } = await clientOf(projectId).call('listRolesV3', { query: { name } });
  return value.roles[0]?.id ?? name;
}

/** Returns the id of a user. Null if there is no such user. */
export async function findUserId(projectId: string, name: string): Promise<string | null> {
  const { value } = await clientOf(projectId).call('listUsersV3', { query: { name } });
  return value.users[0]?.id ?? null;
}

export async function grantRole(projectId: string, userId: string, roleId: string): Promise<void> {
  const path = { projectId, userId, roleId };
  await clientOf(projectId).call('grantRoleOnProjectV3', { path });
  await refreshMembers(projectId);
}

export async function revokeRole(projectId: string, userId: string, roleId: string): Promise<void> {
  const path = { projectId, userId, roleId };
  await clientOf(projectId).call('revokeRoleOnProjectV3', { path });
  await refreshMembers(projectId);
}

/** Reverts an invitation: deletes the user with all roles and the password. */
export async function deleteUser(projectId: string, userId: string): Promise<void> {
  await clientOf(projectId).call('deleteUserV3', { path: { userId } });
  await refreshMembers(projectId);
}

/** Characters of generated passwords, without those that look alike: people sometimes type such a password. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
/** Number of characters: 24 of 57 have 139 bits. */
const LENGTH = 24;
/**
 * Largest multiple of the number of characters within a byte. Larger bytes are skipped, so that all characters are
 * equally likely.
 */
const FAIR = 256 - (256 % ALPHABET.length);

export function generatePassword(): string {
  let password = '';
  while (password.length < LENGTH) {
    const [octet = FAIR] = crypto.getRandomValues(new Uint8Array(1));
    if (octet < FAIR) password += ALPHABET.charAt(octet % ALPHABET.length);
  }
  return password;
}

/** Returns the commands that grant a role in a project, or revoke it. */
export function roleCommands(
  method: 'PUT' | 'DELETE',
  projectId: string,
  userId: string,
  roleId: string,
): CommandTexts & { readonly zonewright: string } {
  const path = `/v3/projects/${projectId}/users/${userId}/roles/${roleId}`;
  const request = { method, path, service: 'identity' } as const;
  return { zonewright: zonewrightApi(request), curl: curl(request) };
}

/**
 * Returns the commands that create a user and grant a role. The initial password is in the variable PASSWORD, never in
 * an argument.
 */
export function inviteCommands(
  projectId: string,
  user: { readonly name: string; readonly email?: string },
  roleId: string,
): CommandTexts {
  const body = JSON.stringify({ user: { ...user, default_project_id: projectId, password: '' } });
  const end = '"}}';
  const from = `${printed(body.slice(0, -end.length))}"$PASSWORD"${quote(end)}`;
  const creation = { method: 'POST', path: '/v3/users', from, service: 'identity' } as const;
  const grant = roleCommands('PUT', projectId, '$user', roleId);
  const id = String.raw`sed -n 's/.*"id": *"\([^"]*\)".*/\1/p'`;
  return {
    zonewright: `user=$(${zonewrightApi(creation)} --template '{{user.id}}')\n${grant.zonewright}`,
    curl: `user=$(${curl(creation)} | ${id})\n${grant.curl}`,
  };
}
