/** How a zone file meets what is there: added to it, or in its place. */
export type ImportMode = 'merge' | 'replace';

export interface ImportRequest {
  readonly text: string;
  readonly mode: ImportMode;
  /** Treatment of a file with invalid lines or without records. */
  readonly onError: 'refuse' | 'skip';
  /** Whether many records may be removed. */
  readonly confirm: boolean;
  /** Name of a new domain. Default: from the SOA of the file. */
  readonly name: string | undefined;
  readonly email: string | undefined;
}
