import { parseStringPromise } from 'xml2js';
import { MAX_DEPTH } from './parse-json.js';
import { invalidRequest } from './problems.js';

/** Cannot be names in XML, so no element or attribute collides with them. */
const ATTRIBUTES = '#attributes';
const TEXT = '#text';
/**
 * In front of each element's name while xml2js works on it: an element called `constructor` or `__proto__` would
 * otherwise meet what every object inherits.
 */
const ELEMENT = '#element:';

/** An element as xml2js gives it. */
type Node = Readonly<Record<string, unknown>>;

/**
 * An XML body in the form that it would have as JSON: the root element is the only member, attributes and
 * child elements are members (an array where several have one name), an element with nothing but text is a
 * string. Local names count, prefixes and namespaces do not (decisions 2, XML).
 *
 * @throws ServiceError (invalid) for what is not well-formed, has a DOCTYPE, or is nested too deeply.
 */
export async function parseXml(text: string): Promise<unknown> {
  // Before the parser sees it: entities and external subsets begin there.
  if (/<!DOCTYPE/i.test(text)) throw invalidRequest('a DOCTYPE is not allowed');
  let document: Node | null;
  try {
    document = (await parseStringPromise(text, {
      attrkey: ATTRIBUTES,
      charkey: TEXT,
      explicitCharkey: true,
      emptyTag: () => ({}),
      tagNameProcessors: [(name) => ELEMENT + localName(name)],
    })) as Node | null;
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw invalidRequest(`the body is not XML: ${reason}`);
  }
  if (document === null) throw invalidRequest('the body is not XML: it has no element');
  return toMembers(document, 0);
}

function toMembers(node: Node, depth: number): unknown {
  if (depth > MAX_DEPTH) {
    throw invalidRequest(`the body is nested more than ${MAX_DEPTH} levels deep`);
  }
  const members = attributesOf(node);
  for (const [name, value] of Object.entries(node)) {
    if (!name.startsWith(ELEMENT)) continue;
    const children = (Array.isArray(value) ? value : [value]) as Node[];
    const converted = children.map((child) => toMembers(child, depth + 1));
    members[name.slice(ELEMENT.length)] = converted.length === 1 ? converted[0] : converted;
  }
  const text = node[TEXT];
  const isTextOnly = Object.keys(members).length === 0 && typeof text === 'string';
  return isTextOnly ? text : members;
}

function attributesOf(node: Node): Record<string, unknown> {
  const members = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries((node[ATTRIBUTES] ?? {}) as Node)) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) members[localName(name)] = value;
  }
  return members;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
