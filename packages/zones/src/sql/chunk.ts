/** So much of a list is read and held at a time, in octets of what can be long in its rows. */
export const CHUNK_OCTETS = 1_048_576;

/** Some items of a list, and whether more of what was asked for follow. */
export interface Chunk<T> {
  readonly items: readonly T[];
  readonly isCut: boolean;
}
