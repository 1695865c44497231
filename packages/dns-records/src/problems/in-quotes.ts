/** The longest name in full, but never a whole request. */
const MAX_SHOWN_CHARACTERS = 255;

/** Text in messages: a JSON string, so that blanks and control characters are visible, cut to a limit. */
export function inQuotes(text: string): string {
  const isLong = text.length > MAX_SHOWN_CHARACTERS;
  return JSON.stringify(isLong ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text);
}
