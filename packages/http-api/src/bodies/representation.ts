import { Builder } from 'xml2js';

/** JSON object under construction. */
export type JsonObject = Record<string, unknown>;

/** XML element under construction, in the form of xml2js's Builder. */
export interface XmlElement {
  $: Record<string, string>;
  [child: string]: unknown;
}

type Scalar = string | number | boolean | null | undefined;

/**
 * Member of a resource. A resource is described once, as a list of members. JSON and XML are both written from that
 * list, so that both have the same members.
 */
export interface Member<T> {
  writeJson(value: T, into: JsonObject): void;
  writeXml(value: T, into: XmlElement): void;
}

/** Members of a resource, in the order in which they are written. */
export type Shape<T> = readonly Member<T>[];

/** Value, or one function for each format if the formats have different values. */
type Getter<T> =
  | ((value: T) => Scalar)
  | { readonly json: (value: T) => Scalar; readonly xml: (value: T) => Scalar };

/** JSON member and XML attribute with a scalar. Undefined is omitted from both, null from XML. */
export function attribute<T>(name: string, get: Getter<T>, xmlName = name): Member<T> {
  return {
    writeJson: (value, into) => {
      setJson(into, name, readFor('json', get, value));
    },
    writeXml: (value, into) => {
      const text = toXmlText(readFor('xml', get, value));
      if (text !== undefined) into.$[xmlName] = text;
    },
  };
}

/** JSON member and XML child element with a scalar. */
export function element<T>(name: string, get: Getter<T>): Member<T> {
  return {
    writeJson: (value, into) => {
      setJson(into, name, readFor('json', get, value));
    },
    writeXml: (value, into) => {
      const text = toXmlText(readFor('xml', get, value));
      if (text !== undefined) addChild(into, name, text);
    },
  };
}

/** JSON object and XML child element for a nested resource. Omitted if undefined. */
export function object<T, U>(
  name: string,
  shape: Shape<U>,
  get: (value: T) => U | undefined,
): Member<T> {
  return {
    writeJson: (value, into) => {
      const inner = get(value);
      if (inner !== undefined) into[name] = toJsonObject(shape, inner);
    },
    writeXml: (value, into) => {
      const inner = get(value);
      if (inner !== undefined) addChild(into, name, toXmlElement(shape, inner));
    },
  };
}

interface ListItem<U> {
  /** Name of the XML element of each item. */
  readonly name: string;
  readonly shape: Shape<U>;
}

/** JSON array, and XML element that contains the items. Omitted if undefined. */
export function list<T, U>(
  name: string,
  item: ListItem<U>,
  get: (value: T) => readonly U[] | undefined,
): Member<T> {
  return {
    writeJson: jsonListWriter(name, item, get),
    writeXml: (value, into) => {
      const items = get(value);
      if (items === undefined) return;
      const wrapper: XmlElement = { $: {} };
      for (const one of items) addChild(wrapper, item.name, toXmlElement(item.shape, one));
      addChild(into, name, wrapper);
    },
  };
}

/** JSON array whose items are directly in the parent element in XML. */
export function bareList<T, U>(
  name: string,
  item: ListItem<U>,
  get: (value: T) => readonly U[] | undefined,
): Member<T> {
  return {
    writeJson: jsonListWriter(name, item, get),
    writeXml: (value, into) => {
      for (const one of get(value) ?? []) {
        addChild(into, item.name, toXmlElement(item.shape, one));
      }
    },
  };
}

/** JSON array of strings; in XML a wrapper with one text element for each string. */
export function words<T>(
  name: string,
  itemName: string,
  get: (value: T) => readonly string[],
): Member<T> {
  return {
    writeJson: (value, into) => {
      into[name] = get(value);
    },
    writeXml: (value, into) => {
      addChild(into, name, { $: {}, [itemName]: get(value).map(cleanXmlText) });
    },
  };
}

/** Members that form a nested object in JSON, but not in XML. */
export function group<T>(name: string, members: Shape<T>): Member<T> {
  return {
    writeJson: (value, into) => {
      into[name] = toJsonObject(members, value);
    },
    writeXml: (value, into) => {
      for (const member of members) member.writeXml(value, into);
    },
  };
}

/** Members of a nested value, written as members of the value itself. */
export function inline<T, U>(shape: Shape<U>, get: (value: T) => U): Member<T> {
  return {
    writeJson: (value, into) => {
      for (const member of shape) member.writeJson(get(value), into);
    },
    writeXml: (value, into) => {
      for (const member of shape) member.writeXml(get(value), into);
    },
  };
}

/** Members whose JSON is cached as long as the value exists, for values that many responses contain. */
export function cached<T extends object>(members: Shape<T>): Member<T> {
  const known = new WeakMap<T, JsonObject>();
  return {
    writeJson: (value, into) => {
      const json = known.get(value) ?? toJsonObject(members, value);
      known.set(value, json);
      Object.assign(into, json);
    },
    writeXml: (value, into) => {
      for (const member of members) member.writeXml(value, into);
    },
  };
}

/** Members of one format only. */
export function only<T>(format: 'json' | 'xml', members: Shape<T>): Member<T> {
  return {
    writeJson: (value, into) => {
      if (format === 'json') for (const member of members) member.writeJson(value, into);
    },
    writeXml: (value, into) => {
      if (format === 'xml') for (const member of members) member.writeXml(value, into);
    },
  };
}

/** JSON member with any value, for data that XML cannot express. */
export function jsonValue<T>(name: string, get: (from: T) => unknown): Member<T> {
  return {
    writeJson: (from, into) => {
      const found = get(from);
      if (found !== undefined) into[name] = found;
    },
    writeXml: () => undefined,
  };
}

/** JSON member with a constant value. Old clients expect such members, and XML never had them. */
export function jsonConstant<T>(name: string, constant: unknown): Member<T> {
  return {
    writeJson: (_value, into) => {
      into[name] = constant;
    },
    writeXml: () => undefined,
  };
}

export function toJsonObject<T>(shape: Shape<T>, value: T): JsonObject {
  const into: JsonObject = {};
  for (const member of shape) member.writeJson(value, into);
  return into;
}

export function toXmlElement<T>(shape: Shape<T>, value: T): XmlElement {
  const into: XmlElement = { $: {} };
  for (const member of shape) member.writeXml(value, into);
  return into;
}

function jsonListWriter<T, U>(
  name: string,
  item: ListItem<U>,
  get: (value: T) => readonly U[] | undefined,
): Member<T>['writeJson'] {
  return (value, into) => {
    const items = get(value);
    if (items !== undefined) into[name] = items.map((one) => toJsonObject(item.shape, one));
  };
}

function readFor<T>(format: 'json' | 'xml', get: Getter<T>, value: T): Scalar {
  return typeof get === 'function' ? get(value) : get[format](value);
}

function setJson(into: JsonObject, name: string, value: Scalar): void {
  if (value !== undefined) into[name] = value;
}

function addChild(into: XmlElement, name: string, child: string | XmlElement): void {
  const siblings = into[name] as unknown[] | undefined;
  if (siblings === undefined) into[name] = [child];
  else siblings.push(child);
}

function toXmlText(value: Scalar): string | undefined {
  return value === undefined || value === null ? undefined : cleanXmlText(String(value));
}

/** Characters that XML documents cannot contain, not even escaped (XML 1.0 s2.2). */
const NOT_IN_XML = /(?![\t\n\r])\p{Cc}|\p{Surrogate}|[\uFFFE\uFFFF]/gu;

function cleanXmlText(text: string): string {
  return text.replaceAll(NOT_IN_XML, '\uFFFD');
}

/** Shape with the name and namespace of its root. */
export interface Resource<T> {
  readonly root: string;
  readonly namespace: string;
  /** Whether JSON wraps the members in an object with the root's name. XML always has the root element. */
  readonly wrappedInJson: boolean;
  readonly shape: Shape<T>;
}

/** Body before it is written in one of the formats. */
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
