import { findNameFaults, isFarTooLong, readLabels } from '../names/name-rules.js';
import { isAtOrBelow } from '../names/owner-names.js';
import { toAsciiLabel } from '../names/to-ascii-domain-name.js';
import { MAX_NAME_OCTETS } from '../wire/name-to-wire.js';

/** Matches any single label, except the asterisk of a wildcard, which covers deeper names. */
const ONE = '*';
/** Matches any number of labels, including none. */
const MANY = '**';
/** Name of the zone itself (RFC 1035 s5.1). */
const APEX = '@';
const WILDCARD = '*';

/** Normal form of a pattern, or the reason why it is not valid. */
export type PatternReading = { readonly pattern: string } | { readonly fault: string };

/**
 * Reads a pattern of names in a zone: labels relative to it, with `*` for any single label and, once, `**` for any
 * number of labels. More than one `**` could make patterns slow in PostgreSQL. The normal form has A-labels in lower
 * case; `@` is the name of the zone itself.
 */
export function readNamePattern(text: string): PatternReading {
  if (text === APEX) return { pattern: APEX };
  if (text === '') return { fault: `must not be empty; write "${APEX}" for the zone's own name` };
  if (isFarTooLong(text))
    return { fault: `has ${text.length} characters, more than a name can have` };
  const { labels, absolute } = readLabels(text);
  if (absolute) return { fault: 'must be relative to the zone, without a trailing dot' };
  if (labels.indexOf(MANY) !== labels.lastIndexOf(MANY)) {
    return { fault: `has "${MANY}" more than once` };
  }
  const literal = labels.filter((label) => label !== ONE && label !== MANY);
  const [fault] = literal.length === 0 ? [] : findNameFaults(literal.join('.'), 'any');
  if (fault !== undefined) return { fault: fault.what };
  const odd = literal.find((label) => /[*\\]/.test(label));
  if (odd !== undefined) {
    return {
      fault: `has the label "${odd}"; an asterisk must be a whole label, and escapes are not supported`,
    };
  }
  const octets = labels.reduce((sum, label) => sum + (label === MANY ? 0 : label.length + 1), 1);
  if (octets > MAX_NAME_OCTETS) {
    return { fault: `takes at least ${octets} octets; a name has at most ${MAX_NAME_OCTETS}` };
  }
  return { pattern: labels.map((label) => (toAsciiLabel(label) ?? label).toLowerCase()).join('.') };
}

/** Whether a name is in a zone and matches a pattern. All three are in normal form (canonicalOwnerName). */
export function matchesNamePattern(pattern: string, name: string, zone: string): boolean {
  if (!isAtOrBelow(name, zone)) return false;
  const relative = name === zone ? '' : name.slice(0, -zone.length - 1);
  return matchesLabels(labelsOfPattern(pattern), relative.match(LABELS) ?? []);
}

/** Matches the labels of a canonical name, in which a dot within a label is escaped with a backslash. */
const LABELS = /(?:[^.\\]|\\.)+/g;

function labelsOfPattern(pattern: string): readonly string[] {
  return pattern === APEX ? [] : pattern.split('.');
}

function matchesLabels(pattern: readonly string[], labels: readonly string[]): boolean {
  const many = pattern.indexOf(MANY);
  if (many === -1) return pattern.length === labels.length && matchesEach(pattern, labels);
  const behind = pattern.slice(many + 1);
  return (
    labels.length >= pattern.length - 1 &&
    matchesEach(pattern.slice(0, many), labels) &&
    matchesEach(behind, labels.slice(labels.length - behind.length))
  );
}

function matchesEach(pattern: readonly string[], labels: readonly string[]): boolean {
  return pattern.every((expected, at) => matchesLabel(expected, labels[at] ?? ''));
}

function matchesLabel(expected: string, label: string): boolean {
  return expected === ONE ? label !== WILDCARD : expected === label;
}

const LABEL = String.raw`(?:[^.\\]|\\.)+`;
/** Matches a single label, except the label of a wildcard. */
const ONE_LABEL = String.raw`(?:(?:[^.\\*]|\\.)(?:[^.\\]|\\.)*|[*](?:[^.\\]|\\.)+)`;

/** Returns a PostgreSQL regular expression without anchors that matches the names of a zone that a pattern matches. */
export function namePatternExpression(pattern: string, zone: string): string {
  const labels = labelsOfPattern(pattern).map((label) => {
    if (label === MANY) return `(?:${LABEL}[.])*`;
    return label === ONE ? `${ONE_LABEL}[.]` : `${escapeExpression(label)}[.]`;
  });
  return labels.join('') + escapeExpression(zone);
}

function escapeExpression(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, String.raw`\$&`);
}
