import {
  canonicalRdata,
  hasRdataCodec,
  type MessageRecord,
  nameToWire,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  typeMnemonic,
  typeNumber,
  wireToName,
  writeMessage,
} from '@zonewright/dns-records';
import { exchangeAllTcp, type NameserverAddress } from '@zonewright/testkit';

/** A name and a type: `www.example. A`. */
export type QuestionText = string;

const PATIENCE_MS = 20_000;
const DO = 0x8000;
/** QR, AA, TC and RCODE. */
const COMPARED_FLAGS = 0x860f;

/** What is compared of an answer. */
interface ComparedAnswer {
  readonly flags: number;
  readonly answer: readonly string[];
  readonly authority: readonly string[];
}

/** Asks a server many questions over TCP, with DO. */
async function askAll(
  server: NameserverAddress,
  questions: readonly QuestionText[],
): Promise<ComparedAnswer[]> {
  const answers = await exchangeAllTcp(server, questions.map(writeQuery), PATIENCE_MS);
  return answers.map(compared);
}

function writeQuery(text: QuestionText): Uint8Array {
  const [name = '', type = ''] = text.split(' ');
  const question = { name: nameToWire(name), type: typeNumber(type) ?? 0, class: RR_CLASS.IN };
  const opt = { name: nameToWire('.'), type: RR_TYPE.OPT, class: 1232, ttl: DO };
  return writeMessage({
    ...{ id: 0, flags: 0, questions: [question] },
    additionals: [{ ...opt, rdata: new Uint8Array() }],
  });
}

function compared(octets: Uint8Array): ComparedAnswer {
  const { flags, answers, authorities } = readMessage(octets);
  const isFound = answers.length > 0;
  return {
    flags: flags & COMPARED_FLAGS,
    answer: inOrder(answers),
    // Others add the NS of the zone to what they find (RFC 1034 s4.3.2).
    authority: inOrder(authorities.filter((record) => !isFound || !isOfNs(record))),
  };
}

function isOfNs({ type, rdata }: MessageRecord): boolean {
  return type === RR_TYPE.NS || (type === RR_TYPE.RRSIG && coveredType(rdata) === RR_TYPE.NS);
}

function coveredType(rdata: Uint8Array): number {
  return ((rdata[0] ?? 0) << 8) | (rdata[1] ?? 0);
}

/** Each record once: some repeat a CNAME that leads to itself. Names are equal whatever their letter case is. */
function inOrder(records: readonly MessageRecord[]): string[] {
  const lines = records.map(({ name, type, ttl, rdata }) => {
    const mnemonic = typeMnemonic(type);
    const octets = hasRdataCodec(mnemonic) ? canonicalRdata(mnemonic, rdata) : rdata;
    const hex = Buffer.from(octets).toString('hex');
    return `${wireToName(name).toLowerCase()} ${ttl} ${mnemonic} ${hex}`;
  });
  return [...new Set(lines)].toSorted();
}

/**
 * Lists questions that a validating resolver can prove with this zone alone: the answer ends neither outside of it nor
 * at a delegation. Unbound 1.17 takes the DNAME of a chain for the answer to a question for DNAME, so such questions
 * are left out. The zone's own DS is in its parent.
 */
export async function listProvable(
  zone: string,
  server: NameserverAddress,
  questions: readonly QuestionText[],
): Promise<QuestionText[]> {
  const answers = await exchangeAllTcp(server, questions.map(writeQuery), PATIENCE_MS);
  return questions.filter((question, at) => {
    if (question === `${zone} DS`) return false;
    const message = readMessage(answers[at] ?? new Uint8Array());
    const aliases = message.answers.filter(({ type }) => type === RR_TYPE.CNAME);
    const targets = aliases.map(({ rdata }) => wireToName(rdata).toLowerCase());
    const isWithin = targets.every((target) => target.endsWith(`.${zone}`) || target === zone);
    const isMisread = aliases.length > 0 && message.questions[0]?.type === RR_TYPE.DNAME;
    const isReferral = message.authorities.some(({ type }) => type === RR_TYPE.NS);
    return isWithin && !isReferral && !isMisread;
  });
}

/** Lists questions to which two of the others give the same answer, and we another one. */
export async function listDisagreements(
  ours: NameserverAddress,
  others: readonly NameserverAddress[],
  questions: readonly QuestionText[],
): Promise<unknown[]> {
  const [own = [], ...theirs] = await Promise.all(
    [ours, ...others].map((server) => askAll(server, questions)),
  );
  return questions.flatMap((question, at) => {
    const texts = theirs.map((answers) => JSON.stringify(answers[at]));
    const agreed = texts.find((text, index) => texts.indexOf(text) !== index);
    const text = JSON.stringify(own[at]);
    return agreed === undefined || agreed === text ? [] : [[question, text, agreed]];
  });
}
