/** Identity and limits of the server. Answers depend on them and on the zones. */
export interface AnswerSettings {
  /** Sent to those who ask for NSID (RFC 5001), `ns1-1`. Empty: the option is not answered. */
  readonly nsid: Uint8Array;
  /** TXT of `version.bind` and `version.server` in class CHAOS; null: REFUSED (RFC 4892 s3). */
  readonly versionText: string | null;
  /** TXT of `id.server` and `hostname.bind` in class CHAOS; null: REFUSED. */
  readonly serverIdText: string | null;
  /**
   * Sixteen octets each. Cookies are made with the first; those made with any are accepted, so that a secret can be
   * rotated (RFC 9018 s5). Shared by all servers of the deployment.
   */
  readonly cookieSecrets: readonly Uint8Array[];
  /**
   * Longest UDP response, and the payload size announced in OPT. 1232 fits one unfragmented IPv6 packet of the smallest
   * allowed MTU: 1280 - 40 - 8 (RFC 9715 s3.1).
   */
  readonly maxUdpPayloadOctets: number;
  /** Timeout that edns-tcp-keepalive announces, in units of 100 ms (RFC 7828 s3.1). */
  readonly tcpIdleTimeoutDeciseconds: number;
}
