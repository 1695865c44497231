import type { Fault } from './errors.js';
import {
  attribute,
  element,
  jsonConstant,
  represent,
  type Representation,
  type Shape,
} from '@zonewright/http-api';
import { V2_NAMESPACE, V3_NAMESPACE } from '../representation/namespaces.js';

const FAULT: Shape<Fault> = [
  attribute('code', (fault) => fault.status),
  element('message', (fault) => fault.message),
  element('details', (fault) => fault.details),
];
const WITH_OTHER_ATTRIBUTES: Shape<Fault> = [...FAULT, jsonConstant('otherAttributes', {})];

/** Where the API document shows something other than FAULT (decisions 2, Error bodies). */
const SHAPES: Readonly<Record<string, Shape<Fault>>> = {
  unauthorized: WITH_OTHER_ATTRIBUTES,
  TooManyRequests: [
    element('message', (fault) => fault.message),
    element('code', (fault) => fault.status),
    element('details', (fault) => fault.details),
  ],
};

const V3_ERROR: Shape<Fault> = [
  attribute('code', (fault) => fault.status),
  attribute('title', (fault) => fault.root),
  element('message', (fault) => fault.message),
  element('details', (fault) => fault.details ?? ''),
  jsonConstant('otherAttributes', {}),
];

/** Keystone's own: its clients show the message and nothing else. */
const ADMINISTRATION_ERROR: Shape<Fault> = [
  attribute('code', (fault) => fault.status),
  attribute('title', (fault) => fault.root),
  element('message', (fault) => fault.details ?? fault.message),
];

/** Of the paths of version 3 those of tokens are older than the administration of accounts. */
export function isAdministration(path: string): boolean {
  return path.startsWith('/v3/') && !path.startsWith('/v3/auth/');
}

/** The body of an error, in the form of the API version whose path was requested. */
export function representFault(fault: Fault, path: string): Representation {
  if (path === '/v3' || path.startsWith('/v3/')) {
    const shape = isAdministration(path) ? ADMINISTRATION_ERROR : V3_ERROR;
    const error = { root: 'error', namespace: V3_NAMESPACE, wrappedInJson: true, shape };
    return represent(error, fault);
  }
  const shape = SHAPES[fault.root] ?? FAULT;
  return represent(
    { root: fault.root, namespace: V2_NAMESPACE, wrappedInJson: true, shape },
    fault,
  );
}
