import {
  type Administrator,
  confirmAdministrator,
  getAdministrator,
  parseChosenPassword,
} from '@zonewright/accounts';
import { type Database, hashPassword } from '@zonewright/database';
import { commitInTime } from '../http/commit-in-time.js';
import type { Context } from '../context/context.js';
import type { ApiRequest, Caller } from '../http/route.js';

/** Returns the administrator of a request. @throws ServiceError forbidden */
export function administratorOf({ settings }: Context, { account }: Caller): Administrator {
  return getAdministrator(account, settings.administration);
}

/**
 * Admits a change. Changes per account domain are limited, since each change makes every process read the accounts
 * again.
 *
 * @throws ServiceError forbidden, rate-limited
 */
export async function beginChange(context: Context, caller: Caller): Promise<Administrator> {
  const administrator = administratorOf(context, caller);
  const { accountDomainId } = administrator;
  if (accountDomainId !== undefined) {
    await context.limits.consume('changeAccounts', accountDomainId);
  }
  return administrator;
}

/** Makes an admitted change in one transaction, with the caller's current rights. */
export async function commitChange<T>(
  context: Context,
  request: ApiRequest,
  { caller, change }: { readonly caller: Caller; readonly change: Change<T> },
): Promise<T> {
  const rules = context.settings.administration;
  const result = await commitInTime(context, request, async (trx) =>
    change(trx, await confirmAdministrator(trx, caller.account, rules)),
  );
  context.verifiedCredentials.clear();
  return result;
}

type Change<T> = (trx: Database, administrator: Administrator) => Promise<T>;

/** Admits and makes a change that needs no preparation. */
export async function changeAccounts<T>(
  context: Context,
  request: ApiRequest,
  work: { readonly caller: Caller; readonly change: Change<T> },
): Promise<T> {
  await beginChange(context, work.caller);
  return await commitChange(context, request, work);
}

/** Hashes a chosen password in the source's slot of the queue. @throws ServiceError invalid, Overload */
export async function hashChosenPassword(
  context: Context,
  request: ApiRequest,
  { password, name }: { readonly password: string; readonly name: string },
): Promise<string> {
  parseChosenPassword(password, name);
  return await hashQueued(context, request, password);
}

/** @throws Overload if no slot is free in time */
export async function hashQueued(
  { loginOrder }: Context,
  { source, turn }: ApiRequest,
  password: string,
): Promise<string> {
  return await turn.aside(() => loginOrder.hash(source, () => hashPassword(password)));
}
