import type { Problem } from '../problems/problem.js';
import { hasUnstorableCharacter } from '../problems/unstorable-character.js';
import { kindOf, memberProblem } from './member.js';

const MAX_DESCRIPTION_CHARACTERS = 160;

/** Checks a description: a string of at most 160 characters, null or absent (D-ZONE-28). */
export function checkDescription(description: unknown): Problem[] {
  if (description === undefined || description === null) {
    return [];
  }
  if (typeof description !== 'string') {
    const what = `is ${kindOf(description)}; write a string or null`;
    return [memberProblem('description', 'type', what)];
  }
  return [...checkLength(description), ...checkCharacters(description)];
}

function checkLength(description: string): Problem[] {
  // A character has at most two code units, so a longer text is refused before it is counted.
  const isFarTooLong = description.length > 2 * MAX_DESCRIPTION_CHARACTERS;
  const length = isFarTooLong ? description.length : Array.from(description).length;
  const what = `has ${length} characters; ${MAX_DESCRIPTION_CHARACTERS} is the most`;
  return length > MAX_DESCRIPTION_CHARACTERS
    ? [memberProblem('description', 'maxLength', what)]
    : [];
}

function checkCharacters(description: string): Problem[] {
  const what = 'holds a NUL or half a surrogate pair; remove it';
  return hasUnstorableCharacter(description) ? [memberProblem('description', 'format', what)] : [];
}
