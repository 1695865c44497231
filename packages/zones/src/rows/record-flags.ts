import type { RecordImage } from '@zonewright/database';
import type { Timestamp } from '../sql/timestamps.js';

/** Properties of a record that are not part of DNS. */
export interface RecordFlags {
  /** Switched off: kept, but not part of the zone. */
  readonly disabled: boolean;
  /** When it is deleted by itself; null: never. */
  readonly expiresAt: Timestamp | null;
  /** In order, each once. */
  readonly tags: readonly string[];
}

export const NO_FLAGS: RecordFlags = { disabled: false, expiresAt: null, tags: [] };

/** Returns the flags as a row stores them: undefined if none is set. */
export function someFlags(flags: RecordFlags | undefined): RecordFlags | undefined {
  return isSameFlags(flags, NO_FLAGS) ? undefined : flags;
}

export function isSameFlags(one: RecordFlags = NO_FLAGS, other: RecordFlags = NO_FLAGS): boolean {
  return (
    one.disabled === other.disabled &&
    one.expiresAt === other.expiresAt &&
    one.tags.join() === other.tags.join()
  );
}

/** Returns the flags as members in the API and the journal. */
export function flagMembers({ disabled, expiresAt, tags }: RecordFlags = NO_FLAGS) {
  return { disabled, expires_at: expiresAt, tags };
}

/** Returns the flags of an image. An image without flags is of a record that had none. */
export function flagsOfImage({ disabled, expires_at, tags }: RecordImage): RecordFlags {
  return { disabled: disabled ?? false, expiresAt: expires_at ?? null, tags: tags ?? [] };
}
