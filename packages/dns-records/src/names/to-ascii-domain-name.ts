import { domainToASCII } from 'node:url';
import { inQuotes, NameSyntaxError } from '../values/problem.js';
import { canonicalOwnerName, splitLabels } from './owner-names.js';

/**
 * Suffix that keeps domainToASCII from reading a label as an IPv4 address. The URL standard does so if the last label
 * is a number, and full-width digits become digits first.
 */
const GUARD = '.invalid';

/**
 * Returns the canonical owner name of a name with U-labels, which become A-labels (UTS 46, as in browsers). @throws
 * NameSyntaxError for a label that has no A-label
 */
export function toAsciiDomainName(name: string): string {
  const labels = isAscii(name) ? [name] : splitLabels(name).map(requireAsciiLabel);
  return canonicalOwnerName(labels.join('.'));
}

/** Does the same as toAsciiDomainName, but returns undefined if the name is not valid. */
export function findAsciiDomainName(name: string): string | undefined {
  try {
    return toAsciiDomainName(name);
  } catch (error) {
    if (!(error instanceof NameSyntaxError)) {
      throw error;
    }
    // This is not an error here, because the calling check reports the problem.
    return undefined;
  }
}

/** Whether all characters are ASCII. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/**
 * Maximum length of a label before the conversion, which takes quadratic time. Longer labels have no A-label of 63
 * octets.
 */
const MAX_LABEL_CHARACTERS = 255;

/** Returns the A-label of a U-label. An ASCII label is returned unchanged. Undefined if the label is invalid. */
export function toAsciiLabel(label: string): string | undefined {
  if (isAscii(label)) {
    return label;
  }
  if (label.length > MAX_LABEL_CHARACTERS) {
    return undefined;
  }
  const ascii = domainToASCII(`${label}${GUARD}`);
  const converted = ascii.endsWith(GUARD) ? ascii.slice(0, -GUARD.length) : '';
  return converted === '' || converted.includes('.') ? undefined : converted;
}

function requireAsciiLabel(label: string): string {
  const ascii = toAsciiLabel(label);
  if (ascii === undefined) {
    throw new NameSyntaxError(
      `The label ${inQuotes(label)} has no A-label form (UTS 46); use letters that domain names allow.`,
    );
  }
  return ascii;
}
