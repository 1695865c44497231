import { DOMParser, type Element } from '@xmldom/xmldom';
import type { AnswerName } from '../src/schemas/answers.js';

const V2 = 'http://docs.openstack.org/identity/api/v2.0';
const EXTENSION = 'http://docs.openstack.org/identity/api/ext/hp/v1.0';
const V3 = 'http://docs.openstack.org/identity/api/v3';

/** The JSON form of a text in XML. A moment is a timestamp with an offset in XML, and milliseconds in JSON. */
type Kind = 'text' | 'boolean' | 'integer' | 'moment';

/** An element as the document describes it (Identity API, section 2, and D-ACC), with its form in JSON. */
interface Form {
  readonly attributes?: Readonly<Record<string, Kind>>;
  /** Child elements that contain a text. */
  readonly texts?: Readonly<Record<string, Kind>>;
  /** Child elements that occur once, by the JSON member. */
  readonly objects?: Readonly<Record<string, Form>>;
  /** Child elements that occur any number of times, by the JSON member; `in` is the element around them. */
  readonly lists?: Readonly<Record<string, List>>;
  /** Attributes that JSON has in an object with this name. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Members that only JSON has. */
  readonly jsonOnly?: readonly string[];
  /** Attributes and elements that only XML has. */
  readonly xmlOnly?: readonly string[];
}

interface List {
  readonly in?: string;
  readonly item: string;
  /** Undefined if the items are texts. */
  readonly form?: Form;
}

interface Document extends Form {
  readonly root: string;
  readonly namespace: string;
  /** Whether the members in JSON are inside a member with the root's name. */
  readonly wrapped: boolean;
}

const texts = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, 'text' as const]));

const LINKS: List = { item: 'link', form: { attributes: texts('rel', 'href') } };
const VERSION: Form = {
  attributes: texts('id', 'status', 'updated'),
  lists: {
    'media-types': {
      in: 'media-types',
      item: 'media-type',
      form: { attributes: texts('base', 'type') },
    },
    links: LINKS,
  },
};
const EXTENSION_FORM: Form = {
  attributes: texts('name', 'namespace', 'alias', 'updated'),
  texts: texts('description'),
  lists: { links: LINKS },
};
const URLS = ['tenantId', 'adminURL', 'internalURL', 'publicURL', 'publicURL2', 'region'];
const VERSIONED = ['versionId', 'versionInfo', 'versionList'];
/** The version element contains what JSON has in members of the endpoint. */
const ENDPOINT: Form = {
  attributes: texts(...URLS, 'interface'),
  jsonOnly: ['url', 'id', 'info', 'list', ...VERSIONED],
  xmlOnly: ['version'],
};
const SERVICE: Form = {
  attributes: texts('name', 'type'),
  lists: { endpoints: { item: 'endpoint', form: ENDPOINT } },
};
const REFERENCE: Form = { attributes: texts('id', 'name') };
const ACCESS: Form = {
  objects: {
    token: { attributes: texts('id', 'expires'), objects: { tenant: REFERENCE } },
    user: {
      attributes: texts('id', 'name', 'domainStatus', 'domainStatusCode'),
      groups: { otherAttributes: ['domainStatus', 'domainStatusCode'] },
      lists: {
        roles: {
          in: 'roles',
          item: 'role',
          form: { attributes: texts('id', 'name', 'serviceId', 'tenantId') },
        },
      },
    },
  },
};
const KEY: Form = {
  attributes: {
    ...texts('accessKeyId', 'userId', 'domainId', 'status'),
    validFrom: 'moment',
    validTo: 'moment',
    createdOn: 'moment',
  },
  texts: { ...texts('algorithm', 'secretKey'), keyLength: 'integer' },
  jsonOnly: ['lastUsedOn', 'otherAttributes'],
  xmlOnly: ['restrictions'],
};
const CREDENTIAL: Form = {
  attributes: {
    ...texts('id', 'name', 'user_id', 'project_id', 'expires_at'),
    unrestricted: 'boolean',
  },
  texts: texts('description', 'secret'),
  lists: { roles: { in: 'roles', item: 'role', form: { attributes: texts('id', 'name') } } },
  objects: { links: { attributes: texts('self') } },
  jsonOnly: ['access_rules'],
};
const DOMAIN_OWNED: Form = { ...REFERENCE, objects: { domain: REFERENCE } };
const V3_SERVICES = {
  item: 'service',
  form: {
    attributes: texts('id', 'type', 'name'),
    lists: {
      endpoints: {
        item: 'endpoint',
        form: { attributes: texts('id', 'interface', 'region', 'region_id', 'url') },
      },
    },
  },
} satisfies List;

/** The XML form of each body according to the documents. It is deliberately written here a second time. */
export const DOCUMENTS: Readonly<Record<AnswerName, Document>> = {
  Access: {
    root: 'access',
    namespace: V2,
    wrapped: true,
    ...ACCESS,
    lists: { serviceCatalog: { in: 'serviceCatalog', item: 'service', form: SERVICE } },
  },
  AccessWithoutCatalog: { root: 'access', namespace: V2, wrapped: true, ...ACCESS },
  AccessKey: { root: 'accessKey', namespace: EXTENSION, wrapped: true, ...KEY },
  AccessKeys: {
    root: 'accessKeys',
    namespace: EXTENSION,
    wrapped: true,
    lists: { accessKey: { item: 'accessKey', form: KEY } },
    jsonOnly: ['anies', 'otherAttributes'],
  },
  Endpoints: {
    root: 'endpoints',
    namespace: V2,
    wrapped: false,
    lists: {
      endpoints: {
        item: 'endpoint',
        form: {
          attributes: texts('id', 'name', 'type', ...URLS, 'interface'),
          jsonOnly: ['url', ...VERSIONED],
          xmlOnly: ['version'],
        },
      },
    },
    jsonOnly: ['endpoints_links'],
  },
  Tenants: {
    root: 'tenants',
    namespace: V2,
    wrapped: false,
    lists: {
      tenants: {
        item: 'tenant',
        form: {
          attributes: { ...texts('id', 'name'), enabled: 'boolean' },
          texts: texts('description'),
          jsonOnly: ['created', 'updated'],
          xmlOnly: ['display-name'],
        },
      },
      tenants_links: LINKS,
    },
  },
  Versions: {
    root: 'versions',
    namespace: V2,
    wrapped: true,
    lists: { values: { item: 'version', form: VERSION } },
  },
  Version2: { root: 'version', namespace: V2, wrapped: true, ...VERSION },
  Version3: { root: 'version', namespace: V3, wrapped: true, ...VERSION },
  Extensions: {
    root: 'extensions',
    namespace: V2,
    wrapped: true,
    lists: { values: { item: 'extension', form: EXTENSION_FORM } },
  },
  Extension: { root: 'extension', namespace: V2, wrapped: true, ...EXTENSION_FORM },
  V3Token: {
    root: 'token',
    namespace: V3,
    wrapped: true,
    attributes: texts('issued_at', 'expires_at'),
    objects: {
      user: DOMAIN_OWNED,
      project: DOMAIN_OWNED,
      application_credential: {
        attributes: { ...texts('id', 'name'), restricted: 'boolean' },
      },
    },
    jsonOnly: ['EXT-IDM:restrictions'],
    lists: {
      methods: { in: 'methods', item: 'method' },
      roles: { in: 'roles', item: 'role', form: REFERENCE },
      catalog: { in: 'catalog', ...V3_SERVICES },
    },
  },
  ApplicationCredential: {
    root: 'application_credential',
    namespace: V3,
    wrapped: true,
    ...CREDENTIAL,
  },
  ApplicationCredentials: {
    root: 'application_credentials',
    namespace: V3,
    wrapped: false,
    lists: { application_credentials: { item: 'application_credential', form: CREDENTIAL } },
    objects: { links: { attributes: texts('self'), jsonOnly: ['previous', 'next'] } },
  },
  V3Catalog: {
    root: 'catalog',
    namespace: V3,
    wrapped: false,
    lists: { catalog: V3_SERVICES },
    objects: { links: { attributes: texts('self') } },
  },
  V3Projects: {
    root: 'projects',
    namespace: V3,
    wrapped: false,
    lists: {
      projects: {
        item: 'project',
        form: {
          attributes: { ...texts('id', 'name', 'domain_id'), enabled: 'boolean' },
          texts: texts('description'),
          objects: { links: { attributes: texts('self') } },
        },
      },
    },
    objects: { links: { attributes: texts('self'), jsonOnly: ['previous', 'next'] } },
  },
};

/** Parses with a parser that the service does not use. @throws Error if the text is not well-formed */
export function parseIndependently(text: string): Element {
  const parser = new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  });
  const root = parser.parseFromString(text, 'application/xml').documentElement;
  if (root === null) throw new Error('no root');
  return root;
}

/**
 * Returns the JSON value of an XML document, without the members that only JSON has.
 *
 * @throws Error for a name or a namespace that the document does not have
 */
export function toJsonValue(root: Element, document: Document): unknown {
  if (root.localName !== document.root) throw new Error(`the root is ${root.tagName}`);
  const value = readElement(root, document, document.namespace);
  return document.wrapped ? { [document.root]: value } : value;
}

/** Returns a JSON value without the members that only JSON has. */
export function withoutJsonOnly(value: unknown, document: Document): unknown {
  if (!document.wrapped) return strip(value, document);
  const { [document.root]: inner, ...others } = value as Record<string, unknown>;
  return { [document.root]: strip(inner, document), ...others };
}

function strip(value: unknown, form: Form): unknown {
  const entries = Object.entries(value as object)
    .filter(([name]) => form.jsonOnly?.includes(name) !== true)
    .map(([name, member]: [string, unknown]) => {
      const object = form.objects?.[name];
      const item = form.lists?.[name]?.form;
      if (object !== undefined) return [name, strip(member, object)];
      if (item !== undefined) return [name, (member as unknown[]).map((one) => strip(one, item))];
      return [name, member];
    });
  return Object.fromEntries(entries) as unknown;
}

function readElement(element: Element, form: Form, namespace: string): Record<string, unknown> {
  if (element.namespaceURI !== namespace) throw new Error(`${element.tagName} is elsewhere`);
  const children = childrenOf(element);
  const value: Record<string, unknown> = { ...readGroups(element, form) };
  readAttributes(element, form, value);
  for (const [name, { in: wrapper }] of Object.entries(form.lists ?? {})) {
    const isThere = children.some((child) => child.localName === wrapper);
    if (wrapper === undefined || isThere) value[name] = [];
  }
  for (const child of children) {
    if (isXmlOnly(child.localName, form)) continue;
    readChild(child, { form, namespace, value });
  }
  return value;
}

function isXmlOnly(name: string | null, { xmlOnly = [] }: Form): boolean {
  return name !== null && xmlOnly.includes(name);
}

function readGroups(element: Element, { groups = {} }: Form): Record<string, object> {
  return Object.fromEntries(
    Object.entries(groups).map(([group, names]) => {
      const present = names.filter((name) => element.hasAttribute(name));
      const members = present.map((name) => [name, element.getAttribute(name)]);
      return [group, Object.fromEntries(members) as object];
    }),
  );
}

function readAttributes(element: Element, form: Form, value: Record<string, unknown>): void {
  const grouped = Object.values(form.groups ?? {}).flat();
  for (const { name, value: text, namespaceURI } of Array.from(element.attributes)) {
    if (name === 'xmlns' || isXmlOnly(name, form)) continue;
    const kind = form.attributes?.[name];
    if (kind === undefined || namespaceURI !== null) throw new Error(`attribute ${name}`);
    if (!grouped.includes(name)) value[name] = toScalar(text, kind);
  }
}

interface Place {
  readonly form: Form;
  readonly namespace: string;
  readonly value: Record<string, unknown>;
}

function readChild(child: Element, place: Place): void {
  const { texts: kinds = {}, objects = {}, lists = {} } = place.form;
  const name = child.localName ?? '';
  const kind = kinds[name];
  const object = objects[name];
  const list = Object.entries(lists).find(([, one]) => (one.in ?? one.item) === name);
  if (kind !== undefined) place.value[name] = toScalar(child.textContent ?? '', kind);
  else if (object !== undefined) place.value[name] = readElement(child, object, place.namespace);
  else if (list !== undefined) readItems(child, list, place);
  else throw new Error(`element ${child.tagName}`);
}

function readItems(child: Element, [name, list]: [string, List], { namespace, value }: Place) {
  const items = list.in === undefined ? [child] : childrenOf(child);
  if (items.some((item) => item.localName !== list.item)) throw new Error(`items of ${name}`);
  const read = items.map((item) =>
    list.form === undefined ? item.textContent : readElement(item, list.form, namespace),
  );
  value[name] = [...(value[name] as unknown[]), ...read];
}

function childrenOf(element: Element): Element[] {
  return Array.from(element.childNodes).filter((node) => node.nodeType === 1) as Element[];
}

/** The timestamp with an offset of Identity API, section 2. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/;

function toScalar(text: string, kind: Kind): unknown {
  switch (kind) {
    case 'text':
      return text;
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : text);
    case 'integer':
      return Number(text);
    case 'moment':
      return MOMENT.test(text) ? Date.parse(text) : text;
  }
}
