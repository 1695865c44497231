// Written by `npm run reference`.
export interface paths {
  '/v2.0': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get Version 2.0 */
    get: operations['getVersion2'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
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
  '/v3/domains': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Domains */
    get: operations['listDomainsV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/domains/{domainId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 Get Domain */
    get: operations['getDomainV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/domains/{domainId}/users/{userId}/roles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Roles of a User on a Domain */
    get: operations['listRolesOnDomainV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/domains/{domainId}/users/{userId}/roles/{roleId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** v3 Grant Role to a User on a Domain */
    put: operations['grantRoleOnDomainV3'];
    post?: never;
    /** v3 Revoke Role of a User on a Domain */
    delete: operations['revokeRoleOnDomainV3'];
    options?: never;
    /** v3 Check Role of a User on a Domain */
    head: operations['checkRoleOnDomainV3'];
    patch?: never;
    trace?: never;
  };
  '/v3/endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Endpoints */
    get: operations['listEndpointsV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/endpoints/{endpointId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 Get Endpoint */
    get: operations['getEndpointV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/OS-EP-FILTER/endpoints/{endpointId}/projects': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Projects of an Endpoint */
    get: operations['listProjectsOfEndpointV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/OS-EP-FILTER/projects/{projectId}/endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Endpoints of a Project */
    get: operations['listEndpointsOfProjectV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/OS-EP-FILTER/projects/{projectId}/endpoints/{endpointId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 Get Endpoint of a Project */
    get: operations['getEndpointOfProjectV3'];
    /** v3 Add Endpoint to a Project */
    put: operations['addEndpointToProjectV3'];
    post?: never;
    /** v3 Remove Endpoint from a Project */
    delete: operations['removeEndpointFromProjectV3'];
    options?: never;
    /** v3 Check Endpoint of a Project */
    head: operations['checkEndpointOfProjectV3'];
    patch?: never;
    trace?: never;
  };
  '/v3/projects': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List all Projects */
    get: operations['listAllProjectsV3'];
    put?: never;
    /** v3 Create Project */
    post: operations['createProjectV3'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/projects/{projectId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 Get Project */
    get: operations['getProjectV3'];
    put?: never;
    post?: never;
    /** v3 Delete Project */
    delete: operations['deleteProjectV3'];
    options?: never;
    head?: never;
    /** v3 Update Project */
    patch: operations['updateProjectV3'];
    trace?: never;
  };
  '/v3/projects/{projectId}/tags': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Tags of a Project */
    get: operations['listProjectTagsV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/projects/{projectId}/users/{userId}/roles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Roles of a User on a Project */
    get: operations['listRolesOnProjectV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/projects/{projectId}/users/{userId}/roles/{roleId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** v3 Grant Role to a User on a Project */
    put: operations['grantRoleOnProjectV3'];
    post?: never;
    /** v3 Revoke Role of a User on a Project */
    delete: operations['revokeRoleOnProjectV3'];
    options?: never;
    /** v3 Check Role of a User on a Project */
    head: operations['checkRoleOnProjectV3'];
    patch?: never;
    trace?: never;
  };
  '/v3/role_assignments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Role Assignments */
    get: operations['listRoleAssignmentsV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/roles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Roles */
    get: operations['listRolesV3'];
    put?: never;
    /** v3 Create Role */
    post: operations['createRoleV3'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/roles/{roleId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 Get Role */
    get: operations['getRoleV3'];
    put?: never;
    post?: never;
    /** v3 Delete Role */
    delete: operations['deleteRoleV3'];
    options?: never;
    head?: never;
    /** v3 Update Role */
    patch: operations['updateRoleV3'];
    trace?: never;
  };
  '/v3/services': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Services */
    get: operations['listServicesV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/services/{serviceId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 Get Service */
    get: operations['getServiceV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Users */
    get: operations['listUsersV3'];
    put?: never;
    /** v3 Create User */
    post: operations['createUserV3'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/users/{userId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 Get User */
    get: operations['getUserV3'];
    put?: never;
    post?: never;
    /** v3 Delete User */
    delete: operations['deleteUserV3'];
    options?: never;
    head?: never;
    /** v3 Update User */
    patch: operations['updateUserV3'];
    trace?: never;
  };
  '/v3/users/{userId}/application_credentials': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List Application Credentials */
    get: operations['listApplicationCredentials'];
    put?: never;
    /** v3 Create Application Credential */
    post: operations['createApplicationCredential'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/users/{userId}/application_credentials/{credentialId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 Get Application Credential */
    get: operations['getApplicationCredential'];
    put?: never;
    post?: never;
    /** v3 Delete Application Credential */
    delete: operations['deleteApplicationCredential'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/users/{userId}/groups': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List a User's Groups */
    get: operations['listGroupsOfUserV3'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/users/{userId}/password': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** v3 Change Password */
    post: operations['changePasswordV3'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3/users/{userId}/projects': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** v3 List a User's Projects */
    get: operations['listUserProjectsV3'];
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
        lastUsedOn?: number | null;
        otherAttributes: {
          description?: string;
          name?: string;
          restrictions?: {
            massDelete: boolean;
            networks: string[];
            rules?: {
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
          lastUsedOn?: number | null;
          otherAttributes: {
            description?: string;
            name?: string;
            restrictions?: {
              massDelete: boolean;
              networks: string[];
              rules?: {
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
    ApplicationCredential: {
      application_credential: {
        access_rules?: {
          actions: string[];
          name: string;
          types: string[];
          zone: string;
        }[];
        description: string;
        expires_at: string;
        id: string;
        links: {
          self: string;
        };
        name: string;
        project_id?: string;
        roles: {
          id: string;
          name: string;
        }[];
        secret?: string;
        unrestricted: boolean;
        user_id: string;
      };
    };
    ApplicationCredentials: {
      application_credentials: {
        access_rules?: {
          actions: string[];
          name: string;
          types: string[];
          zone: string;
        }[];
        description: string;
        expires_at: string;
        id: string;
        links: {
          self: string;
        };
        name: string;
        project_id?: string;
        roles: {
          id: string;
          name: string;
        }[];
        secret?: string;
        unrestricted: boolean;
        user_id: string;
      }[];
      links: {
        next: null;
        previous: null;
        self: string;
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
           * @description Alternative to restrictions, with the next four members
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
        /** @description XML only: otherAttributes.restrictions as JSON */
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
         * @description Alternative to restrictions, with the next four members
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
      /** @description XML only: otherAttributes.restrictions as JSON */
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
    NewApplicationCredential: {
      application_credential: components['schemas']['NewApplicationCredentialXml'];
    };
    NewApplicationCredentialXml: {
      access_rules?: {
        actions: string[];
        /** @default ** */
        name?: string;
        types?: string[];
        zone: string;
      }[];
      description?: string;
      /** @description YYYY-MM-DDThh:mm:ss, with or without an offset, or milliseconds since 1970 */
      expires_at?: string | number;
      name: string;
      /** @description All roles of the user, or none */
      roles?: {
        id?: string | number;
        name?: string;
      }[];
      secret?: string;
      /** @constant */
      unrestricted?: false;
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
    V3AllProjects: {
      links: {
        next: string | null;
        previous: null;
        self: string;
      };
      projects: ({
        description: string;
        domain_id: string;
        enabled: boolean;
        id: string;
        is_domain: boolean;
        links: {
          self: string;
        };
        name: string;
        options: Record<string, never>;
        parent_id: string;
        tags: string[];
      } & {
        [key: string]: unknown;
      })[];
      truncated?: boolean;
    };
    V3Domain: {
      domain: {
        description: string;
        enabled: boolean;
        id: string;
        links: {
          self: string;
        };
        name: string;
        options: Record<string, never>;
        tags: unknown[];
      };
    };
    V3Domains: {
      domains: {
        description: string;
        enabled: boolean;
        id: string;
        links: {
          self: string;
        };
        name: string;
        options: Record<string, never>;
        tags: unknown[];
      }[];
      links: {
        next: string | null;
        previous: null;
        self: string;
      };
      truncated?: boolean;
    };
    V3Endpoint: {
      endpoint: {
        enabled: boolean;
        id: string;
        interface: string;
        links: {
          self: string;
        };
        region: string;
        region_id: string;
        service_id: string;
        url: string;
      };
    };
    V3Endpoints: {
      endpoints: {
        enabled: boolean;
        id: string;
        interface: string;
        links: {
          self: string;
        };
        region: string;
        region_id: string;
        service_id: string;
        url: string;
      }[];
      links: {
        next: string | null;
        previous: null;
        self: string;
      };
      truncated?: boolean;
    };
    V3Groups: {
      groups: unknown[];
      links: {
        next: string | null;
        previous: null;
        self: string;
      };
      truncated?: boolean;
    };
    V3NewProject: {
      project: {
        description?: string;
        domain_id?: string;
        enabled?: boolean;
        /** @enum {unknown} */
        is_domain?: null | false;
        name: string;
        /** @enum {unknown} */
        options?: null | Record<string, never>;
        parent_id?: string;
        tags?: string[];
      };
    };
    V3NewRole: {
      role: {
        description?: string;
        /** @enum {unknown} */
        domain_id?: null;
        id?: string;
        links?: unknown;
        name: string;
        /** @enum {unknown} */
        options?: null | Record<string, never>;
      };
    };
    V3NewUser: {
      user: {
        default_project_id?: string;
        description?: string;
        domain_id?: string;
        email?: string;
        enabled?: boolean;
        /** @enum {unknown} */
        federated?: null | never[];
        name: string;
        /** @enum {unknown} */
        options?: null | Record<string, never>;
        password?: string;
        /** @enum {unknown} */
        password_expires_at?: null;
      };
    };
    V3OwnPassword: {
      user: {
        original_password: string;
        password: string;
      };
    };
    V3Project: {
      project: {
        description: string;
        domain_id: string;
        enabled: boolean;
        id: string;
        is_domain: boolean;
        links: {
          self: string;
        };
        name: string;
        options: Record<string, never>;
        parent_id: string;
        tags: string[];
      } & {
        [key: string]: unknown;
      };
    };
    V3ProjectChange: {
      project: {
        description?: string;
        /** @enum {unknown} */
        domain_id?: null;
        enabled?: boolean;
        id?: string;
        /** @enum {unknown} */
        is_domain?: null | false;
        links?: unknown;
        name?: string;
        /** @enum {unknown} */
        options?: null | Record<string, never>;
        /** @enum {unknown} */
        parent_id?: null;
        tags?: string[];
      };
    };
    V3Projects: {
      links: {
        next: null;
        previous: null;
        self: string;
      };
      projects: {
        description: string;
        domain_id: string;
        enabled: boolean;
        id: string;
        links: {
          self: string;
        };
        name: string;
      }[];
    };
    V3ProjectTags: {
      links: {
        next: null;
        previous: null;
        self: string;
      };
      tags: string[];
    };
    V3Role: {
      role: {
        description: string | null;
        domain_id: null;
        id: string;
        links: {
          self: string;
        };
        name: string;
        options: Record<string, never>;
      } & {
        [key: string]: unknown;
      };
    };
    V3RoleAssignments: {
      links: {
        next: string | null;
        previous: null;
        self: string;
      };
      role_assignments: {
        links: {
          assignment: string;
        };
        role: {
          id: string;
          name?: string;
        };
        scope: {
          domain?: {
            id: string;
            name?: string;
          };
          project?: {
            domain?: {
              id: string;
              name: string;
            };
            id: string;
            name?: string;
          };
        };
        user: {
          domain?: {
            id: string;
            name: string;
          };
          id: string;
          name?: string;
        };
      }[];
      truncated?: boolean;
    };
    V3RoleChange: {
      role: {
        description?: string;
        /** @enum {unknown} */
        domain_id?: null;
        id?: string;
        links?: unknown;
        name?: string;
        /** @enum {unknown} */
        options?: null | Record<string, never>;
      };
    };
    V3Roles: {
      links: {
        next: string | null;
        previous: null;
        self: string;
      };
      roles: ({
        description: string | null;
        domain_id: null;
        id: string;
        links: {
          self: string;
        };
        name: string;
        options: Record<string, never>;
      } & {
        [key: string]: unknown;
      })[];
      truncated?: boolean;
    };
    V3Service: {
      service: {
        description: string;
        enabled: boolean;
        id: string;
        links: {
          self: string;
        };
        name: string;
        type: string;
        types: string[];
      };
    };
    V3Services: {
      links: {
        next: string | null;
        previous: null;
        self: string;
      };
      services: {
        description: string;
        enabled: boolean;
        id: string;
        links: {
          self: string;
        };
        name: string;
        type: string;
        types: string[];
      }[];
      truncated?: boolean;
    };
    V3User: {
      user: {
        default_project_id?: string;
        description: string;
        domain_id: string;
        email: string;
        enabled: boolean;
        id: string;
        links: {
          self: string;
        };
        name: string;
        options: Record<string, never>;
        password_expires_at: null;
      } & {
        [key: string]: unknown;
      };
    };
    V3UserChange: {
      user: {
        default_project_id?: string;
        description?: string;
        /** @enum {unknown} */
        domain_id?: null;
        email?: string;
        enabled?: boolean;
        /** @enum {unknown} */
        federated?: null | never[];
        id?: string;
        links?: unknown;
        name?: string;
        /** @enum {unknown} */
        options?: null | Record<string, never>;
        password?: string;
        /** @enum {unknown} */
        password_expires_at?: null;
      };
    };
    V3Users: {
      links: {
        next: string | null;
        previous: null;
        self: string;
      };
      truncated?: boolean;
      users: ({
        default_project_id?: string;
        description: string;
        domain_id: string;
        email: string;
        enabled: boolean;
        id: string;
        links: {
          self: string;
        };
        name: string;
        options: Record<string, never>;
        password_expires_at: null;
      } & {
        [key: string]: unknown;
      })[];
    };
    Version2: {
      version: {
        id: string;
        links: {
          href: string;
          rel: string;
        }[];
        'media-types': {
          base: string;
          type: string;
        }[];
        status: string;
        /** Format: date-time */
        updated: string;
      };
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
  getVersion2: {
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
          'application/json': components['schemas']['Version2'];
        };
      };
    };
  };
  listAccessKeys: {
    parameters: {
      query?: {
        domainId?: string;
        export?: boolean;
        extended?: boolean;
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
  listDomainsV3: {
    parameters: {
      query?: {
        enabled?: boolean;
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
          'application/json': components['schemas']['V3Domains'];
        };
      };
    };
  };
  getDomainV3: {
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
          'application/json': components['schemas']['V3Domain'];
        };
      };
    };
  };
  listRolesOnDomainV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        domainId: string;
        userId: string;
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
          'application/json': components['schemas']['V3Roles'];
        };
      };
    };
  };
  grantRoleOnDomainV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        domainId: string;
        roleId: string;
        userId: string;
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
  revokeRoleOnDomainV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        domainId: string;
        roleId: string;
        userId: string;
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
  checkRoleOnDomainV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        domainId: string;
        roleId: string;
        userId: string;
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
  listEndpointsV3: {
    parameters: {
      query?: {
        interface?: string;
        region_id?: string;
        service_id?: string;
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
          'application/json': components['schemas']['V3Endpoints'];
        };
      };
    };
  };
  getEndpointV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        endpointId: string;
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
          'application/json': components['schemas']['V3Endpoint'];
        };
      };
    };
  };
  listProjectsOfEndpointV3: {
    parameters: {
      query?: {
        limit?: number;
        marker?: string;
        name?: string;
        name__contains?: string;
        name__endswith?: string;
        name__icontains?: string;
        name__iendswith?: string;
        name__istartswith?: string;
        name__startswith?: string;
      };
      header?: never;
      path: {
        endpointId: string;
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
          'application/json': components['schemas']['V3AllProjects'];
        };
      };
    };
  };
  listEndpointsOfProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: string;
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
          'application/json': components['schemas']['V3Endpoints'];
        };
      };
    };
  };
  getEndpointOfProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        endpointId: string;
        projectId: string;
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
  addEndpointToProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        endpointId: string;
        projectId: string;
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
  removeEndpointFromProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        endpointId: string;
        projectId: string;
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
  checkEndpointOfProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        endpointId: string;
        projectId: string;
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
  listAllProjectsV3: {
    parameters: {
      query?: {
        domain_id?: string;
        enabled?: boolean;
        limit?: number;
        marker?: string;
        name?: string;
        name__contains?: string;
        name__endswith?: string;
        name__icontains?: string;
        name__iendswith?: string;
        name__istartswith?: string;
        name__startswith?: string;
        'not-tags'?: string;
        'not-tags-any'?: string;
        tags?: string;
        'tags-any'?: string;
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
          'application/json': components['schemas']['V3AllProjects'];
        };
      };
    };
  };
  createProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['V3NewProject'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['V3Project'];
        };
      };
    };
  };
  getProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: string;
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
          'application/json': components['schemas']['V3Project'];
        };
      };
    };
  };
  deleteProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: string;
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
  updateProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['V3ProjectChange'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['V3Project'];
        };
      };
    };
  };
  listProjectTagsV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: string;
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
          'application/json': components['schemas']['V3ProjectTags'];
        };
      };
    };
  };
  listRolesOnProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: string;
        userId: string;
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
          'application/json': components['schemas']['V3Roles'];
        };
      };
    };
  };
  grantRoleOnProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: string;
        roleId: string;
        userId: string;
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
  revokeRoleOnProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: string;
        roleId: string;
        userId: string;
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
  checkRoleOnProjectV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: string;
        roleId: string;
        userId: string;
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
  listRoleAssignmentsV3: {
    parameters: {
      query?: {
        effective?: boolean;
        'group.id'?: string;
        include_names?: boolean;
        limit?: number;
        marker?: string;
        'role.id'?: string;
        'scope.domain.id'?: string;
        'scope.project.id'?: string;
        'user.id'?: string;
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
          'application/json': components['schemas']['V3RoleAssignments'];
        };
      };
    };
  };
  listRolesV3: {
    parameters: {
      query?: {
        domain_id?: string;
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
          'application/json': components['schemas']['V3Roles'];
        };
      };
    };
  };
  createRoleV3: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['V3NewRole'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['V3Role'];
        };
      };
    };
  };
  getRoleV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        roleId: string;
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
          'application/json': components['schemas']['V3Role'];
        };
      };
    };
  };
  deleteRoleV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        roleId: string;
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
  updateRoleV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        roleId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['V3RoleChange'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['V3Role'];
        };
      };
    };
  };
  listServicesV3: {
    parameters: {
      query?: {
        name?: string;
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
          'application/json': components['schemas']['V3Services'];
        };
      };
    };
  };
  getServiceV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: string;
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
          'application/json': components['schemas']['V3Service'];
        };
      };
    };
  };
  listUsersV3: {
    parameters: {
      query?: {
        domain_id?: string;
        enabled?: boolean;
        limit?: number;
        marker?: string;
        name?: string;
        name__contains?: string;
        name__endswith?: string;
        name__icontains?: string;
        name__iendswith?: string;
        name__istartswith?: string;
        name__startswith?: string;
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
          'application/json': components['schemas']['V3Users'];
        };
      };
    };
  };
  createUserV3: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['V3NewUser'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['V3User'];
        };
      };
    };
  };
  getUserV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: string;
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
          'application/json': components['schemas']['V3User'];
        };
      };
    };
  };
  deleteUserV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: string;
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
  updateUserV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['V3UserChange'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['V3User'];
        };
      };
    };
  };
  listApplicationCredentials: {
    parameters: {
      query?: {
        name?: string;
      };
      header?: never;
      path: {
        userId: string;
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
          'application/json': components['schemas']['ApplicationCredentials'];
        };
      };
    };
  };
  createApplicationCredential: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewApplicationCredential'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApplicationCredential'];
        };
      };
    };
  };
  getApplicationCredential: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        credentialId: string;
        userId: string;
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
          'application/json': components['schemas']['ApplicationCredential'];
        };
      };
    };
  };
  deleteApplicationCredential: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        credentialId: string;
        userId: string;
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
  listGroupsOfUserV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: string;
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
          'application/json': components['schemas']['V3Groups'];
        };
      };
    };
  };
  changePasswordV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['V3OwnPassword'];
      };
    };
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
  listUserProjectsV3: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: string;
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
          'application/json': components['schemas']['V3Projects'];
        };
      };
    };
  };
}
