import {
  type BodyDescription,
  type Content,
  describeBody,
  MEDIA_TYPES,
  ref,
  type Schema,
} from '@zonewright/http-api';
import { isAdministration, representFault } from './errors.js';
import { type AnswerName, ANSWERS } from './answers.js';
import { JSON_SCHEMAS } from './administration-answers.js';
import { listFaults } from './faults.js';
import { type RequestName, REQUESTS } from './request-schemas.js';

type Named<T> = Readonly<Record<string, T>>;

const describeAnswers = once((): Named<BodyDescription> =>
  Object.fromEntries(
    Object.entries(ANSWERS).map(([name, samples]) => [name, describeBody(samples)]),
  ),
);

/** Describes every schema by its name. XML schemas have separate names. */
export const describeSchemas = once((): Named<Schema> =>
  Object.fromEntries([
    ...Object.entries(REQUESTS).flatMap(([name, request]) => requestSchemas(name, request)),
    ...Object.entries(describeAnswers()).flatMap(([name, { json, xml }]): [string, Schema][] => [
      [name, json],
      [xmlName(name), xml],
    ]),
    ...Object.entries(JSON_SCHEMAS),
  ]),
);

/** Errors of each version, by status. */
export const describeFaults = once((): Named<object> =>
  Object.fromEntries(
    ['/v2.0', '/v3', '/v3/users'].flatMap((path) =>
      listFaults(path).map((fault) => [
        faultName(path, fault.status),
        {
          description: fault.message,
          headers: describeHeaders(Object.keys(fault.headers)),
          content: faultContent(
            describeBody(
              [fault, { ...fault, details: fault.details === undefined ? 'why' : undefined }].map(
                (each) => representFault(each, path),
              ),
            ),
          ),
        },
      ]),
    ),
  ),
);

/**
 * Defers the work until the document is first requested, so that the service starts sooner. The work is done only once,
 * since callers need no token.
 */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Returns the name of an error's response. Version 3 has two separate forms. */
export function faultName(path: string, status: number): string {
  if (isAdministration(path)) return `AdministrationError${status}`;
  return `${path === '/v3' || path.startsWith('/v3/') ? 'V3Error' : 'Error'}${status}`;
}

/** Returns the content of a JSON body, for operations without XML. */
export function jsonContent(name: string): Content {
  return { [MEDIA_TYPES.json]: { schema: ref('schemas', name) } };
}

export function requestContent(name: RequestName): Content {
  return {
    [MEDIA_TYPES.json]: { schema: ref('schemas', name) },
    [MEDIA_TYPES.xml]: { schema: ref('schemas', xmlName(name)) },
  };
}

export function answerContent(name: AnswerName): Content {
  return contentOf(ref('schemas', name), ref('schemas', xmlName(name)), describeAnswers()[name]);
}

export function describeHeaders(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' } }]));
}

function requestSchemas(
  name: string,
  { root, namespace, schema }: (typeof REQUESTS)[RequestName],
): [string, Schema][] {
  const inJson = { [root]: ref('schemas', xmlName(name)) };
  return [
    [name, { type: 'object', properties: inJson, required: [root] }],
    [xmlName(name), { ...schema, xml: { name: root, namespace } }],
  ];
}

function faultContent(body: BodyDescription): Content {
  return contentOf(body.json, body.xml, body);
}

function contentOf(json: Schema, xml: Schema, body: BodyDescription | undefined): Content {
  return {
    [MEDIA_TYPES.json]: { schema: json, example: body?.example },
    [MEDIA_TYPES.xml]: { schema: xml, example: body?.xmlExample },
  };
}

function xmlName(name: string): string {
  return `${name}Xml`;
}
