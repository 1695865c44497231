import { parseStringPromise } from 'xml2js';
import { checkXml, notXml, type XmlBounds } from './check-xml.js';

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

/** Attributes with these prefixes are about the document, not about what it says. */
const DOCUMENT_ATTRIBUTE = /^(xmlns|xmlns:.*|xsi:.*|xml:.*)$/;

/**
 * An XML body in the form that it would have as JSON: the root element is the only member, attributes and
 * child elements are members (an array where several have one name), an element with nothing but text is a
 * string, and an empty one an empty string. Local names count, prefixes and namespaces do not (decisions 2, XML).
 *
 * @throws Refusal 400 for what is not well-formed, has a DOCTYPE, is nested too deeply, has more elements and
 * attributes than `bounds` has, or gives one member in two ways.
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

/** An attribute and an element, or two attributes in different namespaces: whichever we took, it might be the wrong one. */
function setOnce(members: Record<string, unknown>, name: string, value: unknown): void {
  if (Object.hasOwn(members, name)) throw notXml(`${name} is given twice in one element`);
  members[name] = value;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
