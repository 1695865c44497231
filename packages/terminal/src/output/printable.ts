/** What somebody has stored must not be able to move the cursor of a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}
