import { CAA } from '../rdata/small-types.js';
import { DnsSyntaxError } from '../values/problem.js';
import { type Advice, type AdvisedRecord, correctTo, point } from './advice.js';

const ISSUING = new Set(['issue', 'issuewild', 'issuemail', 'issuevmc']);
/** Tags that a registry lists (RFC 8659 s7.3 and later). */
const KNOWN = new Set([...ISSUING, 'iodef', 'contactemail', 'contactphone']);
const LABEL = '[A-Za-z0-9](?:-*[A-Za-z0-9])*';
/** Name of a certificate authority (RFC 8659 s4.2). One label is within the grammar, but nobody has such a name. */
const ISSUER = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`);
/** Parameter of an authority: tag, `=`, and visible characters other than the semicolon (RFC 8659 s4.2). */
const PARAMETER = new RegExp(`^${LABEL}\\s*=\\s*[!-:<-~]*$`);

/** Finds CAA values that no certificate authority can read, so that none may issue (RFC 8659 s4.2). */
export function adviseOnCaa(record: AdvisedRecord): Advice[] {
  const read = readCaa(record.data);
  if (read === undefined) return [];
  const { flags, tag, value } = read;
  if (!KNOWN.has(tag)) {
    const message = `The CAA record of ${record.name} has the tag ${tag}, which is not in the registry of IANA: it has no effect.`;
    return [point(record, 'caa-tag', message, 'Use issue, issuewild, issuemail or iodef.')];
  }
  const problem =
    tag === 'iodef' ? checkReportUrl(value) : ISSUING.has(tag) ? checkIssuer(value) : undefined;
  if (problem === undefined) return [];
  const { what, right, example } = problem;
  const message = `The CAA record of ${record.name} has ${what}: certificate authorities refuse certificates for it (RFC 8659 section 4.2).`;
  const data = `${flags} ${tag} "${right ?? example}"`;
  if (right === undefined)
    return [point(record, 'caa-value', message, `Write it like this: ${data}`)];
  return [correctTo(record, { data }, { code: 'caa-value', message, action: `Write ${data}` })];
}

/** Problem of a value, with the right value or, if nobody can know it, an example. */
interface ValueProblem {
  readonly what: string;
  readonly right?: string | undefined;
  readonly example: string;
}

/** RFC 8659 s4.4. */
function checkReportUrl(value: string): ValueProblem | undefined {
  if (/^(?:mailto:\S+@\S+|https?:\/\/\S+)$/i.test(value)) return undefined;
  return {
    what: `${JSON.stringify(value)}, which is not a URL`,
    right: /^\S+@\S+$/.test(value) ? `mailto:${value}` : undefined,
    example: 'mailto:security@example.com',
  };
}

/** Name of an authority in a URL, in quotes, or with a label that does not belong to it. */
const WRAPPED_ISSUER =
  /^(?:https?:\/\/)?["'\u201c\u2018]?(?:www\.|\*\.)?([a-z0-9.-]+?)\.?["'\u201d\u2019]?(?:\/.*)?$/i;

function checkIssuer(value: string): ValueProblem | undefined {
  const [issuer = '', ...parameters] = value.split(';').map((part) => part.trim());
  const wrong = parameters.find((part) => part !== '' && !PARAMETER.test(part));
  if (wrong !== undefined) {
    const what = `the parameter ${JSON.stringify(wrong)}, which is not tag=value`;
    return { what, example: 'ca.example.net; account=230123' };
  }
  if (issuer === '' || ISSUER.test(issuer)) return undefined;
  const host = WRAPPED_ISSUER.exec(issuer)?.[1] ?? '';
  return {
    what: `${JSON.stringify(issuer)}, which is not the name of an authority`,
    right: ISSUER.test(host) ? [host, ...parameters].join('; ') : undefined,
    example: 'letsencrypt.org',
  };
}

const HEADER_OCTETS = 2;

/** Undefined if the data has no valid form. */
function readCaa(data: string) {
  let wire: Uint8Array;
  try {
    wire = CAA.toWire(data, null);
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) throw error;
    return undefined;
  }
  const [flags = 0, length = 0] = wire;
  const text = Buffer.from(wire).toString('utf8');
  const tag = text.slice(HEADER_OCTETS, HEADER_OCTETS + length).toLowerCase();
  return { flags, tag, value: text.slice(HEADER_OCTETS + length).trim() };
}
