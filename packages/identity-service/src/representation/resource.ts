import { Builder } from 'xml2js';
import { toJsonObject, toXmlElement, type Shape } from './member.js';

/** Identity API v2.0: access, tenants, faults, versions (decisions 2, XML). */
export const V2_NAMESPACE = 'http://docs.openstack.org/identity/api/v2.0';
/** The vendor extension: access keys. */
export const EXTENSION_NAMESPACE = 'http://docs.openstack.org/identity/api/ext/hp/v1.0';
/** Identity API v3. */
export const V3_NAMESPACE = 'http://docs.openstack.org/identity/api/v3';

/** A shape with the name and namespace under which it stands alone in a body. */
export interface Resource<T> {
  readonly root: string;
  readonly namespace: string;
  /** Whether JSON wraps the members in an object of the root's name; XML always has the root element. */
  readonly wrappedInJson: boolean;
  readonly shape: Shape<T>;
}

/** A body that has not yet been written in either format. */
export interface Representation {
  readonly toJson: () => string;
  readonly toXml: () => string;
}

/** A body whose JSON is kept as the octets that are sent. */
export interface KeptRepresentation {
  readonly toJson: () => Buffer;
  readonly toXml: () => string;
}

/** A body without an XML form: JSON is what everybody gets. */
export type JsonRepresentation = Pick<Representation, 'toJson'> & { readonly toXml?: undefined };

export function represent<T>(resource: Resource<T>, value: T): Representation {
  return {
    toJson: () => renderJson(resource, value),
    toXml: () => renderXml(resource, value),
  };
}

function renderJson<T>({ root, shape, wrappedInJson }: Resource<T>, value: T): string {
  const members = toJsonObject(shape, value);
  return JSON.stringify(wrappedInJson ? { [root]: members } : members);
}

function renderXml<T>({ root, namespace, shape }: Resource<T>, value: T): string {
  const content = toXmlElement(shape, value);
  content.$ = { xmlns: namespace, ...content.$ };
  const builder = new Builder({
    rootName: root,
    renderOpts: { pretty: false },
    xmldec: { version: '1.0', encoding: 'UTF-8' },
  });
  return builder.buildObject(content);
}
