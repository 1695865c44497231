import { SaxesParser } from 'saxes';
import { MAX_DEPTH } from './parse-json.js';
import { invalidRequest } from './problems.js';

/** Encodings that a document may declare: what we read is UTF-8, of which the second is a part. */
const ENCODINGS = /^(utf-?8|us-ascii)$/i;

/**
 * Refuses what xml2js lets pass: a second root and text behind the first, attributes given twice, prefixes that
 * nothing declares, entities that XML does not have, characters that it cannot hold (XML 1.0 s2, Namespaces in XML s3,
 * s6.3). A DOCTYPE, which XML allows and we do not, is refused where it stands and nowhere else: in a comment, a CDATA
 * section or an attribute it is text.
 *
 * @throws ServiceError (invalid)
 */
export function checkXml(text: string): void {
  const parser = new SaxesParser({ xmlns: true, position: true });
  let depth = 0;
  parser.on('error', (error) => {
    throw invalidRequest(`the body is not XML: ${error.message}`);
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !ENCODINGS.test(encoding)) {
      throw invalidRequest(`the body declares the encoding ${encoding}: it must be UTF-8`);
    }
  });
  parser.on('doctype', () => {
    throw invalidRequest('a DOCTYPE is not allowed');
  });
  parser.on('opentag', () => {
    depth += 1;
    if (depth > MAX_DEPTH) {
      throw invalidRequest(`the body is nested more than ${MAX_DEPTH} levels deep`);
    }
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.write(text).close();
}
