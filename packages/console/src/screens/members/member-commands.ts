import { type CommandTexts, curl, printed, quote, zonewrightApi } from '../../ui/shell.js';

/** Gives a role in a project, or takes it. */
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

/** Makes a user and gives it a role. Its first password is in the variable PASSWORD, and in no argument. */
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
