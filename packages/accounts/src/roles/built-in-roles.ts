/** The roles of the identity service that every installation has. What `admin`, `service` and `identity-operator` mean: account.ts. */
export const IDENTITY_ROLES = ['admin', 'service', 'identity-operator', 'member'];
/** Shows the DNS service in a tenant's catalog. */
export const DNS_ROLE = 'dns-admin';
/** Lets the operator's own people see the nameservers (GET /v1/nameservers). */
export const DNS_OPERATOR_ROLE = 'dns-operator';
/** Lets them act for every project in the DNS API v2, and say which names and quotas there are. */
export const DNS_CLOUD_ADMIN_ROLE = 'dns-cloud-admin';

/** Lets nameservers have updates done by the DNS API on behalf of who signed them, and do nothing else. */
export const NAMESERVER_ROLE = 'nameserver';

/** What programs know by these names must keep them. */
export const BUILT_IN_ROLES: readonly string[] = [
  ...IDENTITY_ROLES,
  DNS_ROLE,
  DNS_OPERATOR_ROLE,
  DNS_CLOUD_ADMIN_ROLE,
  NAMESERVER_ROLE,
];
