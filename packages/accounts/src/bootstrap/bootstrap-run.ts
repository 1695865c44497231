import type { Database, Keyring } from '@zonewright/database';

export interface GivenAccessKey {
  readonly id: string;
  readonly secretKey: string;
}

export interface AccountsBootstrapOptions {
  readonly administratorName: string;
  /** Generated, and returned, if absent. */
  readonly administratorPassword?: string | undefined;
  /** Of the catalog's endpoints. */
  readonly region: string;
  /** Where clients reach the identity service and the DNS API, without a version path. */
  readonly identityUrl: string;
  readonly dnsUrl: string;
  /** Default `ext:dns`; more for old clients (`hpext:dns`). */
  readonly dnsServiceTypes?: readonly string[] | undefined;
  /**
   * Points endpoints that are there already at the given URLs, for an installation that may stand elsewhere at each
   * start. Default false: an operator may have changed them.
   */
  readonly moveEndpoints?: boolean | undefined;
  /** The key with which dns-api is configured already; generated, and returned, if absent. */
  readonly serviceAccessKey?: GivenAccessKey | undefined;
  /** The key with which nameservers relay updates; without one there is no user for them. */
  readonly nameserverAccessKey?: GivenAccessKey | undefined;
}

/** Secrets that this run generated. They cannot be read again. */
export interface BootstrapSecrets {
  readonly administratorPassword?: string;
  /** The access key of the user as which dns-api validates tokens. */
  readonly serviceAccessKey?: string;
  readonly serviceSecretKey?: string;
}

/** What the steps share: the transaction, and the list that each of them adds to. */
export interface BootstrapRun {
  readonly db: Database;
  readonly keyring: Keyring;
  /** One line for each thing that was made, such as `role admin`. */
  readonly created: string[];
}
