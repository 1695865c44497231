import type { ErrorKind } from '@zonewright/service-kit';

/** The types by which Designate's clients know what went wrong with an object, by what domain code calls it. */
export const TYPES_BY_SUBJECT: Readonly<
  Partial<Record<ErrorKind, Readonly<Record<string, string>>>>
> = {
  'not-found': {
    export: 'zone_export_not_found',
    import: 'zone_import_not_found',
    transfer: 'zone_transfer_request_not_found',
    accept: 'zone_transfer_accept_not_found',
    share: 'shared_zone_not_found',
    tld: 'tld_not_found',
    blacklist: 'blacklist_not_found',
    tsigkey: 'tsigkey_not_found',
  },
  conflict: {
    transfer: 'duplicate_zone_transfer_request',
    share: 'duplicate_shared_zone',
    tld: 'duplicate_tld',
    blacklist: 'duplicate_blacklist',
    tsigkey: 'duplicate_tsigkey',
  },
  invalid: { transfer: 'invalid_zone_transfer_request' },
  forbidden: { 'transfer-key': 'invalid_key' },
};
