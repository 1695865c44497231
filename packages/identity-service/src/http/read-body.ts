import {
  type BodyBudget,
  decodeUtf8,
  type Exchange,
  findUnfolder,
  formatOf,
  MEDIA_TYPES,
  parseJson,
  parseXml,
  readBody,
  readContentType,
  requireUtf8Charset,
} from '@zonewright/http-api';

/** Reads and parses the body of a request. */
export type BodyReader = (exchange: Exchange) => Promise<unknown>;

/** What a body may be. */
export interface BodyLimits {
  /** Also of what a compressed body unfolds to. */
  readonly maxBytes: number;
  /** Elements and attributes of an XML body, together. */
  readonly maxMarkup: number;
  /** The media types that it may have. */
  readonly types: readonly string[];
}

/** Far deeper than any body of this API. */
const MAX_DEPTH = 64;

export function createBodyReader(
  { maxBytes, maxMarkup, types }: BodyLimits,
  budget: BodyBudget,
): BodyReader {
  return async ({ request, response }) => {
    const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
    const type = readContentType(contentType, types) ?? MEDIA_TYPES.json;
    requireUtf8Charset(contentType);
    const unfold = findUnfolder(encoding, maxBytes);
    const bytes = await unfold(
      await budget.count((take) => readBody(request, response, { maxBytes, take })),
    );
    return formatOf(type) === 'xml'
      ? await parseXml(decodeUtf8(bytes), { maxDepth: MAX_DEPTH, maxMarkup })
      : parseJson(bytes, { maxDepth: MAX_DEPTH, maxValues: Infinity });
  };
}
