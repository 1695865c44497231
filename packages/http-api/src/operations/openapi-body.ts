import { parseString } from 'xml2js';
import type { Representation } from '../bodies/representation.js';
import type { Schema } from './operation.js';

interface XmlRoot {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly element: Xml;
}

/** Body in both formats, with the first sample as the example of each. */
export interface BodyDescription {
  readonly json: Schema;
  readonly xml: Schema;
  readonly example: unknown;
  readonly xmlExample: string | undefined;
}

export function describeBody(samples: readonly Representation[]): BodyDescription {
  const texts = samples.map(({ toXml }) => toXml());
  const values = samples.map((sample) => JSON.parse(sample.toJson()) as unknown);
  return {
    json: inferJsonSchema(values),
    xml: describeXml(texts),
    example: values[0],
    xmlExample: texts[0],
  };
}

export function describeXml(texts: readonly string[]): Schema {
  const roots = texts.map(parseRoot);
  return {
    ...inferXmlSchema(roots.map(({ element }) => element)),
    xml: { name: roots[0]?.name, namespace: roots[0]?.namespace },
  };
}

function parseRoot(text: string): XmlRoot {
  let document: Readonly<Record<string, Exclude<Xml, string>>> = {};
  // The call is synchronous, since its option `async` is not set.
  parseString(text, (error, parsed: typeof document) => {
    if (error !== null) throw error;
    document = parsed;
  });
  const [[name, root] = ['', {}]] = Object.entries(document);
  const { $ = {}, ...children } = root;
  const { xmlns: namespace, ...attributes } = $;
  return { name, namespace, element: { $: attributes, ...children } };
}

type ObjectValue = Readonly<Record<string, unknown>>;

/** Element as xml2js reads it: attributes under `$`, text under `_`, child elements in arrays. */
type Xml = string | ({ readonly $?: Readonly<Record<string, string>> } & ObjectValue);

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/**
 * Infers the schema of JSON values of one kind. A member that is missing from one of them is optional. The rendering
 * describes resources (bodies/representation.ts), so rendered samples determine their schema.
 */
export function inferJsonSchema(samples: readonly unknown[]): Schema {
  if (samples.every((sample) => Array.isArray(sample))) {
    const items = samples.flat() as unknown[];
    return { type: 'array', ...(items.length === 0 ? {} : { items: inferJsonSchema(items) }) };
  }
  if (samples.every((sample) => sample === null)) return { type: 'null' };
  if (samples.includes(null)) {
    const schema = inferJsonSchema(samples.filter((sample) => sample !== null));
    return { ...schema, type: [schema['type'], 'null'] };
  }
  if (samples.every(isObject)) return inferObject(samples, inferJsonSchema);
  return inferScalar(samples);
}

/** Infers the schema of XML elements and marks attributes. */
function inferXmlSchema(samples: readonly Xml[]): Schema {
  if (samples.every((sample) => typeof sample === 'string')) return inferScalar(samples);
  const elements = samples.map((sample) => (typeof sample === 'string' ? {} : sample));
  const attributes = inferObject(
    elements.map(({ $ = {} }) => $),
    (values) => ({ ...inferScalar(values), xml: { attribute: true } }),
  );
  const children = inferObject(elements.map(withoutAttributes), (values) =>
    inferChildren(values as Xml[][]),
  );
  return {
    type: 'object',
    properties: { ...attributes.properties, ...children.properties },
    required: [
      ...attributes.required,
      ...children.required.filter((name) => !isArray(children.properties[name])),
    ],
  };
}

/** Whether the schema is an array. Such an element is optional, since XML cannot express an empty list. */
function isArray(schema: Schema | undefined): boolean {
  return schema?.['type'] === 'array';
}

function withoutAttributes(element: ObjectValue): ObjectValue {
  return Object.fromEntries(Object.entries(element).filter(([name]) => name !== '$'));
}

/** An element that repeats under one parent is an array without a wrapper. */
function inferChildren(samples: readonly Xml[][]): Schema {
  const schema = inferXmlSchema(samples.flat());
  return samples.some((elements) => elements.length > 1)
    ? { type: 'array', items: schema }
    : schema;
}

function inferObject(
  samples: readonly ObjectValue[],
  infer: (values: readonly unknown[]) => Schema,
) {
  const names = [...new Set(samples.flatMap((sample) => Object.keys(sample)))];
  const valuesOf = (name: string) =>
    samples.filter((sample) => Object.hasOwn(sample, name)).map((sample) => sample[name]);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, infer(valuesOf(name))])),
    required: names.filter((name) => valuesOf(name).length === samples.length),
  };
}

function inferScalar(samples: readonly unknown[]): Schema {
  const isTimestamp = samples.every((sample) => TIMESTAMP.test(String(sample)));
  const type = typeof samples[0];
  return {
    type: type === 'number' ? 'integer' : type,
    ...(isTimestamp ? { format: 'date-time' } : {}),
  };
}

function isObject(value: unknown): value is ObjectValue {
  return typeof value === 'object' && value !== null;
}
