import { Builder } from 'xml2js';
import { toJsonObject, toXmlElement, type Shape } from './member.js';

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
