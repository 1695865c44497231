import { parseString } from 'xml2js';
import type { Schema } from '../operation/operation.js';
import type { Representation } from '../representation/resource.js';
import { inferJsonSchema, inferXmlSchema, type Xml } from './infer-schema.js';

interface XmlRoot {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly element: Xml;
}

/** A body in both formats, with the first sample as the example of each. */
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
  // Calls back at once, since its option `async` is not set.
  parseString(text, (error, parsed: typeof document) => {
    if (error !== null) throw error;
    document = parsed;
  });
  const [[name, root] = ['', {}]] = Object.entries(document);
  const { $ = {}, ...children } = root;
  const { xmlns: namespace, ...attributes } = $;
  return { name, namespace, element: { $: attributes, ...children } };
}
