// Written by `npm run reference`.
export interface paths {
  '/v2.0/EXT-IDM/v1.0/accesskeys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get Access Keys */
    get: operations['listAccessKeys'];
    /** Import User Access Key */
    put: operations['importAccessKeys'];
    /** Create User Access Key */
    post: operations['createAccessKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/EXT-IDM/v1.0/accesskeys/{accesskeyId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get An Access Key */
    get: operations['getAccessKey'];
    /** Update User Access Key */
    put: operations['updateAccessKey'];
    post?: never;
    /** Delete User Access Key */
    delete: operations['deleteAccessKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/EXT-IDM/v1.0/tokens/{tokenId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Revoke Token */
    delete: operations['revokeToken'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/extensions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List Extensions */
    get: operations['listExtensions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/extensions/{alias}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get Extension */
    get: operations['getExtension'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/tenants': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List Tenants */
    get: operations['listTenants'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/tokens': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Authenticate, Rescope Token */
    post: operations['authenticate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/tokens/{tokenId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Validate Token */
    get: operations['validateToken'];
    put?: never;
    post?: never;
    /** Revoke Token (core path) */
    delete: operations['revokeTokenOnCorePath'];
    options?: never;
    /** Check Token */
    head: operations['checkToken'];
    patch?: never;
    trace?: never;
  };
  '/v2.0/tokens/{tokenId}/endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List Token Endpoints */
    get: operations['listTokenEndpoints'];
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
    Access: {
      access: {
        serviceCatalog: {
          endpoints: {
            adminURL: string;
            id?: string;
            info?: string;
            interface: string;
            internalURL?: string;
            list?: string;
            publicURL: string;
            publicURL2?: string;
            region: string;
            tenantId?: string;
            url: string;
            versionId?: string;
            versionInfo?: string;
            versionList?: string;
          }[];
          name: string;
          type: string;
        }[];
        token: {
          /** Format: date-time */
          expires: string;
          id: string;
          tenant?: {
            id: string;
            name: string;
          };
        };
        user: {
          id: string;
          name: string;
          otherAttributes: {
            domainStatus: string;
            domainStatusCode?: string;
          };
          roles: {
            id: string;
            name: string;
            serviceId?: string;
            tenantId?: string;
          }[];
        };
      };
    };
    AccessKey: {
      accessKey: {
        accessKeyId: string;
        algorithm: string;
        createdOn: number;
        domainId: string;
        keyLength?: number;
        otherAttributes: {
          description?: string;
          name?: string;
          restrictions?: {
            massDelete: boolean;
            networks: string[];
            rules: {
              actions: string[];
              name: string;
              types: string[];
              zone: string;
            }[];
            tenantId: string;
          };
        };
        secretKey?: string;
        status: string;
        userId: string;
        validFrom: number;
        validTo: number;
      };
    };
    AccessKeys: {
      accessKeys: {
        accessKey: {
          accessKeyId: string;
          algorithm: string;
          createdOn: number;
          domainId: string;
          keyLength?: number;
          otherAttributes: {
            description?: string;
            name?: string;
            restrictions?: {
              massDelete: boolean;
              networks: string[];
              rules: {
                actions: string[];
                name: string;
                types: string[];
                zone: string;
              }[];
              tenantId: string;
            };
          };
          secretKey?: string;
          status: string;
          userId: string;
          validFrom: number;
          validTo: number;
        }[];
        anies: null;
        otherAttributes: Record<string, never>;
      };
    };
    AccessKeyUpdate: {
      accessKey: components['schemas']['AccessKeyUpdateXml'];
    };
    AccessKeyUpdateXml: {
      /** @enum {unknown} */
      status: 'active' | 'inactive';
    };
    AccessWithoutCatalog: {
      access: {
        token: {
          /** Format: date-time */
          expires: string;
          id: string;
          tenant?: {
            id: string;
            name: string;
          };
        };
        user: {
          id: string;
          name: string;
          otherAttributes: {
            domainStatus: string;
            domainStatusCode?: string;
          };
          roles: {
            id: string;
            name: string;
            serviceId?: string;
            tenantId?: string;
          }[];
        };
      };
    };
    Auth: {
      auth: components['schemas']['AuthXml'];
    };
    AuthXml: {
      apiAccessKeyCredentials?: {
        accessKey: string;
        secretKey: string;
      };
      passwordCredentials?: {
        password: string;
        username: string;
      };
      tenantId?: string | number;
      tenantName?: string;
      token?: {
        id: string;
      };
    } & (unknown | unknown | unknown);
    Endpoints: {
      endpoints: {
        adminURL: string;
        id: string;
        interface: string;
        internalURL?: string;
        name: string;
        publicURL: string;
        publicURL2?: string;
        region: string;
        tenantId?: string;
        type: string;
        url: string;
        versionId?: string;
        versionInfo?: string;
        versionList?: string;
      }[];
      endpoints_links: unknown[];
    };
    Extension: {
      extension: {
        alias: string;
        description: string;
        links: {
          href: string;
          rel: string;
        }[];
        name: string;
        namespace: string;
        /** Format: date-time */
        updated: string;
      };
    };
    Extensions: {
      extensions: {
        values: {
          alias: string;
          description: string;
          links: {
            href: string;
            rel: string;
          }[];
          name: string;
          namespace: string;
          /** Format: date-time */
          updated: string;
        }[];
      };
    };
    ImportedAccessKeys: {
      accessKeys: components['schemas']['ImportedAccessKeysXml'];
    };
    ImportedAccessKeysXml: {
      accessKey: {
        accessKeyId?: string;
        algorithm: string;
        keyLength?: number;
        otherAttributes?: {
          description?: string;
          /** @default false */
          massDelete?: boolean;
          name?: string;
          networks?: string[];
          /**
           * @description In the place of restrictions, with the next four
           * @enum {unknown}
           */
          preset?: 'acme';
          restrictions?: {
            /** @default false */
            massDelete?: boolean;
            networks?: string[];
            rules?: {
              actions: string[];
              /** @default ** */
              name?: string;
              types?: string[];
              zone: string;
            }[];
            tenantId?: string;
          };
          tenantId?: string;
          zone?: string;
        };
        /** @description XML alone: what otherAttributes.restrictions is, as JSON */
        restrictions?: string;
        secretKey: string;
        /**
         * @default active
         * @enum {unknown}
         */
        status?: 'active' | 'inactive';
        userId?: string | number;
        /** @description YYYY-MM-DDThh:mm:ss, with or without an offset, or milliseconds since 1970 */
        validFrom?: string | number;
        /** @description YYYY-MM-DDThh:mm:ss, with or without an offset, or milliseconds since 1970 */
        validTo?: string | number;
      }[];
    };
    NewAccessKey: {
      accessKey: components['schemas']['NewAccessKeyXml'];
    };
    NewAccessKeyXml: {
      /**
       * @default HmacSHA256
       * @enum {unknown}
       */
      algorithm?: 'HmacSHA1' | 'HmacSHA224' | 'HmacSHA256' | 'HmacSHA384' | 'HmacSHA512';
      /** @default 240 */
      keyLength?: number;
      otherAttributes?: {
        description?: string;
        /** @default false */
        massDelete?: boolean;
        name?: string;
        networks?: string[];
        /**
         * @description In the place of restrictions, with the next four
         * @enum {unknown}
         */
        preset?: 'acme';
        restrictions?: {
          /** @default false */
          massDelete?: boolean;
          networks?: string[];
          rules?: {
            actions: string[];
            /** @default ** */
            name?: string;
            types?: string[];
            zone: string;
          }[];
          tenantId?: string;
        };
        tenantId?: string;
        zone?: string;
      };
      /** @description XML alone: what otherAttributes.restrictions is, as JSON */
      restrictions?: string;
      /**
       * @default active
       * @enum {unknown}
       */
      status?: 'active' | 'inactive';
      userId?: string | number;
      /** @description YYYY-MM-DDThh:mm:ss, with or without an offset, or milliseconds since 1970 */
      validFrom?: string | number;
      /** @description YYYY-MM-DDThh:mm:ss, with or without an offset, or milliseconds since 1970 */
      validTo?: string | number;
    };
    Tenants: {
      tenants: {
        /** Format: date-time */
        created: string;
        description: string;
        enabled: boolean;
        id: string;
        name: string;
        /** Format: date-time */
        updated: string;
      }[];
      tenants_links: {
        href: string;
        rel: string;
      }[];
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
  listAccessKeys: {
    parameters: {
      query?: {
        domainId?: string;
        export?: boolean;
        limit?: number;
        marker?: string;
        status?: 'active' | 'inactive' | 'expired' | 'revoked' | 'deleted' | 'purged';
        userId?: string;
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
          'application/json': components['schemas']['AccessKeys'];
        };
      };
    };
  };
  importAccessKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ImportedAccessKeys'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessKeys'];
        };
      };
    };
  };
  createAccessKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewAccessKey'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessKey'];
        };
      };
    };
  };
  getAccessKey: {
    parameters: {
      query?: {
        export?: boolean;
        userId?: string;
      };
      header?: never;
      path: {
        accesskeyId: string;
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
          'application/json': components['schemas']['AccessKey'];
        };
      };
    };
  };
  updateAccessKey: {
    parameters: {
      query?: {
        userId?: string;
      };
      header?: never;
      path: {
        accesskeyId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AccessKeyUpdate'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessKey'];
        };
      };
    };
  };
  deleteAccessKey: {
    parameters: {
      query?: {
        userId?: string;
      };
      header?: never;
      path: {
        accesskeyId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  revokeToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tokenId: string;
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
        content?: never;
      };
    };
  };
  listExtensions: {
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
          'application/json': components['schemas']['Extensions'];
        };
      };
    };
  };
  getExtension: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        alias: string;
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
          'application/json': components['schemas']['Extension'];
        };
      };
    };
  };
  listTenants: {
    parameters: {
      query?: {
        limit?: number;
        marker?: string;
        name?: string;
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
          'application/json': components['schemas']['Tenants'];
        };
      };
    };
  };
  authenticate: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Auth'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Access'];
        };
      };
    };
  };
  validateToken: {
    parameters: {
      query?: {
        belongsTo?: string;
      };
      header?: never;
      path: {
        tokenId: string;
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
          'application/json': components['schemas']['AccessWithoutCatalog'];
        };
      };
    };
  };
  revokeTokenOnCorePath: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  checkToken: {
    parameters: {
      query?: {
        belongsTo?: string;
      };
      header?: never;
      path: {
        tokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  listTokenEndpoints: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tokenId: string;
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
          'application/json': components['schemas']['Endpoints'];
        };
      };
    };
  };
}
