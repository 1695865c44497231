import { SaxesParser } from 'saxes';
import { Refusal } from '../request/refusal.js';

/** What an XML body may hold. */
export interface XmlBounds {
  readonly maxDepth: number;
  /** Elements and attributes, together. */
  readonly maxMarkup: number;
}

/** Encodings that a document may declare: what we read is UTF-8, of which the second is a part. */
const ENCODINGS = /^(utf-?8|us-ascii)$/i;

const LESS_THAN = 0x3c;
const EQUALS = 0x3d;

/**
 * Refuses what xml2js lets pass: a second root and text behind the first, attributes given twice, prefixes that
 * nothing declares, entities that XML does not have, characters that it cannot hold (XML 1.0 s2, Namespaces in XML s3,
 * s6.3). A DOCTYPE, which XML allows and we do not, is refused where it stands and nowhere else: in a comment, a CDATA
 * section or an attribute it is text. Far cheaper than any parser, the characters that elements and attributes cannot do
 * without are counted first.
 *
 * @throws Refusal 400
 */
export function checkXml(text: string, { maxDepth, maxMarkup }: XmlBounds): void {
  checkMarkup(text, maxMarkup);
  const parser = new SaxesParser({ xmlns: true, position: true });
  let depth = 0;
  parser.on('error', (error) => {
    throw notXml(`the body is not XML: ${error.message}`);
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !ENCODINGS.test(encoding)) {
      throw notXml(`the body declares the encoding ${encoding}: it must be UTF-8`);
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

/** A tag begins with `<`, an attribute has a `=`; where either stands in a text it counts as well. */
function checkMarkup(text: string, maxMarkup: number): void {
  let left = maxMarkup;
  for (let index = 0; index < text.length && left >= 0; index += 1) {
    const code = text.charCodeAt(index);
    if (code === LESS_THAN || code === EQUALS) left -= 1;
  }
  if (left < 0) throw notXml(`the body has more than ${maxMarkup} tags and attributes`);
}

export function notXml(detail: string): Refusal {
  return new Refusal('not-xml', { detail });
}
