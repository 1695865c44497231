const DOMAIN_ID = '5d3c1a52-6f0e-4a53-9c0e-0f5b7f3f8a11';
const NEW_DOMAIN = { name: 'example.com.', email: 'hostmaster@example.com', ttl: 3600 };
const NEW_RECORD = { name: 'www.example.com.', type: 'A', data: '192.0.2.1', ttl: 300 };

const RECORD = {
  id: '0c9a3a6e-4b39-4d3a-8a55-6a1f0c5e2d77',
  ...NEW_RECORD,
  priority: null,
  description: null,
  domain_id: DOMAIN_ID,
  created_at: '2026-11-21T01:02:03.123456',
  updated_at: null,
};

/** Example bodies of requests and responses, by the name of their schema. */
export const EXAMPLES: Readonly<Record<string, object>> = {
  NewDomain: NEW_DOMAIN,
  DomainUpdate: { ttl: 600 },
  Domain: {
    id: DOMAIN_ID,
    ...NEW_DOMAIN,
    description: null,
    serial: 1795222923,
    created_at: '2026-11-21T01:02:03.123456',
    updated_at: null,
  },
  NewRecord: NEW_RECORD,
  RecordUpdate: { data: '192.0.2.2' },
  Record: RECORD,
  Records: { records: [{ ...RECORD, tenant_id: '72020596871800', version: 1 }] },
  Batch: {
    operations: [
      { action: 'create', record: NEW_RECORD },
      { action: 'delete', id: RECORD.id, if_version: 1 },
    ],
  },
  Restore: { serial: 1795222923 },
  Import: { zonefile: 'www 300 IN A 192.0.2.1\n', mode: 'merge' },
  Limits: { limits: { absolute: { maxDomainRecords: 500, maxDomains: 100 } } },
  Error: {
    code: 400,
    type: 'invalid_object',
    message: 'ttl must be at most 2147483647',
    errors: [{ path: 'ttl', validator: 'maximum', message: 'ttl must be at most 2147483647' }],
    request_id: 'req-00000000-0000-4000-8000-000000000000',
  },
};
