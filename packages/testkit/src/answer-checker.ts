import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseString } from 'xml2js';

interface DescribedResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  readonly headers?: Readonly<Record<string, { readonly schema?: { readonly type?: unknown } }>>;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

/** Parts of an OpenAPI document that are used here. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly responses?: Readonly<Record<string, DescribedResponse>>;
    readonly schemas?: Readonly<Record<string, XmlSchema>>;
  };
}

type Head = ReadonlyMap<string, string>;

/** Checks responses with the OpenAPI document of their API. */
export class AnswerChecker {
  readonly #operations = new Map<string, DescribedOperation>();
  readonly #responses: Readonly<Record<string, DescribedResponse>>;
  readonly #schemas: Readonly<Record<string, XmlSchema>>;
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #ajv = new Ajv2020({ strict: false });
  /** Every status of every operation in the document: `getDomain 404`. */
  readonly documented: readonly string[];

  constructor(document: object) {
    const closed = close(document) as ApiDocument;
    formats.default(this.#ajv);
    this.#ajv.addSchema(closed, 'api');
    this.#responses = closed.components.responses ?? {};
    this.#schemas = closed.components.schemas ?? {};
    for (const path of Object.values(closed.paths)) {
      for (const operation of Object.values(path)) {
        this.#operations.set(operation.operationId, operation);
      }
    }
    this.documented = [...this.#operations.values()].flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    );
  }

  /** @param body undefined if it is not checked @returns the problem of a response */
  check(
    id: string,
    { status, head, body }: { status: number; head: Head; body: string | undefined },
  ): string | undefined {
    const response = this.#responseOf(id, status);
    if (response === undefined) return 'is a status that is not documented';
    return this.#checkHead(response, head) ?? this.#checkBody(response, head, body);
  }

  /** Checks the documented headers that the response has. */
  #checkHead({ headers = {} }: DescribedResponse, head: Head): string | undefined {
    for (const [name, { schema }] of Object.entries(headers)) {
      const text = head.get(name.toLowerCase());
      if (text === undefined || schema === undefined) continue;
      const value = schema.type === 'integer' ? Number(text) : text;
      const problem = this.#validate(schema, value);
      if (problem !== undefined) return `has a header ${name} that ${problem}`;
    }
    return undefined;
  }

  #checkBody(response: DescribedResponse, head: Head, body: string | undefined) {
    const type = head.get('content-type') ?? '';
    if (body === undefined || body === '') return undefined;
    const media = type.replace(/;.*$/, '');
    const { schema } = response.content?.[media] ?? {};
    if (schema === undefined) return `has a body of a type that is not documented: ${media}`;
    if (media === 'application/json') return this.#validate(schema, JSON.parse(body));
    if (media !== 'application/xml') return undefined;
    return this.#validate(schema, readXmlAnswer(body, schema, this.#resolve));
  }

  #responseOf(id: string, status: number): DescribedResponse | undefined {
    const response = this.#operations.get(id)?.responses[status];
    const name = response?.$ref?.split('/').at(-1);
    return name === undefined ? response : this.#responses[name];
  }

  readonly #resolve = (schema: XmlSchema): XmlSchema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (this.#schemas[name] ?? {});
  };

  #validate(schema: object, value: unknown): string | undefined {
    const text = JSON.stringify(schema);
    const known = this.#compiled.get(text);
    // References in a schema start at the root of its document.
    const own = () => JSON.parse(text.replaceAll('"#/', '"api#/')) as object;
    const validate = known ?? this.#ajv.compile(own());
    this.#compiled.set(text, validate);
    if (validate(value)) return undefined;
    return `is not as documented: ${this.#ajv.errorsText(validate.errors)} ${JSON.stringify(validate.errors?.[0]?.params)}`;
  }
}

/** Forbids undocumented members, which would otherwise be overlooked, unless the schema allows them. */
function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== 'example');
  const copy = Object.fromEntries(entries.map(([name, member]) => [name, close(member)]));
  const isObject =
    [copy['type']].flat().includes('object') && typeof copy['properties'] === 'object';
  return isObject ? { additionalProperties: false, ...copy } : copy;
}

/** Parts of a schema in an OpenAPI document that are used here. */
interface XmlSchema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, XmlSchema>>;
  readonly items?: XmlSchema;
  readonly xml?: { readonly name?: string; readonly namespace?: string };
}

/** Element in the form of xml2js: attributes under `$`, child elements in arrays. */
type Element = string | ({ readonly $?: object } & Readonly<Record<string, unknown>>);

/** Returns the schema that a reference points to, or the schema itself. */
type Resolve = (schema: XmlSchema) => XmlSchema;

/**
 * Converts an XML document to the value that its schema describes. Undocumented parts are kept for a validator to find.
 */
function readXmlAnswer(text: string, schema: XmlSchema, resolve: Resolve): unknown {
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
  // The call is synchronous, since its option `async` is not set.
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

/** Converts elements of one name. Several are allowed only for an array. */
function toMember(elements: unknown, schema: XmlSchema, resolve: Resolve): unknown {
  if (!Array.isArray(elements)) return elements;
  const items = schema.type === 'array' ? (schema.items ?? {}) : schema;
  const values = elements.map((each: Element) => toValue(each, items, resolve));
  return schema.type === 'array' || values.length > 1 ? values : values[0];
}
