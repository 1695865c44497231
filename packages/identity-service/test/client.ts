import { waitFor } from '@zonewright/testkit';
import request from 'supertest';
import { parseStringPromise } from 'xml2js';

export const FORMATS = ['json', 'xml'] as const;
export type Format = (typeof FORMATS)[number];

const MEDIA_TYPES = { json: 'application/json', xml: 'application/xml' } as const;

export interface Call {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  readonly path: string;
  readonly token?: string | undefined;
  /** The Accept header; the default is JSON. */
  readonly accept?: Format | undefined;
  /** An object is sent as JSON and a text as XML, unless a header specifies otherwise. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body parsed as JSON. */
  readonly json: unknown;
}

/** Sends one request and accepts any status. */
export async function call(url: string, options: Call): Promise<Answer> {
  const { method = 'GET', path, token, accept, body, headers = {} } = options;
  const methodName = method.toLowerCase() as Lowercase<typeof method>;
  let sent = request(url)
    [methodName](path)
    .redirects(0)
    .ok(() => true)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
      response.on('end', () => {
        done(null, Buffer.concat(chunks).toString());
      });
    });
  if (accept !== undefined) sent = sent.set('Accept', MEDIA_TYPES[accept]);
  if (token !== undefined) sent = sent.set('X-Auth-Token', token);
  if (body !== undefined) {
    const isText = typeof body === 'string';
    sent = sent.set('Content-Type', isText ? MEDIA_TYPES.xml : MEDIA_TYPES.json);
    sent = sent.set(headers).send(isText ? body : JSON.stringify(body));
  } else {
    sent = sent.set(headers);
  }
  const response = await sent;
  const text = typeof response.body === 'string' ? response.body : '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text) as unknown;
    },
  };
}

/** An XML element for assertions: its namespace, attributes, children in order and text. */
export interface Xml {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Xml[];
  readonly text: string;
}

interface RawXml {
  '#name': string;
  $ns?: { uri: string; local: string };
  $?: Record<string, { value: string; name: string }>;
  $$?: RawXml[];
  _?: string;
}

/** Parses a body as XML; fails if it is not well-formed. */
export async function parseXml(text: string): Promise<Xml> {
  const root = (await parseStringPromise(text, {
    xmlns: true,
    explicitRoot: false,
    explicitChildren: true,
    preserveChildrenOrder: true,
    explicitCharkey: true,
    emptyTag: () => ({}),
  })) as RawXml;
  return toXml(root);
}

/** Returns the child elements with this name. */
export function childrenOf(element: Xml | undefined, name: string): Xml[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** Returns the descendant along a path of names, the first one at each step. */
export function at(element: Xml, ...path: string[]): Xml | undefined {
  return path.reduce<Xml | undefined>((found, name) => childrenOf(found, name)[0], element);
}

function toXml(raw: RawXml): Xml {
  const attributes = Object.values(raw.$ ?? {}).filter(({ name }) => !name.startsWith('xmlns'));
  return {
    name: raw.$ns?.local ?? raw['#name'],
    namespace: raw.$ns?.uri ?? '',
    attributes: Object.fromEntries(attributes.map(({ name, value }) => [name, value])),
    children: (raw.$$ ?? []).map(toXml),
    text: raw._ ?? '',
  };
}

interface RoleJson {
  readonly id: string;
  readonly name: string;
  readonly serviceId?: string;
  readonly tenantId?: string;
}

export interface ServiceJson {
  readonly name: string;
  readonly type: string;
  readonly endpoints: readonly Readonly<Record<string, unknown>>[];
}

/** The body of a token response in version 2.0. */
export interface AccessJson {
  readonly access: {
    readonly token: {
      readonly id: string;
      readonly expires: string;
      readonly tenant?: { readonly id: string; readonly name: string };
    };
    readonly user: {
      readonly id: string;
      readonly name: string;
      readonly otherAttributes: Readonly<Record<string, string>>;
      readonly roles: readonly RoleJson[];
    };
    readonly serviceCatalog: readonly ServiceJson[];
  };
}

interface Login {
  readonly user: { readonly name: string; readonly password: string };
  readonly tenantId?: string;
}

/** Logs in with a password; fails if that does not work. */
export async function login(url: string, { user, tenantId }: Login): Promise<AccessJson['access']> {
  const passwordCredentials = { username: user.name, password: user.password };
  const answer = await call(url, {
    method: 'POST',
    path: '/v2.0/tokens',
    body: { auth: { passwordCredentials, tenantId } },
  });
  if (answer.status !== 200) throw new Error(`login failed: ${answer.status} ${answer.text}`);
  return (answer.json as AccessJson).access;
}

/** Logs in and returns the token id. */
export async function tokenOf(
  url: string,
  user: Login['user'],
  tenantId?: string,
): Promise<string> {
  const access = await login(url, { user, ...(tenantId === undefined ? {} : { tenantId }) });
  return access.token.id;
}

/** Returns the fault of an error body in either format, in the form {root, code, message, details}. */
export async function faultOf(answer: Answer): Promise<{
  root: string;
  code: number;
  message: string;
  details: string | undefined;
}> {
  if (answer.headers['content-type'] === MEDIA_TYPES.xml) {
    const xml = await parseXml(answer.text);
    const code = xml.attributes['code'] ?? at(xml, 'code')?.text;
    return {
      root: xml.name,
      code: Number(code),
      message: at(xml, 'message')?.text ?? '',
      details: at(xml, 'details')?.text,
    };
  }
  const [[root, fault] = ['', {}]] = Object.entries(answer.json as Record<string, object>);
  const { code, message, details } = fault as { code: number; message: string; details?: string };
  return { root, code, message, details };
}

/**
 * Waits until a change in the database takes effect. This takes up to a second; the limit of three allows for a machine
 * that runs all tests at once.
 */
export async function expectSoon(condition: () => Promise<boolean>): Promise<void> {
  await waitFor(condition, 3_000);
}
