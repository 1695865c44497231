import { parseString } from 'xml2js';

/** Parts of a schema in an OpenAPI document that are read here. */
export interface XmlSchema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, XmlSchema>>;
  readonly items?: XmlSchema;
  readonly xml?: { readonly name?: string; readonly namespace?: string };
}

/** An element as xml2js reads it: attributes under `$`, child elements in arrays. */
type Element = string | ({ readonly $?: object } & Readonly<Record<string, unknown>>);

/** The schema that a reference leads to, or the schema itself. */
type Resolve = (schema: XmlSchema) => XmlSchema;

/** An XML document as the value that its schema describes; what is not as described is left as it is read, for a validator to find. */
export function readXmlAnswer(text: string, schema: XmlSchema, resolve: Resolve): unknown {
  const [name, root] = parseRoot(text);
  const { xmlns: namespace, ...$ } =
    typeof root === 'string' ? {} : { xmlns: undefined, ...root.$ };
  const described = resolve(schema);
  const { xml } = described;
  if (xml?.name !== name || xml.namespace !== namespace) return { [name]: namespace };
  return toValue(typeof root === 'string' ? root : { ...root, $ }, described, resolve);
}

function parseRoot(text: string): readonly [string, Element] {
  let document: Readonly<Record<string, Element>> = {};
  // Calls back at once, since its option `async` is not set.
  parseString(text, (error, parsed: typeof document) => {
    if (error !== null) throw error;
    document = parsed;
  });
  return Object.entries(document)[0] ?? ['', ''];
}

function toValue(element: Element, described: XmlSchema, resolve: Resolve): unknown {
  const { properties } = resolve(described);
  if (properties === undefined) return element;
  const { $ = {}, ...children } = typeof element === 'string' ? {} : element;
  const members = Object.entries(children).map(([name, elements]) => {
    const schema = properties[name];
    return [name, schema === undefined ? elements : toMember(elements, resolve(schema), resolve)];
  });
  return { ...$, ...Object.fromEntries(members) };
}

/** Elements of one name: several only where an array is described. */
function toMember(elements: unknown, schema: XmlSchema, resolve: Resolve): unknown {
  if (!Array.isArray(elements)) return elements;
  const items = schema.type === 'array' ? (schema.items ?? {}) : schema;
  const values = elements.map((each: Element) => toValue(each, items, resolve));
  return schema.type === 'array' || values.length > 1 ? values : values[0];
}
