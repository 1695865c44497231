/** Properties of a record that are not part of DNS, as the API names them. */
export interface RecordFlags {
  readonly disabled?: boolean;
  readonly expires_at?: string | null;
  readonly tags?: readonly string[];
}

export const FLAG_MEMBERS = ['disabled', 'expires_at', 'tags'] as const;

/** Whether one of them is set. */
export function hasFlags({ disabled = false, expires_at: end, tags = [] }: RecordFlags): boolean {
  return disabled || end != null || tags.length > 0;
}

/** Reads the flags of an image in the journal, which has none if none was set. */
export function flagsOfImage(image: Readonly<Record<string, unknown>>) {
  const { disabled, expires_at: end, tags } = image;
  return {
    disabled: disabled === true,
    expires_at: typeof end === 'string' ? end : null,
    tags: Array.isArray(tags) ? tags.map(String) : [],
  };
}

/**
 * Returns a comment with the properties that a line of a zone file cannot express. The line itself shows whether the
 * record is disabled.
 */
export function toComment({ expires_at: end, tags = [] }: RecordFlags): string {
  const notes = [
    ...(end == null ? [] : [`until ${end.slice(0, 19)}Z`]),
    ...(tags.length === 0 ? [] : [`tags ${tags.join(', ')}`]),
  ];
  return notes.length === 0 ? '' : `\t; ${notes.join('; ')}`;
}

/** Options of the command line that set these flags. */
export function toOptions({ disabled, expires_at: end, tags = [] }: RecordFlags): string[] {
  return [
    ...(disabled === true ? ['--disable'] : []),
    ...(end == null ? [] : ['--expires', end]),
    ...(tags.length === 0 ? [] : ['--tag', tags.join(',')]),
  ];
}
