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

/** A key as its owner sees it. */
export interface ShownAccessKey {
  readonly key: AccessKey;
  readonly state: AccessKeyState;
  /** Undefined: not shown. */
  readonly secretKey: string | undefined;
  /** To the minute; null: never, or not since that is noted. Undefined: not asked for. */
  readonly lastUsedAt?: Date | null | undefined;
}

type Moment = 'validFrom' | 'validTo' | 'createdAt';

/** Identity s2: milliseconds since the epoch in JSON, a timestamp with an offset in XML. */
function moment(name: string, member: Moment) {
  return attribute<ShownAccessKey>(name, {
    json: ({ key }) => key[member].getTime(),
    xml: ({ key }) => toOffsetTimestamp(key[member]),
  });
}

const KEY: Shape<ShownAccessKey> = [
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

/** Empty for the keys that the original service had, as it was. */
function attributesOf({ name, description, restriction: restrictions }: AccessKey) {
  return { name, description, restrictions };
}

/** XML has no form of its own for what is a matter of JSON; old clients pass over the element. */
function toJsonText(restriction: AccessKey['restriction']): string | undefined {
  return restriction && JSON.stringify(restriction);
}

/** One access key (Identity s2). */
export const ACCESS_KEY: Resource<ShownAccessKey> = {
  root: 'accessKey',
  namespace: EXTENSION_NAMESPACE,
  wrappedInJson: true,
  shape: KEY,
};

/** A list of access keys, in the wrapper that old clients expect. */
export const ACCESS_KEYS: Resource<readonly ShownAccessKey[]> = {
  root: 'accessKeys',
  namespace: EXTENSION_NAMESPACE,
  wrappedInJson: true,
  shape: [
    jsonConstant('anies', null),
    bareList('accessKey', { name: 'accessKey', shape: KEY }, (keys) => keys),
    jsonConstant('otherAttributes', {}),
  ],
};
