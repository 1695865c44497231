import type { RecordImage } from '@zonewright/database';
import type { Timestamp } from '../sql/timestamps.js';

/** What users add to a record that DNS has no place for. */
export interface RecordFlags {
  /** Switched off: kept, but not part of the zone. */
  readonly disabled: boolean;
  /** When it is deleted by itself; null: never. */
  readonly expiresAt: Timestamp | null;
  /** In order, each once. */
  readonly tags: readonly string[];
}

export const NO_FLAGS: RecordFlags = { disabled: false, expiresAt: null, tags: [] };

/** What a row has: nothing where nothing is set. */
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

/** As the API and the journal have them. */
export function flagMembers({ disabled, expiresAt, tags }: RecordFlags = NO_FLAGS) {
  return { disabled, expires_at: expiresAt, tags };
}

/** Those that an image says; of one that says none it is known that there were none. */
export function flagsOfImage({ disabled, expires_at, tags }: RecordImage): RecordFlags {
  return { disabled: disabled ?? false, expiresAt: expires_at ?? null, tags: tags ?? [] };
}
