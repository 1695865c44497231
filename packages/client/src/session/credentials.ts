/** How to log in. A password or an access key; with what it names of a tenant, or the only one that there is. */
export type Credentials = (
  | { readonly username: string; readonly password: string }
  | { readonly accessKeyId: string; readonly secretKey: string }
) & {
  readonly tenantId?: string | undefined;
  readonly tenantName?: string | undefined;
};

/** Result of a login. */
export interface Session {
  /** Empty where a cookie says who asks. */
  readonly token: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  readonly user: { readonly id: string; readonly name: string };
  readonly tenant: { readonly id: string; readonly name: string } | undefined;
  readonly roles: readonly string[];
  /** Base URL of the DNS API, without a version. Undefined if the catalog has none. */
  readonly dnsUrl: string | undefined;
}
