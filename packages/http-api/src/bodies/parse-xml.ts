import { SaxesParser } from 'saxes';
import { parseStringPromise } from 'xml2js';
import { Refusal } from '../messages/refusal.js';

/** Names that XML does not allow, so that no element or attribute collides with them. */
const ATTRIBUTES = '#attributes';
const TEXT = '#text';
/**
 * Prefix of element names inside xml2js: an element named `constructor` or `__proto__` would otherwise collide with
 * inherited members.
 */
const ELEMENT = '#element:';

/** Element as xml2js returns it. */
type Node = Readonly<Record<string, unknown>>;

/** Attributes with these prefixes describe the document, not its content. */
const DOCUMENT_ATTRIBUTE = /^(xmlns|xmlns:.*|xsi:.*|xml:.*)$/;

/**
 * Parses an XML body into the form that it would have as JSON. The root element is the only member. Attributes and
 * child elements are members (an array if several have one name). An element with text only is a string, and an empty
 * one an empty string. Local names count, prefixes and namespaces do not (D-ID-35).
 *
 * @throws Refusal 400 if it is not well-formed, has a DOCTYPE, is nested too deeply, has more elements and attributes
 * than `bounds` allows, or contains one member in two ways.
 */
export async function parseXml(text: string, bounds: XmlBounds): Promise<unknown> {
  checkXml(text, bounds);
  const document = (await parseStringPromise(text, {
    attrkey: ATTRIBUTES,
    charkey: TEXT,
    explicitCharkey: true,
    emptyTag: () => ({}),
    tagNameProcessors: [(name) => ELEMENT + localName(name)],
  })) as Node;
  return toMembers(document);
}

function toMembers(node: Node): unknown {
  const members = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries((node[ATTRIBUTES] ?? {}) as Node)) {
    if (!DOCUMENT_ATTRIBUTE.test(name)) setOnce(members, localName(name), value);
  }
  for (const [name, value] of Object.entries(node)) {
    if (!name.startsWith(ELEMENT)) continue;
    const children = (Array.isArray(value) ? value : [value]) as Node[];
    const converted = children.map(toMembers);
    setOnce(members, name.slice(ELEMENT.length), converted.length === 1 ? converted[0] : converted);
  }
  if (Object.keys(members).length > 0) return members;
  const text = node[TEXT];
  return typeof text === 'string' ? text : '';
}

/** Rejects a member that is given twice, as an attribute and an element or in two namespaces: either could be wrong. */
function setOnce(members: Record<string, unknown>, name: string, value: unknown): void {
  if (Object.hasOwn(members, name)) throw notXml(`${name} is given twice in one element`);
  members[name] = value;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Limits of an XML body. */
interface XmlBounds {
  readonly maxDepth: number;
  /** Maximum number of elements and attributes. */
  readonly maxMarkup: number;
}

/** Encodings that a document may declare: UTF-8 and its subset. */
const ENCODINGS = /^(utf-?8|us-ascii)$/i;

const LESS_THAN = 0x3c;
const EQUALS = 0x3d;

/**
 * Rejects errors that xml2js does not notice (XML 1.0 s2, Namespaces in XML s3, s6.3). Examples are a second root,
 * text after the root, duplicate attributes, undeclared prefixes, unknown entities, and characters that XML cannot
 * contain. A DOCTYPE is valid XML but not allowed here; in a comment, a CDATA section or an attribute it is text. The
 * characters of markup are counted first, which is far cheaper than parsing.
 *
 * @throws Refusal 400
 */
function checkXml(text: string, { maxDepth, maxMarkup }: XmlBounds): void {
  checkMarkup(text, maxMarkup);
  const parser = new SaxesParser({ xmlns: true, position: true });
  let depth = 0;
  parser.on('error', (error) => {
    throw notXml(`the body is not XML: ${error.message}`);
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !ENCODINGS.test(encoding)) {
      throw notXml(`the body declares the encoding ${encoding}, but must be UTF-8`);
    }
  });
  parser.on('doctype', () => {
    throw notXml('a DOCTYPE is not allowed');
  });
  parser.on('opentag', () => {
    depth += 1;
    if (depth > maxDepth) throw notXml(`the body is nested more than ${maxDepth} levels deep`);
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.write(text).close();
}

/** Counts `<` for tags and `=` for attributes, including those in texts. */
function checkMarkup(text: string, maxMarkup: number): void {
  let left = maxMarkup;
  for (let index = 0; index < text.length && left >= 0; index += 1) {
    const code = text.charCodeAt(index);
    if (code === LESS_THAN || code === EQUALS) left -= 1;
  }
  if (left < 0) throw notXml(`the body has more than ${maxMarkup} tags and attributes`);
}

function notXml(detail: string): Refusal {
  return new Refusal('not-xml', { detail });
}
