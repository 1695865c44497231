/** How a zone file meets what is there: added to it, or in its place. */
export type ImportMode = 'merge' | 'replace';

export interface ImportRequest {
  readonly text: string;
  readonly mode: ImportMode;
  /** What becomes of the rest of a file in which lines are wrong, or which holds no record at all. */
  readonly onError: 'refuse' | 'skip';
  /** Whether many records may be removed. */
  readonly confirm: boolean;
  /** Of a new domain; undefined: as the file's SOA has it. */
  readonly name: string | undefined;
  readonly email: string | undefined;
}
