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

/** Whom a request's caller administers. @throws ServiceError forbidden */
export function administratorOf({ settings }: Context, { account }: Caller): Administrator {
  return getAdministrator(account, settings.administration);
}

/**
 * Admits a change. Each one makes every process read accounts anew, so an account domain makes only so many a second.
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

/** Makes a change that was admitted, in one transaction, with the right of this moment. */
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

/** Both, for changes that need nothing made ready. */
export async function changeAccounts<T>(
  context: Context,
  request: ApiRequest,
  work: { readonly caller: Caller; readonly change: Change<T> },
): Promise<T> {
  await beginChange(context, work.caller);
  return await commitChange(context, request, work);
}

/** A password that somebody chose, hashed when it is the source's turn. @throws ServiceError invalid, Overload */
export async function hashChosenPassword(
  context: Context,
  request: ApiRequest,
  { password, name }: { readonly password: string; readonly name: string },
): Promise<string> {
  parseChosenPassword(password, name);
  return await hashInTurn(context, request, password);
}

/** @throws Overload when the turn does not come in time */
export async function hashInTurn(
  { loginOrder }: Context,
  { source, turn }: ApiRequest,
  password: string,
): Promise<string> {
  return await turn.aside(() => loginOrder.hash(source, () => hashPassword(password)));
}
