/** Of a record what a line of a zone file says. */
export interface Line {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
}

/** A line of a zone file. Text without quotes gets them (RFC 1035 s5.1). */
export function toZoneLine({ name, type, data, priority, ttl }: Line): string {
  const isText = (type === 'TXT' || type === 'SPF') && !data.startsWith('"');
  const value = isText ? `"${data.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : data;
  return [name, ttl ?? '', 'IN', type, priority ?? '', value]
    .filter((part) => part !== '')
    .join('\t');
}
