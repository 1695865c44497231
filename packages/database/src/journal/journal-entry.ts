/** The properties of a zone that users write, as stored in the journal: JSON with the names of the columns. */
export interface ZoneImage {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  /** Name as users see it. Absent if it is the canonical name. */
  readonly display_name?: string;
  readonly email: string;
  readonly ttl: number;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string | null;
  /**
   * Set if the changeset replaced all records, or the records that are served at the apex, without an entry for each
   * record.
   */
  readonly replaced?: 'records' | 'apex';
}

/** A record with everything that is needed to restore it; its wire form follows from the rest. */
export interface RecordImage {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Absent if the data is long and stored elsewhere; then data_octets is set. */
  readonly data?: string;
  readonly data_octets?: number;
  /** Whether the change left long data unchanged. */
  readonly data_is_kept?: true;
  readonly ttl: number | null;
  readonly priority: number | null;
  readonly description: string | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string | null;
  /** Present if any of the three is set. */
  readonly disabled?: boolean;
  readonly expires_at?: string | null;
  readonly tags?: readonly string[];
}

/**
 * A change of a zone or of one of its records: a row of dns.zone_changes, without the columns that its changeset
 * shares.
 */
export type JournalEntry =
  | { readonly action: 'domain-create' | 'domain-undelete'; readonly after: ZoneImage }
  | { readonly action: 'domain-update'; readonly before: ZoneImage; readonly after: ZoneImage }
  | { readonly action: 'domain-delete'; readonly before: ZoneImage }
  | (OfRecord & { readonly action: 'record-create'; readonly after: RecordImage })
  | (OfRecord & {
      readonly action: 'record-update';
      readonly before: RecordImage;
      readonly after: RecordImage;
    })
  | (OfRecord & { readonly action: 'record-delete'; readonly before: RecordImage });

interface OfRecord {
  readonly recordId: string;
}
