/**
 * NOTIFY channels. A notification only wakes its reader, which then reads what is committed: it carries no
 * content, and losing one costs a poll interval, never a change.
 */
export const CHANNELS = {
  /**
   * Something that identity-service keeps in its cache changed; the payload names the table, and for the state of tokens
   * after a colon the token.
   */
  identity: 'zonewright_identity',
  /** A zone, or what all zones share, changed. */
  dns: 'zonewright_dns',
  /** A nameserver wrote its status row; the payload is its name. */
  nameserverStatus: 'zonewright_nameserver_status',
} as const;
