/** Whether a text has characters that PostgreSQL's text cannot store: NUL, and half a surrogate pair. */
export function hasUnstorableCharacter(text: string): boolean {
  return text.includes('\0') || /\p{Surrogate}/u.test(text);
}
