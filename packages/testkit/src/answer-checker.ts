import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readXmlAnswer, type XmlSchema } from './read-xml-answer.js';

interface DescribedResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  readonly headers?: Readonly<Record<string, { readonly schema?: { readonly type?: unknown } }>>;
}
interface DescribedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}
/** Parts of an OpenAPI document that are read here. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly responses?: Readonly<Record<string, DescribedResponse>>;
    readonly schemas?: Readonly<Record<string, XmlSchema>>;
  };
}

type Head = ReadonlyMap<string, string>;

/** Says what is wrong with answers, by the OpenAPI document of their API. */
export class AnswerChecker {
  readonly #operations = new Map<string, DescribedOperation>();
  readonly #responses: Readonly<Record<string, DescribedResponse>>;
  readonly #schemas: Readonly<Record<string, XmlSchema>>;
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #ajv = new Ajv2020({ strict: false });
  /** Every status of every operation that the document has: `getDomain 404`. */
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

  /** @param body undefined where it is not to be looked at. @returns the problem of an answer */
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
    // A schema has references from the root of its document.
    const own = () => JSON.parse(text.replaceAll('"#/', '"api#/')) as object;
    const validate = known ?? this.#ajv.compile(own());
    this.#compiled.set(text, validate);
    if (validate(value)) return undefined;
    return `is not what is documented: ${this.#ajv.errorsText(validate.errors)} ${JSON.stringify(validate.errors?.[0]?.params)}`;
  }
}

/** A member that is not described would be found by nobody, so objects have no others unless their schema says so. */
function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== 'example');
  const copy = Object.fromEntries(entries.map(([name, member]) => [name, close(member)]));
  const isObject =
    [copy['type']].flat().includes('object') && typeof copy['properties'] === 'object';
  return isObject ? { additionalProperties: false, ...copy } : copy;
}
