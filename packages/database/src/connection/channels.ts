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
  /** A nameserver wrote its status row; the payload is its name, and AHEAD_PAYLOAD_END if zones are ahead of the database. */
  nameserverStatus: 'zonewright_nameserver_status',
} as const;

/** End of a payload of nameserverStatus that tells of zones with later serials than the database has. */
export const AHEAD_PAYLOAD_END = ' ahead';
