// Written by `npm run reference`.
export interface paths {
  '/v1': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get Version */
    get: operations['getVersion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List Domains */
    get: operations['listDomains'];
    put?: never;
    /** Create Domain */
    post: operations['createDomain'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get Domain */
    get: operations['getDomain'];
    /** Update Domain */
    put: operations['updateDomain'];
    post?: never;
    /** Delete Domain */
    delete: operations['deleteDomain'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/answers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Ask the Nameservers */
    get: operations['askNameservers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Change Records in a Batch */
    post: operations['changeRecords'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List Changes of a Domain */
    get: operations['listChanges'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/changes/{serial}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the Publication of a Change */
    get: operations['getPublication'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/changes/{serial}/revert': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revert a Change */
    post: operations['revertChange'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Check a Domain */
    get: operations['checkDomain'];
    put?: never;
    /** Check Records Before They Are Written */
    post: operations['checkNewRecords'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/dnssec': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get DNSSEC of a Domain */
    get: operations['getDnssec'];
    /** Enable DNSSEC for a Domain */
    put: operations['enableDnssec'];
    post?: never;
    /** Disable DNSSEC for a Domain */
    delete: operations['disableDnssec'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/dnssec/rollover': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Replace the Key of a Domain */
    post: operations['rollDnssecKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Import a Zone File */
    post: operations['importZoneFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/peers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List Peers of a Domain */
    get: operations['listDomainPeers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/primaries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show Primaries of a Domain */
    get: operations['getPrimaries'];
    /** Set Primaries of a Domain */
    put: operations['setPrimaries'];
    post?: never;
    /** Delete Primaries of a Domain */
    delete: operations['deletePrimaries'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/primaries/refresh': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Ask the Primaries of a Domain */
    post: operations['refreshDomain'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/records': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List Records in a Domain */
    get: operations['listRecords'];
    put?: never;
    /** Create Record */
    post: operations['createRecord'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/records/{recordId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get Record */
    get: operations['getRecord'];
    /** Update Record */
    put: operations['updateRecord'];
    post?: never;
    /** Delete Record */
    delete: operations['deleteRecord'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/restore': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Restore a Domain */
    post: operations['restoreDomain'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/servers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get Servers Hosting a Domain */
    get: operations['listServersOfDomain'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/undelete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Undelete a Domain */
    post: operations['undeleteDomain'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domainId}/zonefile': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Export a Zone File */
    get: operations['exportZoneFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Import a Zone File as a New Domain */
    post: operations['importNewDomain'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/import/read': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Read a File to Import */
    post: operations['readImportFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Listen to Events */
    get: operations['listenToEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/limits': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List Limits */
    get: operations['listLimits'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/nameservers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List Nameservers */
    get: operations['listNameservers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/peers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List Peers */
    get: operations['listPeers'];
    put?: never;
    /** Create Peer */
    post: operations['createPeer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/peers/{peerId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get Peer */
    get: operations['getPeer'];
    /** Update Peer */
    put: operations['updatePeer'];
    post?: never;
    /** Delete Peer */
    delete: operations['deletePeer'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Search All Domains */
    get: operations['search'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    AnsweredRecord: {
      data: string;
      name: string;
      ttl: number;
      type: string;
    };
    Batch: {
      atomic?: boolean;
      confirm?: boolean;
      operations: {
        /** @enum {unknown} */
        action: 'create' | 'update' | 'delete';
        /** Format: uuid */
        id?: string;
        if_version?: number;
        record?: components['schemas']['RecordUpdate'];
      }[];
    };
    BatchResult: {
      dry_run: boolean;
      errors?: components['schemas']['Problem'][];
      /** @enum {unknown} */
      outcome?: 'would_apply' | 'would_refuse';
      results: {
        action: string;
        errors: components['schemas']['Problem'][];
        record: components['schemas']['ListedRecord'] | null;
        /** @enum {unknown} */
        status: 'done' | 'would_do' | 'unchanged' | 'refused';
      }[];
      serial: number;
    };
    ChangeEvent: {
      access_key_id?: string | null;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      changed_at: string;
      counts?: {
        [key: string]: number;
      };
      /** Format: uuid */
      domain_id: string;
      domain_name: string;
      id?: number;
      names?: string[];
      note?: string | null;
      request_id?: string;
      serial_after: number;
      serial_before?: number | null;
      /** @enum {unknown} */
      source?:
        | 'api'
        | 'designate'
        | 'batch'
        | 'import'
        | 'restore'
        | 'revert'
        | 'dynamic-update'
        | 'dyndns'
        | 'acme'
        | 'transfer'
        | 'expiry'
        | 'operator'
        | null;
      user_id?: string;
      user_name?: string | null;
    };
    Changes: {
      changes: {
        access_key_id?: string | null;
        /** @enum {unknown} */
        action:
          | 'domain-create'
          | 'domain-update'
          | 'domain-delete'
          | 'domain-undelete'
          | 'record-create'
          | 'record-update'
          | 'record-delete';
        after: {
          [key: string]: unknown;
        } | null;
        before: {
          [key: string]: unknown;
        } | null;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        changed_at: string;
        id: number;
        note?: string | null;
        /** Format: uuid */
        record_id: string | null;
        request_id: string;
        serial_after: number;
        serial_before: number | null;
        /** @enum {unknown} */
        source?:
          | 'api'
          | 'designate'
          | 'batch'
          | 'import'
          | 'restore'
          | 'revert'
          | 'dynamic-update'
          | 'dyndns'
          | 'acme'
          | 'transfer'
          | 'expiry'
          | 'operator'
          | null;
        user_id: string;
        user_name?: string | null;
      }[];
      history_begins: {
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        changed_at: string;
        serial: number;
      } | null;
      steps?: {
        access_key_id: string | null;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        changed_at: string;
        counts: {
          [key: string]: number;
        };
        id: number;
        names: string[];
        note: string | null;
        request_id: string;
        serial_after: number;
        serial_before: number | null;
        /** @enum {unknown} */
        source:
          | 'api'
          | 'designate'
          | 'batch'
          | 'import'
          | 'restore'
          | 'revert'
          | 'dynamic-update'
          | 'dyndns'
          | 'acme'
          | 'transfer'
          | 'expiry'
          | 'operator'
          | null;
        user_id: string;
        user_name: string | null;
      }[];
    };
    Difference: {
      complete: boolean;
      create: components['schemas']['ListedRecord'][];
      delete: components['schemas']['ListedRecord'][];
      update: {
        after: components['schemas']['ListedRecord'];
        before: components['schemas']['ListedRecord'];
      }[];
    };
    Dnssec: {
      algorithm: number | null;
      catching_up: boolean;
      /** @enum {unknown} */
      cds: 'wait' | 'publish' | 'delete' | null;
      dnskey: string[];
      ds: string[];
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      ds_from: string | null;
      enabled: boolean;
      foreign_keys: {
        dnskey: string;
        key_tag: number;
        /** @enum {unknown} */
        state: 'coming' | 'published' | 'leaving';
      }[];
      keys: {
        algorithm: number;
        key_tag: number;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        published_at: string;
        /** @enum {unknown} */
        state: 'unlisted' | 'published' | 'active' | 'retiring';
      }[];
      missing: string | null;
      parent: {
        agreed: boolean;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        checked_at: string;
        ds: string[];
      } | null;
      /** @enum {unknown} */
      state: 'unsigned' | 'signing' | 'signed' | 'leaving' | 'unsigning';
    };
    DnssecForm: {
      /**
       * @default 13
       * @enum {unknown}
       */
      algorithm?: 13 | 15;
      /** @constant */
      enabled: true;
      foreign_keys?: string[];
    };
    Domain: {
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      created_at: string;
      description: string | null;
      email: string;
      /** Format: uuid */
      id: string;
      name: string;
      serial: number;
      ttl: number;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      updated_at: string | null;
    };
    Domains: {
      domains: components['schemas']['ListedDomain'][];
    };
    DomainUpdate: {
      description?: string | null;
      email?: string;
      name?: string;
      ttl?: number;
    };
    Event:
      | components['schemas']['ChangeEvent']
      | components['schemas']['PublicationEvent']
      | Record<string, never>;
    Examination: {
      checked: (
        | 'nameservers'
        | 'delegation'
        | 'nameserver-addresses'
        | 'glue'
        | 'targets'
        | 'targets-elsewhere'
        | 'ttls'
        | 'records'
        | 'spf-includes'
      )[];
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      checked_at: string;
      findings: components['schemas']['Finding'][];
      /** Format: uuid */
      id: string;
      name: string;
      nameservers: {
        address: string | null;
        name: string;
        serial: number | null;
        status: string;
      }[];
      not_checked: (
        | 'nameservers'
        | 'delegation'
        | 'nameserver-addresses'
        | 'glue'
        | 'targets'
        | 'targets-elsewhere'
        | 'ttls'
        | 'records'
        | 'spf-includes'
      )[];
      primaries: components['schemas']['TransferState'] | null;
      serial: number;
      /** @enum {unknown} */
      state: 'ok' | 'unknown' | 'warning' | 'error';
    };
    FileToRead: {
      columns?: (
        | 'name'
        | 'type'
        | 'ttl'
        | 'data'
        | 'priority'
        | 'weight'
        | 'port'
        | 'comment'
        | 'tags'
        | 'proxied'
        | '-'
      )[];
      name?: string;
      zonefile: string;
    };
    Finding: {
      about?: {
        data?: string;
        name: string;
        target?: string;
        type: string;
      };
      action: string;
      code: string;
      fix?: {
        add: components['schemas']['FixedRecord'][];
        remove: components['schemas']['FixedRecord'][];
      };
      message: string;
      /** @enum {unknown} */
      severity: 'error' | 'warning' | 'info';
    };
    Findings: {
      findings: components['schemas']['Finding'][];
    };
    FixedRecord: {
      data: string;
      name: string;
      priority: number | null;
      type: string;
    };
    Found: {
      domains: components['schemas']['Domain'][];
      records: {
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        created_at: string;
        data: string;
        description: string | null;
        disabled?: boolean;
        /** Format: uuid */
        domain_id: string;
        domain_name: string;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        expires_at?: string | null;
        /** Format: uuid */
        id: string;
        name: string;
        priority: number | null;
        tags?: string[];
        tenant_id: string;
        ttl: number | null;
        type: string;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        updated_at: string | null;
        version: number;
      }[];
    };
    Import: {
      columns?: (
        | 'name'
        | 'type'
        | 'ttl'
        | 'data'
        | 'priority'
        | 'weight'
        | 'port'
        | 'comment'
        | 'tags'
        | 'proxied'
        | '-'
      )[];
      confirm?: boolean;
      email?: string;
      /** @enum {unknown} */
      mode?: 'merge' | 'replace';
      name?: string;
      /** @enum {unknown} */
      on_error?: 'refuse' | 'skip';
      zonefile: string;
    };
    ImportResult: {
      created: number;
      deleted: number;
      difference?: components['schemas']['Difference'];
      domain: components['schemas']['Domain'];
      dry_run: boolean;
      errors?: components['schemas']['Problem'][];
      form: string;
      not_taken: {
        code: string;
        line: number;
        reason: string;
        /** @enum {unknown} */
        severity: 'info' | 'warning' | 'error';
        text: string;
      }[];
      not_taken_count: number;
      notes: {
        code: string;
        line: number;
        reason: string;
        /** @enum {unknown} */
        severity: 'info' | 'warning' | 'error';
        text: string;
      }[];
      /** @enum {unknown} */
      outcome?: 'would_apply' | 'would_refuse';
      unchanged: number;
      updated: number;
    };
    Limits: {
      limits: {
        absolute: {
          maxDomainRecords: number;
          maxDomains: number;
        };
        used?: {
          domains: number;
          records: number;
        };
      };
    };
    ListedDomain: {
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      created_at: string;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      deleted_at?: string;
      description: string | null;
      email: string;
      /** Format: uuid */
      id: string;
      last_change?: {
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        at: string;
        user_id: string;
        user_name: string | null;
      } | null;
      name: string;
      record_count?: number;
      serial: number;
      ttl: number;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      undelete_until?: string;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      updated_at: string | null;
    };
    ListedRecord: {
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      created_at: string;
      data: string;
      description: string | null;
      disabled?: boolean;
      /** Format: uuid */
      domain_id: string;
      effective_ttl?: number;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      expires_at?: string | null;
      /** Format: uuid */
      id: string;
      name: string;
      priority: number | null;
      tags?: string[];
      tenant_id?: string;
      ttl: number | null;
      type: string;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      updated_at: string | null;
      version?: number;
    };
    NameserverAnswers: {
      name: string;
      nameservers: {
        address: string | null;
        authoritative: boolean;
        authority: components['schemas']['AnsweredRecord'][];
        differs: boolean;
        milliseconds: number | null;
        name: string;
        records: components['schemas']['AnsweredRecord'][];
        status: string;
        /** @enum {unknown} */
        transport: 'udp' | 'tcp' | null;
      }[];
      type: string;
    };
    Nameservers: {
      nameservers: {
        address: string | null;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        applied_at: string | null;
        failed_zones: number | null;
        heartbeat_age_ms: number | null;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        heartbeat_at: string | null;
        image_bytes: number | null;
        ipv4: string | null;
        ipv6: string | null;
        lag_ms: number | null;
        live: boolean;
        name: string;
        position: string | null;
        software: string | null;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        started_at: string | null;
        version: string | null;
        zones: number | null;
      }[];
    };
    NewDomain: {
      description?: string | null;
      email: string;
      name: string;
      ttl?: number;
    };
    NewPeer: {
      /** @enum {unknown} */
      algorithm?: 'hmac-sha1' | 'hmac-sha224' | 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';
      catalog?: boolean;
      domains?: string[] | null;
      name: string;
      networks?: string[];
      notify?: {
        address: string;
        port?: number;
      }[];
    };
    NewPrimaries: {
      key?: {
        /** @enum {unknown} */
        algorithm: 'hmac-sha1' | 'hmac-sha224' | 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';
        name: string;
        secret?: string;
      } | null;
      primaries: {
        address: string;
        port?: number;
      }[];
    };
    NewRecord: {
      data: string;
      description?: string | null;
      disabled?: boolean;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      expires_at?: string | null;
      name: string;
      priority?: number | null;
      tags?: string[];
      ttl?: number | null;
      type:
        | (
            | 'NS'
            | 'A'
            | 'AAAA'
            | 'MX'
            | 'TXT'
            | 'CNAME'
            | 'SRV'
            | 'PTR'
            | 'CAA'
            | 'TLSA'
            | 'SMIMEA'
            | 'SSHFP'
            | 'SVCB'
            | 'HTTPS'
            | 'DS'
            | 'DHCID'
            | 'NAPTR'
            | 'URI'
            | 'LOC'
            | 'CERT'
            | 'OPENPGPKEY'
            | 'DNAME'
            | 'SPF'
            | 'HINFO'
            | 'RP'
            | 'AFSDB'
            | 'EUI48'
            | 'EUI64'
          )
        | string;
    };
    Peer: {
      catalog: boolean;
      catalog_zone: string | null;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      created_at: string;
      domains: string[] | null;
      /** Format: uuid */
      id: string;
      key: {
        /** @enum {unknown} */
        algorithm: 'hmac-sha1' | 'hmac-sha224' | 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';
        name: string;
        secret: string | null;
      };
      name: string;
      networks: string[];
      notify: {
        address: string;
        port?: number;
      }[];
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      updated_at: string | null;
    };
    Peers: {
      peers: components['schemas']['Peer'][];
    };
    PeerStates: {
      peers: {
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        asked_at: string | null;
        /** Format: uuid */
        id: string;
        lag_seconds: number | null;
        name: string;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        notified_at: string | null;
        notified_serial: number | null;
        notify_answer: string | null;
        serial: number | null;
      }[];
    };
    PeerUpdate: {
      catalog?: boolean;
      domains?: string[] | null;
      name?: string;
      networks?: string[];
      notify?: {
        address: string;
        port?: number;
      }[];
    };
    Primaries: {
      action: string | null;
      failures: number;
      key: {
        /** @enum {unknown} */
        algorithm: 'hmac-sha1' | 'hmac-sha224' | 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';
        name: string;
      } | null;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      next_at: string;
      primaries: {
        address: string;
        port: number;
      }[];
      problem: string | null;
      /** @enum {unknown} */
      reason:
        | 'unreachable'
        | 'not-public'
        | 'error-response'
        | 'signature'
        | 'not-authoritative'
        | 'malformed'
        | 'key'
        | 'internal'
        | 'soa'
        | 'ns'
        | 'class-or-type'
        | 'outside-zone'
        | 'rdata'
        | 'wildcard-ns'
        | 'cname'
        | 'dname'
        | 'nsec3-iterations'
        | 'nsec3-algorithm'
        | 'too-large'
        | 'old-nameservers'
        | null;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      refreshed_at: string | null;
      serial: number | null;
      /** @enum {unknown} */
      state: 'answered' | 'withheld';
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      transferred_at: string | null;
    };
    Problem: {
      message: string;
      path: string;
      validator: string;
    };
    Publication: {
      applied: number;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      committed_at: string;
      live: number;
      nameservers: {
        applied: boolean;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        applied_at: string | null;
        delay_ms: number | null;
        live: boolean;
        name: string;
      }[];
      primaries: components['schemas']['TransferState'] | null;
      serial: number;
      /** @enum {unknown} */
      state: 'pending' | 'published';
      total: number;
    };
    PublicationEvent: {
      applied: number;
      /** Format: uuid */
      domain_id: string;
      domain_name: string;
      live: number;
      nameservers: {
        applied: boolean;
        live: boolean;
        name: string;
      }[];
      serial: number;
      /** @enum {unknown} */
      state: 'pending' | 'published';
      total: number;
    };
    ReadFile: {
      columns:
        | (
            | 'name'
            | 'type'
            | 'ttl'
            | 'data'
            | 'priority'
            | 'weight'
            | 'port'
            | 'comment'
            | 'tags'
            | 'proxied'
            | '-'
          )[]
        | null;
      domain: string | null;
      email: string | null;
      form: string;
      not_taken: {
        code: string;
        line: number;
        reason: string;
        /** @enum {unknown} */
        severity: 'info' | 'warning' | 'error';
        text: string;
      }[];
      not_taken_count: number;
      notes: {
        code: string;
        line: number;
        reason: string;
        /** @enum {unknown} */
        severity: 'info' | 'warning' | 'error';
        text: string;
      }[];
      record_count: number;
      records: {
        data: string;
        description: string | null;
        line: number;
        name: string;
        priority: number | null;
        tags: string[];
        ttl: number | null;
        type: string;
      }[];
    };
    Record: {
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      created_at: string;
      data: string;
      description: string | null;
      disabled?: boolean;
      /** Format: uuid */
      domain_id: string;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      expires_at?: string | null;
      /** Format: uuid */
      id: string;
      name: string;
      priority: number | null;
      tags?: string[];
      ttl: number | null;
      type: string;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      updated_at: string | null;
    };
    Records: {
      records: components['schemas']['ListedRecord'][];
    };
    RecordsToCheck: {
      records: components['schemas']['NewRecord'][];
      without?: string[];
    };
    RecordUpdate: {
      data?: string;
      description?: string | null;
      disabled?: boolean;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      expires_at?: string | null;
      name?: string;
      priority?: number | null;
      tags?: string[];
      ttl?: number | null;
      type?:
        | (
            | 'NS'
            | 'A'
            | 'AAAA'
            | 'MX'
            | 'TXT'
            | 'CNAME'
            | 'SRV'
            | 'PTR'
            | 'CAA'
            | 'TLSA'
            | 'SMIMEA'
            | 'SSHFP'
            | 'SVCB'
            | 'HTTPS'
            | 'DS'
            | 'DHCID'
            | 'NAPTR'
            | 'URI'
            | 'LOC'
            | 'CERT'
            | 'OPENPGPKEY'
            | 'DNAME'
            | 'SPF'
            | 'HINFO'
            | 'RP'
            | 'AFSDB'
            | 'EUI48'
            | 'EUI64'
          )
        | string;
    };
    Restore: {
      confirm?: boolean;
      serial: number;
    };
    RestoredDomain: {
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      created_at: string;
      description: string | null;
      difference?: components['schemas']['Difference'];
      email: string;
      /** Format: uuid */
      id: string;
      name: string;
      serial: number;
      ttl: number;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      updated_at: string | null;
    };
    Servers: {
      servers: {
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        created_at: string;
        /** Format: uuid */
        id: string;
        ipv4?: string | null;
        ipv6?: string | null;
        name: string;
        /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
        updated_at: string | null;
      }[];
    };
    TransferState: {
      action: string | null;
      /** @enum {unknown} */
      content: 'latest' | 'stale' | 'expired' | 'none';
      problem: string | null;
      /** @enum {unknown} */
      reason:
        | 'unreachable'
        | 'not-public'
        | 'error-response'
        | 'signature'
        | 'not-authoritative'
        | 'malformed'
        | 'key'
        | 'internal'
        | 'soa'
        | 'ns'
        | 'class-or-type'
        | 'outside-zone'
        | 'rdata'
        | 'wildcard-ns'
        | 'cname'
        | 'dname'
        | 'nsec3-iterations'
        | 'nsec3-algorithm'
        | 'too-large'
        | 'old-nameservers'
        | null;
      /** @description UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456 */
      refreshed_at: string | null;
    };
    Version: {
      id: string;
      links: {
        href: string;
        rel: string;
      }[];
      status: string;
      updated: string;
    };
    VersionDetails: {
      version: components['schemas']['Version'];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getVersion: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VersionDetails'];
        };
      };
    };
  };
  listDomains: {
    parameters: {
      query?: {
        deleted?: boolean;
        extended?: boolean;
        limit?: number;
        marker?: string;
        name?: string;
        q?: string;
        sort?:
          | 'created_at'
          | '-created_at'
          | 'updated_at'
          | '-updated_at'
          | 'name'
          | '-name'
          | 'ttl'
          | '-ttl'
          | 'serial'
          | '-serial'
          | 'record_count'
          | '-record_count';
        total?: boolean;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Domains'];
        };
      };
    };
  };
  createDomain: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'Idempotency-Key'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewDomain'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Domain'];
        };
      };
    };
  };
  getDomain: {
    parameters: {
      query?: never;
      header?: {
        'If-None-Match'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Domain'];
        };
      };
    };
  };
  updateDomain: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DomainUpdate'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Domain'];
        };
      };
    };
  };
  deleteDomain: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success, without a body */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  askNameservers: {
    parameters: {
      query?: {
        dnssec?: boolean;
        name?: string;
        tcp?: boolean;
        type?: string;
      };
      header?: never;
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NameserverAnswers'];
        };
      };
    };
  };
  changeRecords: {
    parameters: {
      query?: {
        dry_run?: boolean;
        extended?: boolean;
      };
      header?: {
        'Idempotency-Key'?: string;
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Batch'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchResult'];
        };
      };
    };
  };
  listChanges: {
    parameters: {
      query?: {
        extended?: boolean;
        group?: 'none' | 'serial';
        limit?: number;
        marker?: number;
        name?: string;
        record_id?: string;
        since?: string;
        type?: string;
        until?: string;
        user_id?: string;
      };
      header?: never;
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Changes'];
        };
      };
    };
  };
  getPublication: {
    parameters: {
      query?: {
        wait?: number;
      };
      header?: never;
      path: {
        domainId: string;
        serial: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Publication'];
        };
      };
    };
  };
  revertChange: {
    parameters: {
      query?: {
        confirm?: boolean;
        dry_run?: boolean;
      };
      header?: {
        'Idempotency-Key'?: string;
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
        serial: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RestoredDomain'];
        };
      };
    };
  };
  checkDomain: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Examination'];
        };
      };
    };
  };
  checkNewRecords: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RecordsToCheck'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Findings'];
        };
      };
    };
  };
  getDnssec: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Dnssec'];
        };
      };
    };
  };
  enableDnssec: {
    parameters: {
      query?: {
        dry_run?: boolean;
        force?: boolean;
      };
      header?: {
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DnssecForm'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Dnssec'];
        };
      };
    };
  };
  disableDnssec: {
    parameters: {
      query?: {
        dry_run?: boolean;
        force?: boolean;
      };
      header?: {
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Dnssec'];
        };
      };
    };
  };
  rollDnssecKey: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'Idempotency-Key'?: string;
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Dnssec'];
        };
      };
    };
  };
  importZoneFile: {
    parameters: {
      query?: {
        columns?: string;
        confirm?: boolean;
        dry_run?: boolean;
        mode?: 'merge' | 'replace';
        on_error?: 'refuse' | 'skip';
      };
      header?: {
        'Idempotency-Key'?: string;
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Import'];
        'text/dns': string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ImportResult'];
        };
      };
    };
  };
  listDomainPeers: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PeerStates'];
        };
      };
    };
  };
  getPrimaries: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Primaries'];
        };
      };
    };
  };
  setPrimaries: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewPrimaries'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Primaries'];
        };
      };
    };
  };
  deletePrimaries: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success, without a body */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  refreshDomain: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'Idempotency-Key'?: string;
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success, without a body */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  listRecords: {
    parameters: {
      query?: {
        all_types?: boolean;
        data?: string;
        effective_ttl?: boolean;
        extended?: boolean;
        limit?: number;
        marker?: string;
        name?: string;
        q?: string;
        sort?:
          | 'created_at'
          | '-created_at'
          | 'updated_at'
          | '-updated_at'
          | 'name'
          | '-name'
          | 'type'
          | '-type'
          | 'ttl'
          | '-ttl';
        tag?: string;
        total?: boolean;
        type?: string;
      };
      header?: {
        'If-None-Match'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Records'];
        };
      };
    };
  };
  createRecord: {
    parameters: {
      query?: {
        all_types?: boolean;
        dry_run?: boolean;
        extended?: boolean;
      };
      header?: {
        'Idempotency-Key'?: string;
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewRecord'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Record'];
        };
      };
    };
  };
  getRecord: {
    parameters: {
      query?: {
        all_types?: boolean;
        extended?: boolean;
      };
      header?: {
        'If-None-Match'?: string;
      };
      path: {
        domainId: string;
        recordId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Record'];
        };
      };
    };
  };
  updateRecord: {
    parameters: {
      query?: {
        all_types?: boolean;
        dry_run?: boolean;
        extended?: boolean;
      };
      header?: {
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
        recordId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RecordUpdate'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Record'];
        };
      };
    };
  };
  deleteRecord: {
    parameters: {
      query?: {
        all_types?: boolean;
        dry_run?: boolean;
        extended?: boolean;
      };
      header?: {
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
        recordId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success, without a body */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  restoreDomain: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'Idempotency-Key'?: string;
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Restore'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RestoredDomain'];
        };
      };
    };
  };
  listServersOfDomain: {
    parameters: {
      query?: {
        extended?: boolean;
      };
      header?: never;
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Servers'];
        };
      };
    };
  };
  undeleteDomain: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'Idempotency-Key'?: string;
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Domain'];
        };
      };
    };
  };
  exportZoneFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        domainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/dns': string;
        };
      };
    };
  };
  importNewDomain: {
    parameters: {
      query?: {
        columns?: string;
        confirm?: boolean;
        dry_run?: boolean;
        email?: string;
        mode?: 'merge' | 'replace';
        name?: string;
        on_error?: 'refuse' | 'skip';
      };
      header?: {
        'Idempotency-Key'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Import'];
        'text/dns': string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ImportResult'];
        };
      };
    };
  };
  readImportFile: {
    parameters: {
      query?: {
        columns?: string;
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['FileToRead'];
        'text/dns': string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReadFile'];
        };
      };
    };
  };
  listenToEvents: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': components['schemas']['Event'];
        };
      };
    };
  };
  listLimits: {
    parameters: {
      query?: {
        extended?: boolean;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Limits'];
        };
      };
    };
  };
  listNameservers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Nameservers'];
        };
      };
    };
  };
  listPeers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Peers'];
        };
      };
    };
  };
  createPeer: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'Idempotency-Key'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewPeer'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Peer'];
        };
      };
    };
  };
  getPeer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        peerId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Peer'];
        };
      };
    };
  };
  updatePeer: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        peerId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PeerUpdate'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Peer'];
        };
      };
    };
  };
  deletePeer: {
    parameters: {
      query?: {
        dry_run?: boolean;
      };
      header?: {
        'If-Match'?: string;
        Prefer?: string;
        'X-Zonewright-Note'?: string;
      };
      path: {
        peerId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success, without a body */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  search: {
    parameters: {
      query?: {
        extended?: boolean;
        limit?: number;
        marker?: string;
        q?: string;
        tag?: string;
        type?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Found'];
        };
      };
    };
  };
}
