import type {
  Credentials,
  DomainReference,
  TenantReference,
  UserReference,
} from '@zonewright/accounts';
import { Members } from '@zonewright/http-api';
import type { AuthBody } from '../v2.0/auth-body.js';

const METHODS = ['password', 'token', 'accessKey', 'application_credential'] as const;

/** Reads the `auth` body of version 3 (D-ID 3). @throws ServiceError (invalid) */
export function readV3AuthBody(body: unknown): AuthBody {
  return Members.read(body, (root) => {
    const auth = root.object('auth');
    return { scope: readScope(auth), subject: readIdentity(auth.object('identity')) };
  });
}

function readIdentity(identity: Members): AuthBody['subject'] {
  const [name, ...others] = identity.texts('methods', 'method');
  const method = METHODS.find((known) => known === name);
  if (method === undefined || others.length > 0) {
    identity.problem('methods', `must contain one of ${METHODS.join(', ')}`);
    return { method: 'token', tokenId: '' };
  }
  const members = identity.object(method);
  switch (method) {
    case 'password':
      return readPassword(members.object('user'));
    case 'token':
      return { method, tokenId: members.text('id') };
    case 'accessKey':
      return {
        method,
        accessKeyId: members.text('accessKey'),
        secretKey: members.text('secretKey'),
      };
    case 'application_credential':
      return readApplicationCredential(members);
  }
}

/** Reads an access key under Keystone's name, by its id or by its name and its user. */
function readApplicationCredential(members: Members): Credentials {
  const id = members.optionalText('id');
  const secretKey = members.text('secret');
  const method = 'application_credential';
  if (id !== undefined) return { method, accessKeyId: id, secretKey };
  const name = members.text('name');
  return { method, named: { name, user: readUser(members.object('user')) }, secretKey };
}

function readPassword(user: Members): Credentials {
  return { method: 'password', user: readUser(user), password: user.text('password') };
}

function readUser(user: Members): UserReference {
  const id = user.optionalIdText('id');
  if (id !== undefined) return { id };
  const name = user.text('name');
  const domain = readDomain(user.optionalObject('domain'));
  return domain === undefined ? { name } : { name, domain };
}

/** Scopes of Keystone without a meaning here: rights on an account domain need no scope (ADR 0028). */
const OTHER_SCOPES = ['domain', 'system', 'OS-TRUST:trust'];

function readScope(auth: Members): TenantReference | undefined {
  // Keystone's explicit form of an unscoped token.
  const isUnscoped = auth.raw('scope') === 'unscoped';
  const scope = isUnscoped ? undefined : auth.optionalObject('scope');
  if (scope === undefined || scope.has('unscoped')) return undefined;
  const other = OTHER_SCOPES.find((name) => scope.has(name));
  if (other !== undefined) {
    auth.problem(`scope.${other}`, 'is not supported: specify a project, or leave out scope');
    return undefined;
  }
  const project = scope.object('project');
  const id = project.optionalIdText('id');
  if (id !== undefined) return { id };
  const name = project.text('name');
  const domain = readDomain(project.optionalObject('domain'));
  return domain === undefined ? { name } : { name, domain };
}

function readDomain(domain: Members | undefined): DomainReference | undefined {
  if (domain === undefined) return undefined;
  const id = domain.optionalIdText('id');
  return id === undefined ? { name: domain.text('name') } : { id };
}
