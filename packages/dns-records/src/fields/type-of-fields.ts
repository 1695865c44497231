import { inQuotes, RdataSyntaxError } from '../values/problem.js';
import { RR_TYPE } from '../values/rr-type.js';
import { concatOctets, lowerCaseOctets } from '../wire/octets.js';
import { checkLength, checkText, dataProblem } from './checked-data.js';
import { requireLength } from './quoted-strings.js';
import type { Rdata, RecordType } from './record-type.js';
import { requireEnd } from './names.js';
import type { Field } from './field.js';
import { readWords, type Word } from './words.js';

interface TypeDescription {
  readonly fields: readonly Field[];
  /** Valid data. */
  readonly example: string;
  /** Returns the error in rdata that has a wire form. It continues a sentence that begins with the data. */
  readonly rule?: (wire: Uint8Array) => string | undefined;
}

/**
 * Creates a record type whose data consists of fields separated by blanks. All functions of the type follow from its
 * fields.
 */
export function typeOfFields(
  type: keyof typeof RR_TYPE,
  { fields, example, rule }: TypeDescription,
): RecordType {
  const splitData = (data: string) => splitIntoFields(type, { fields, example }, data);
  return {
    number: RR_TYPE[type],
    needsPriority: false,
    nameFields: fields.flatMap(({ isName }, at) => (isName === true ? [at] : [])),
    checkData: (data, zoneName) =>
      checkText(data, () => {
        const words = splitData(data);
        const inFields = fields.flatMap(
          ({ check }, at) => check?.(textAt(words, at), zoneName) ?? [],
        );
        if (inFields.length > 0) return inFields;
        const wire = fieldsToWire(fields, words);
        const broken = rule?.(wire);
        return broken === undefined ? checkLength(data, wire) : [dataProblem(data, broken)];
      }),
    target: () => null,
    toWire: (data) => fieldsToWire(fields, splitData(data)),
    fromWire: (wire) => rdataOf(type, fields, wire),
    canonical: (wire) => lowerNames(fields, wire),
  };
}

/** Splits data into the words of each field. @throws RdataSyntaxError */
function splitIntoFields(
  type: string,
  { fields, example }: TypeDescription,
  data: string,
): Word[][] {
  requireLength(data, type);
  const words = readWords(type, data);
  const last = fields.at(-1);
  const least = last?.isOptional === true ? fields.length - 1 : fields.length;
  if (words.length < least || (words.length > fields.length && last?.takesRest !== true)) {
    const form = fields.map(({ label }) => label).join(', ');
    const right = `write ${form}, for example ${inQuotes(example)}`;
    throw new RdataSyntaxError(
      `The ${type} value ${inQuotes(data)} has ${words.length} values; ${right}.`,
    );
  }
  return fields.map(({ takesRest }, at) =>
    words.slice(at, takesRest === true ? undefined : at + 1),
  );
}

function textAt(words: readonly (readonly Word[])[], at: number): string {
  return words[at]?.[0]?.text ?? '';
}

function fieldsToWire(fields: readonly Field[], words: readonly (readonly Word[])[]): Uint8Array {
  return concatOctets(fields.map(({ toWire }, at) => toWire(words[at] ?? [])));
}

function rdataOf(type: string, fields: readonly Field[], wire: Uint8Array): Rdata {
  const texts: string[] = [];
  let at = 0;
  for (const { fromWire } of fields) {
    const { text, end } = fromWire(wire, at);
    if (text !== '') texts.push(text);
    at = end;
  }
  requireEnd(type, wire, at);
  return { data: texts.join(' '), priority: null };
}

function lowerNames(fields: readonly Field[], wire: Uint8Array): Uint8Array {
  let lowered = wire;
  let at = 0;
  for (const { fromWire, isLowered } of fields) {
    const { end } = fromWire(wire, at);
    if (isLowered === true) lowered = lowerCaseOctets(lowered, at, end);
    at = end;
  }
  return lowered;
}
