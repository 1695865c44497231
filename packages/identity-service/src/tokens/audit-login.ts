import type { ApiRequest } from '../http/route.js';
import { type Access, accountNameOf, type Credentials } from '@zonewright/accounts';

type Subject = Credentials | { readonly method: 'token' };

/** Whoever somebody claims to be, for the audit line of an attempt that fails. */
export function noteClaim({ audit }: Pick<ApiRequest, 'audit'>, subject: Subject): void {
  audit.note(
    subject.method === 'token'
      ? { method: subject.method }
      : { method: subject.method, account: accountNameOf(subject) },
  );
}

/** Who it turned out to be, and for which tenant. */
export function noteAccess({ audit }: Pick<ApiRequest, 'audit'>, access: Access): void {
  audit.note({ userId: access.account.id, tenantId: access.tenant?.id });
}
