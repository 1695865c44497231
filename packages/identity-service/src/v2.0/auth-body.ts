import type { Credentials, TenantReference } from '@zonewright/accounts';
import { Members } from '@zonewright/http-api';

/** Body of POST /v2.0/tokens: credentials, or a token with its new scope. */
export interface AuthBody {
  readonly scope: TenantReference | undefined;
  readonly subject: Credentials | { readonly method: 'token'; readonly tokenId: string };
}

const KINDS = ['passwordCredentials', 'apiAccessKeyCredentials', 'token'] as const;

/** Reads the `auth` body (Identity s2). @throws ServiceError (invalid) */
export function readAuthBody(body: unknown): AuthBody {
  return Members.read(body, (root) => {
    const auth = root.object('auth');
    return { scope: readScope(auth), subject: readSubject(auth) };
  });
}

function readScope(auth: Members): TenantReference | undefined {
  // An empty id means unscoped (D-ID-2).
  const id = auth.optionalIdText('tenantId') ?? '';
  const name = auth.optionalText('tenantName') ?? '';
  if (id !== '' && name !== '') auth.problem('tenantId', 'and tenantName cannot both be given');
  if (id !== '') return { id };
  return name === '' ? undefined : { name };
}

function readSubject(auth: Members): AuthBody['subject'] {
  const [kind, ...others] = KINDS.filter((name) => auth.has(name));
  if (kind === undefined || others.length > 0) {
    auth.problem(KINDS.join(', '), 'are alternatives: give exactly one of them');
  }
  switch (kind) {
    case 'apiAccessKeyCredentials': {
      const key = auth.object(kind);
      return {
        method: 'accessKey',
        accessKeyId: key.text('accessKey'),
        secretKey: key.text('secretKey'),
      };
    }
    case 'token':
      return { method: 'token', tokenId: auth.object(kind).text('id') };
    default: {
      const password = auth.optionalObject('passwordCredentials');
      return {
        method: 'password',
        user: { name: password?.text('username') ?? '' },
        password: password?.text('password') ?? '',
      };
    }
  }
}
