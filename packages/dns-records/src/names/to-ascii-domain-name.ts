import { domainToASCII } from 'node:url';
import { inQuotes, NameSyntaxError } from '../values/problem.js';
import { canonicalOwnerName } from './owner-names.js';

/** The full stop and what UTS 46 s4 maps to it. */
const LABEL_SEPARATOR = /[.\u3002\uff0e\uff61]/;

/**
 * Keeps domainToASCII from reading a label as an IPv4 address (the URL standard does so when the
 * last label is a number, and full-width digits become digits first).
 */
const GUARD = '.invalid';

/**
 * The canonical owner name of a name that may hold U-labels, which become A-labels (UTS 46, as
 * browsers do it). Throws NameSyntaxError for a label that has no A-label.
 */
export function toAsciiDomainName(name: string): string {
  const labels = isAscii(name) ? [name] : splitLabels(name).map(requireAsciiLabel);
  return canonicalOwnerName(labels.join('.'));
}

/** Like toAsciiDomainName, but returns undefined if the name is not valid. */
export function findAsciiDomainName(name: string): string | undefined {
  try {
    return toAsciiDomainName(name);
  } catch (error) {
    if (!(error instanceof NameSyntaxError)) {
      throw error;
    }
    // No error here: the calling check reports the problem.
    return undefined;
  }
}

/** The labels of a name without escapes. */
export function splitLabels(name: string): string[] {
  return name.split(LABEL_SEPARATOR);
}

/** Whether all characters are ASCII. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** A longer label has no A-label of 63 octets; the conversion takes time quadratic in the length. */
const MAX_LABEL_CHARACTERS = 255;

/** The A-label of a U-label; an ASCII label unchanged; undefined if the label is invalid. */
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
