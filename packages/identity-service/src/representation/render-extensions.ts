import { attribute, bareList, element, type Resource, type Shape } from '@zonewright/http-api';
import { EXTENSION_NAMESPACE, V2_NAMESPACE } from './namespaces.js';
import { LINK } from './render-versions.js';

/** The vendor extension under one of its path segments. */
export interface Extension {
  readonly alias: string;
  readonly selfUrl: string;
}

const EXTENSION: Shape<Extension> = [
  attribute('name', () => 'Identity Management Extension'),
  attribute('namespace', () => EXTENSION_NAMESPACE),
  attribute('alias', (extension) => extension.alias),
  attribute('updated', () => '2014-04-17T00:00:00Z'),
  element('description', () => 'User access keys, authentication with them, and revoking tokens.'),
  bareList('links', { name: 'link', shape: LINK }, (extension) => [
    { rel: 'self', href: extension.selfUrl },
  ]),
];

export const EXTENSIONS_RESOURCE: Resource<readonly Extension[]> = {
  root: 'extensions',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: [bareList('values', { name: 'extension', shape: EXTENSION }, (extensions) => extensions)],
};

export const EXTENSION_RESOURCE: Resource<Extension> = {
  root: 'extension',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: EXTENSION,
};
