/** What the description says of an operation beyond the table of operations. */
export interface OperationDoc {
  /** Schema of the body. */
  readonly reads?: string;
  /** Schema of the answer; undefined: an empty body, or no JSON. */
  readonly answers?: string;
  /** Query parameters, by name, with their schema. */
  readonly query?: Readonly<Record<string, object>>;
}

const PAGE = {
  limit: { type: 'integer', minimum: 1, maximum: 1_000 },
  marker: { type: 'string', format: 'uuid' },
};
const TEXT = { type: 'string' };
const FLAG = { type: 'boolean', default: false };
const IMPORT = { mode: { enum: ['merge', 'replace'] }, confirm: FLAG, dry_run: FLAG };

/** By the name of the operation. */
export const OPERATION_DOCS: Readonly<Record<string, OperationDoc>> = {
  'List Limits': { answers: 'Limits' },
  'Create Domain': { reads: 'NewDomain', answers: 'Domain' },
  'Get Domain': { answers: 'Domain' },
  'Update Domain': { reads: 'DomainUpdate', answers: 'Domain' },
  'Delete Domain': {},
  'List Domains': { answers: 'Domains', query: { ...PAGE, name: TEXT } },
  'Get Servers Hosting a Domain': { answers: 'Servers' },
  'Create Record': { reads: 'NewRecord', answers: 'Record' },
  'Get Record': { answers: 'Record' },
  'Update Record': { reads: 'RecordUpdate', answers: 'Record' },
  'Delete Record': {},
  'List Records in a Domain': {
    answers: 'Records',
    query: { ...PAGE, name: TEXT, type: TEXT, data: TEXT },
  },
  'Change Records in a Batch': { reads: 'Batch', answers: 'BatchResult', query: { dry_run: FLAG } },
  'List Changes of a Domain': {
    answers: 'Changes',
    query: { limit: PAGE.limit, marker: { type: 'integer' } },
  },
  'Get the Publication of a Change': { answers: 'Publication' },
  'Check a Domain': { answers: 'Examination' },
  'Restore a Domain': { reads: 'Restore', answers: 'Domain' },
  'Undelete a Domain': { answers: 'Domain' },
  'Export a Zone File': {},
  'Import a Zone File': { reads: 'Import', answers: 'ImportResult', query: IMPORT },
  'Import a Zone File as a New Domain': {
    reads: 'Import',
    answers: 'ImportResult',
    query: { ...IMPORT, name: TEXT, email: TEXT },
  },
  'List Nameservers': { answers: 'Nameservers' },
  'List Versions': { answers: 'Versions' },
  'Get Version': { answers: 'VersionDetails' },
};
