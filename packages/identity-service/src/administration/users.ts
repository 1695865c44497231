import {
  changeOwnPassword,
  changeUserAs,
  createUserAs,
  deleteUserAs,
  forbidden,
  getUserAs,
  getUserBelow,
  listUsersAs,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { answer, answerList, namesOf, readFlag, readNames } from '../http/lists.js';
import { readParameter } from '../http/parameters.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { renderUser } from '../representation/administration.js';
import { NEW_USER, OWN_PASSWORD, USER_CHANGE } from '../schemas/administration-requests.js';
import {
  administratorOf,
  beginChange,
  changeAccounts,
  commitChange,
  hashChosenPassword,
  hashQueued,
} from './change-accounts.js';

export async function listUsers(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const administrator = administratorOf(context, caller);
  const { query, baseUrl } = request;
  const filter = {
    accountDomainId: readParameter(query, 'domain_id'),
    names: readNames(query),
    enabled: readFlag(query, 'enabled'),
  };
  return await answerList(request, {
    member: 'users',
    find: (page) => listUsersAs(context.db, administrator, { ...filter, ...page }),
    render: (user) => renderUser(user, baseUrl),
    markerOf: ({ id }) => id,
  });
}

export async function getUser(
  { db, settings }: Context,
  { params, baseUrl }: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  const id = params['userId'] ?? '';
  const user = await getUserAs(db, account, { id, rules: settings.administration });
  return answer(200, { user: renderUser(user, baseUrl) });
}

export async function createUser(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { domain_id, password, enabled = true, ...rest } = NEW_USER.read(request.body);
  const { name, description, email, extra, default_project_id: defaultProjectId } = rest;
  await beginChange(context, caller);
  const passwordHash =
    password === undefined ? null : await hashChosenPassword(context, request, { password, name });
  const wish = {
    ...{ name, description, email, defaultProjectId, enabled, passwordHash, extra },
    accountDomainId: domain_id,
  };
  const user = await commitChange(context, request, {
    caller,
    change: (trx, administrator) => createUserAs(trx, administrator, wish),
  });
  request.audit.note({ id: user.id });
  return answer(201, { user: renderUser(user, request.baseUrl) });
}

export async function updateUser(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const id = request.params['userId'] ?? '';
  const { default_project_id: defaultProjectId, ...rest } = USER_CHANGE.read(request.body);
  const { name, password, description, email, enabled, extra } = rest;
  const said = { name, password, description, email, defaultProjectId, enabled, ...extra };
  request.audit.note({ id, changed: namesOf(said) });
  const administrator = await beginChange(context, caller);
  const passwordHash =
    password === undefined
      ? undefined
      : await hashChosenPassword(context, request, {
          password,
          name: name ?? (await getUserBelow(context.db, administrator, id)).name,
        });
  const user = await commitChange(context, request, {
    caller,
    change: (trx, current) =>
      changeUserAs(trx, current, {
        id,
        change: { name, description, email, defaultProjectId, enabled, passwordHash, extra },
      }),
  });
  return answer(200, { user: renderUser(user, request.baseUrl) });
}

export async function deleteUser(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const id = request.params['userId'] ?? '';
  request.audit.note({ id });
  await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) => deleteUserAs(trx, administrator, id),
  });
  return { status: 204 };
}

/**
 * POST /v3/users/{userId}/password: changes the caller's password, given the old one. Tokens that were issued with
 * the old password end.
 */
export async function changePassword(
  context: Context,
  request: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  const { original_password: original, password } = OWN_PASSWORD.read(request.body);
  if (request.params['userId'] !== account.id) throw forbidden();
  request.audit.note({ id: account.id, changed: ['password'] });
  await context.limits.consume('changeAccounts', `user ${account.id}`);
  const { source, turn } = request;
  const parties = { party: source, budget: source };
  await changeOwnPassword(context.db, account, {
    change: { original, password },
    work: {
      attempt: (attempt) => turn.aside(() => context.passwordAttempts.make(attempt, parties)),
      hash: (text) => hashQueued(context, request, text),
    },
  });
  context.verifiedCredentials.clear();
  return { status: 204 };
}
