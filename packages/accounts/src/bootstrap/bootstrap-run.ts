import type { Database, Keyring } from '@zonewright/database';

export interface GivenAccessKey {
  readonly id: string;
  readonly secretKey: string;
}

export interface AccountsBootstrapOptions {
  readonly administratorName: string;
  /** Password of the administrator. Generated and returned if absent. */
  readonly administratorPassword?: string | undefined;
  /** Region of the catalog's endpoints. */
  readonly region: string;
  /** Public URLs of the identity service and the DNS API, without a version path. */
  readonly identityUrl: string;
  readonly dnsUrl: string;
  /** The types of the DNS service; the default is `ext:dns`. Old clients also need `hpext:dns`. */
  readonly dnsServiceTypes?: readonly string[] | undefined;
  /**
   * Whether existing endpoints are changed to these URLs, for an installation whose addresses change at each start.
   * Default: false, since an operator may have edited them.
   */
  readonly moveEndpoints?: boolean | undefined;
  /** Access key in the configuration of dns-api. Generated and returned if absent. */
  readonly serviceAccessKey?: GivenAccessKey | undefined;
  /** Access key with which nameservers relay updates. Without it, they have no user. */
  readonly nameserverAccessKey?: GivenAccessKey | undefined;
}

/** Secrets that this run generated. They cannot be read again. */
export interface BootstrapSecrets {
  readonly administratorPassword?: string;
  /** Access key with which dns-api validates tokens. */
  readonly serviceAccessKey?: string;
  readonly serviceSecretKey?: string;
}

/** State of a run: its transaction, and the list that each step adds to. */
export interface BootstrapRun {
  readonly db: Database;
  readonly keyring: Keyring;
  /** One line for each created object, for example `role admin`. */
  readonly created: string[];
}
