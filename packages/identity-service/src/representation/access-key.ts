import type { AccessKey, AccessKeyState } from '@zonewright/accounts';
import {
  attribute,
  bareList,
  element,
  jsonConstant,
  jsonValue,
  only,
  type Resource,
  type Shape,
} from '@zonewright/http-api';
import { EXTENSION_NAMESPACE, toOffsetTimestamp } from './namespaces.js';

/** Key in the view of its owner. */
export interface AccessKeyView {
  readonly key: AccessKey;
  readonly state: AccessKeyState;
  /** Undefined if the secret is not shown. */
  readonly secretKey: string | undefined;
  /** Time of the last use, accurate to the minute. Null if no use has been recorded. Undefined if not requested. */
  readonly lastUsedAt?: Date | null | undefined;
}

type Moment = 'validFrom' | 'validTo' | 'createdAt';

/** Time in milliseconds since the epoch in JSON, and as a timestamp with an offset in XML (Identity s2). */
function moment(name: string, member: Moment) {
  return attribute<AccessKeyView>(name, {
    json: ({ key }) => key[member].getTime(),
    xml: ({ key }) => toOffsetTimestamp(key[member]),
  });
}

const KEY: Shape<AccessKeyView> = [
  attribute('accessKeyId', ({ key }) => key.id),
  element('algorithm', ({ key }) => key.algorithm),
  moment('createdOn', 'createdAt'),
  attribute('domainId', ({ key }) => key.accountDomainId),
  element('keyLength', ({ key }) => key.keyLength),
  element('secretKey', ({ secretKey }) => secretKey),
  attribute('status', ({ state }) => state),
  attribute('userId', ({ key }) => key.userId),
  moment('validFrom', 'validFrom'),
  moment('validTo', 'validTo'),
  only('json', [
    jsonValue('lastUsedOn', ({ lastUsedAt }) =>
      lastUsedAt instanceof Date ? lastUsedAt.getTime() : lastUsedAt,
    ),
    jsonValue('otherAttributes', ({ key }) => attributesOf(key)),
  ]),
  only('xml', [element('restrictions', ({ key }) => toJsonText(key.restriction))]),
];

/** Returns the attributes beyond those of the original service. Empty for most keys. */
function attributesOf({ name, description, restriction: restrictions }: AccessKey) {
  return { name, description, restrictions };
}

/** Returns JSON text, since XML has no form for these values. Old clients ignore the element. */
function toJsonText(restriction: AccessKey['restriction']): string | undefined {
  return restriction && JSON.stringify(restriction);
}

/** One access key (Identity s2). */
export const ACCESS_KEY: Resource<AccessKeyView> = {
  root: 'accessKey',
  namespace: EXTENSION_NAMESPACE,
  wrappedInJson: true,
  shape: KEY,
};

/** List of access keys, in the wrapper that old clients require. */
export const ACCESS_KEYS: Resource<readonly AccessKeyView[]> = {
  root: 'accessKeys',
  namespace: EXTENSION_NAMESPACE,
  wrappedInJson: true,
  shape: [
    jsonConstant('anies', null),
    bareList('accessKey', { name: 'accessKey', shape: KEY }, (keys) => keys),
    jsonConstant('otherAttributes', {}),
  ],
};
