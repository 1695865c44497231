/** What the description says of an operation beyond the table of operations. */
export interface OperationDoc {
  /** Schema of the body. */
  readonly reads?: string;
  /** Schema of the answer; undefined: an empty body, or no JSON. */
  readonly answers?: string;
  /** It creates what its Location leads to. */
  readonly creates?: true;
  /** Query parameters of a read, by name, with their schema. */
  readonly query?: Readonly<Record<string, object>>;
}

const PAGE = {
  limit: { type: 'integer', minimum: 1, maximum: 1_000 },
  marker: { type: 'string', format: 'uuid' },
};
const TEXT = { type: 'string' };
const FLAG = { type: 'boolean', default: false };

/** Query parameters of writes; which of them each takes stands in the table of operations. */
export const QUERY_SCHEMAS: Readonly<Record<string, object>> = {
  dry_run: FLAG,
  mode: { enum: ['merge', 'replace'], default: 'merge' },
  on_error: { enum: ['refuse', 'skip'] },
  confirm: FLAG,
  name: TEXT,
  email: TEXT,
};

/** By the name of the operation. */
export const OPERATION_DOCS: Readonly<Record<string, OperationDoc>> = {
  'List Limits': { answers: 'Limits' },
  'Create Domain': { reads: 'NewDomain', answers: 'Domain', creates: true },
  'Get Domain': { answers: 'Domain' },
  'Update Domain': { reads: 'DomainUpdate', answers: 'Domain' },
  'Delete Domain': {},
  'List Domains': { answers: 'Domains', query: { ...PAGE, name: TEXT } },
  'Get Servers Hosting a Domain': { answers: 'Servers' },
  'Create Record': { reads: 'NewRecord', answers: 'Record', creates: true },
  'Get Record': { answers: 'Record' },
  'Update Record': { reads: 'RecordUpdate', answers: 'Record' },
  'Delete Record': {},
  'List Records in a Domain': {
    answers: 'Records',
    query: { ...PAGE, name: TEXT, type: TEXT, data: TEXT, effective_ttl: FLAG },
  },
  'Change Records in a Batch': { reads: 'Batch', answers: 'BatchResult' },
  'List Changes of a Domain': {
    answers: 'Changes',
    query: { limit: PAGE.limit, marker: { type: 'integer' } },
  },
  'Get the Publication of a Change': { answers: 'Publication' },
  'Check a Domain': { answers: 'Examination' },
  'Restore a Domain': { reads: 'Restore', answers: 'Domain' },
  'Undelete a Domain': { answers: 'Domain' },
  'Export a Zone File': {},
  'Import a Zone File': { reads: 'Import', answers: 'ImportResult' },
  'Import a Zone File as a New Domain': {
    reads: 'Import',
    answers: 'ImportResult',
    creates: true,
  },
  'List Nameservers': { answers: 'Nameservers' },
  'List Versions': { answers: 'Versions' },
  'Get Version': { answers: 'VersionDetails' },
};
