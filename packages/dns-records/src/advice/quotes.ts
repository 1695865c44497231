import { type Advice, correctTo, dataOfText, type TextRecord } from './advice.js';

/** Double quotation marks of typography, to which word processors change `"`. */
const CURLY = '[\\u201c-\\u201f\\u00ab\\u00bb]';
const HAS_CURLY = new RegExp(CURLY, 'u');
const ALL_CURLY = new RegExp(CURLY, 'gu');
const AT_AN_END = new RegExp(`^${CURLY}|${CURLY}$`, 'u');
/** Text that programs read, such as SPF. */
const TAGGED = new RegExp(`^["\\s]?${CURLY}?\\s*v\\s*=`, 'iu');

/** Finds quotation marks that a word processor, or a form that adds its own, has put into a text. */
export function adviseOnQuotes(record: TextRecord): Advice[] {
  const { text, name } = record;
  const isForPrograms = TAGGED.test(text);
  const isQuoted = isForPrograms && /^".*"$/su.test(text);
  const isCurly = isForPrograms ? HAS_CURLY.test(text) : AT_AN_END.test(text);
  if (!isQuoted && !isCurly) return [];
  const plain = text.replaceAll(ALL_CURLY, isForPrograms ? '' : '"').replaceAll(/^"|"$/gu, '');
  return [
    correctTo(
      record,
      { data: dataOfText(plain.trim()) },
      {
        code: 'text-quotes',
        message: `The TXT record of ${name} has quotation marks in its text: programs that look for it do not recognize it.`,
        action: `Remove them: ${plain.trim()}`,
      },
    ),
  ];
}
