import { type AccessKey, type Account, type HeldRole, rolesInScope } from '@zonewright/accounts';
import {
  attribute,
  bareList,
  element,
  jsonValue,
  list,
  object,
  type Resource,
  type Shape,
} from '@zonewright/http-api';
import { toIsoMicroseconds, V3_NAMESPACE } from './namespaces.js';

/** Access key in the format of Keystone's clients. */
export interface CredentialView {
  readonly key: AccessKey;
  readonly owner: Account;
  /** The secret key is only in the response to the creation. */
  readonly secretKey: string | undefined;
  readonly selfUrl: string;
}

const ROLE: Shape<HeldRole> = [
  attribute('id', ({ role }) => role.id),
  attribute('name', ({ role }) => role.name),
];

const SELF_LINK: Shape<string> = [attribute('self', (url) => url)];

const CREDENTIAL: Shape<CredentialView> = [
  attribute('id', ({ key }) => key.id),
  attribute('name', ({ key }) => key.name ?? key.id),
  element('description', ({ key }) => key.description ?? ''),
  attribute('user_id', ({ key }) => key.userId),
  attribute('project_id', ({ key }) => key.restriction?.tenantId),
  attribute('expires_at', ({ key }) => key.validToText ?? toIsoMicroseconds(key.validTo)),
  attribute('unrestricted', () => false),
  element('secret', ({ secretKey }) => secretKey),
  list('roles', { name: 'role', shape: ROLE }, ({ owner, key }) =>
    rolesInScope(owner, key.restriction?.tenantId),
  ),
  jsonValue('access_rules', ({ key }) => key.restriction?.rules),
  object('links', SELF_LINK, ({ selfUrl }) => selfUrl),
];

export const APPLICATION_CREDENTIAL: Resource<CredentialView> = {
  root: 'application_credential',
  namespace: V3_NAMESPACE,
  wrappedInJson: true,
  shape: CREDENTIAL,
};

interface CredentialsDocument {
  readonly credentials: readonly CredentialView[];
  readonly selfUrl: string;
}

const PAGE_LINKS: Shape<string> = [
  ...SELF_LINK,
  attribute('previous', () => null),
  attribute('next', () => null),
];

export const APPLICATION_CREDENTIALS: Resource<CredentialsDocument> = {
  root: 'application_credentials',
  namespace: V3_NAMESPACE,
  wrappedInJson: false,
  shape: [
    bareList(
      'application_credentials',
      { name: 'application_credential', shape: CREDENTIAL },
      ({ credentials }) => credentials,
    ),
    object('links', PAGE_LINKS, ({ selfUrl }) => selfUrl),
  ],
};
