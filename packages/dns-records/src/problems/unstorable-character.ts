/** What PostgreSQL's text cannot hold as it was written: NUL, and half a surrogate pair. */
export function hasUnstorableCharacter(text: string): boolean {
  return text.includes('\0') || /\p{Surrogate}/u.test(text);
}
