import { MEDIA_TYPES } from '../http/negotiation.js';
import { representFault } from '../render-fault.js';
import { type AnswerName, ANSWERS } from './answers.js';
import { type BodyDescription, describeBody } from './describe-body.js';
import { listFaults } from './faults.js';
import type { JsonSchema } from './infer-schema.js';
import { type RequestName, REQUESTS } from './request-schemas.js';

type Named<T> = Readonly<Record<string, T>>;

/** Made once: the document is built for each caller, who needs no token. */
const ANSWER_BODIES: Named<BodyDescription> = Object.fromEntries(
  Object.entries(ANSWERS).map(([name, samples]) => [name, describeBody(samples)]),
);

/** Every schema, by its name; what is XML has a name of its own. */
export const SCHEMAS: Named<JsonSchema> = Object.fromEntries([
  ...Object.entries(REQUESTS).flatMap(([name, request]) => requestSchemas(name, request)),
  ...Object.entries(ANSWER_BODIES).flatMap(([name, { json, xml }]): [string, JsonSchema][] => [
    [name, json],
    [xmlName(name), xml],
  ]),
]);

/** The errors of each version, by status. */
export const FAULT_RESPONSES: Named<object> = Object.fromEntries(
  ['/v2.0', '/v3'].flatMap((path) =>
    listFaults(path).map((fault) => [
      faultName(path, fault.status),
      {
        description: fault.message,
        headers: describeHeaders(Object.keys(fault.headers)),
        content: inlineContent(describeBody([representFault(fault, path)])),
      },
    ]),
  ),
);

/** The name of an error's response: the paths of version 3 have a form of their own. */
export function faultName(path: string, status: number): string {
  return `${path === '/v3' || path.startsWith('/v3/') ? 'V3Error' : 'Error'}${status}`;
}

export function requestContent(name: RequestName) {
  return refContent(name);
}

export function answerContent(name: AnswerName) {
  const example = ANSWER_BODIES[name]?.example;
  const { [MEDIA_TYPES.json]: json, [MEDIA_TYPES.xml]: xml } = refContent(name);
  return { [MEDIA_TYPES.json]: { ...json, example }, [MEDIA_TYPES.xml]: xml };
}

export function describeHeaders(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' } }]));
}

export function ref(kind: 'schemas' | 'responses', name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

function requestSchemas(
  name: string,
  { root, namespace, schema }: (typeof REQUESTS)[RequestName],
): [string, JsonSchema][] {
  const inJson = { [root]: ref('schemas', xmlName(name)) };
  return [
    [name, { type: 'object', properties: inJson, required: [root] }],
    [xmlName(name), { ...schema, xml: { name: root, namespace } }],
  ];
}

function refContent(name: string) {
  return {
    [MEDIA_TYPES.json]: { schema: ref('schemas', name) },
    [MEDIA_TYPES.xml]: { schema: ref('schemas', xmlName(name)) },
  };
}

function inlineContent({ json, xml, example }: BodyDescription) {
  return {
    [MEDIA_TYPES.json]: { schema: json, example },
    [MEDIA_TYPES.xml]: { schema: xml },
  };
}

function xmlName(name: string): string {
  return `${name}Xml`;
}
