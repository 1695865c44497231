/** Parts of a record that a line of a zone file contains, and its comment. */
export interface Line {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
  readonly disabled?: boolean;
  readonly expires_at?: string | null;
  readonly tags?: readonly string[];
}

/**
 * Returns a line of a zone file. Text without quotes gets them (RFC 1035 s5.1). A comment holds what the format lacks. A record that
 * is switched off becomes a comment, as in an export.
 */
export function toZoneLine(line: Line): string {
  const { name, type, data, priority, ttl, disabled } = line;
  const isText = (type === 'TXT' || type === 'SPF') && !data.startsWith('"');
  const value = isText ? `"${data.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : data;
  const text = [name, ttl ?? '', 'IN', type, priority ?? '', value]
    .filter((part) => part !== '')
    .join('\t');
  return `${disabled === true ? '; switched off: ' : ''}${text}${toComment(line)}`;
}

function toComment({ expires_at: end, tags = [] }: Line): string {
  const notes = [
    ...(end == null ? [] : [`until ${end.slice(0, 19)}Z`]),
    ...(tags.length === 0 ? [] : [`tags ${tags.join(', ')}`]),
  ];
  return notes.length === 0 ? '' : `\t; ${notes.join('; ')}`;
}
