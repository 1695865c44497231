/** The roles of the identity service that every installation has. What `admin`, `service` and `identity-operator` mean: account.ts. */
export const IDENTITY_ROLES = ['admin', 'service', 'identity-operator', 'member'];
/** Shows the DNS service in a tenant's catalog. */
export const DNS_ROLE = 'dns-admin';
/** Lets the operator's own people see the nameservers (GET /v1/nameservers). */
export const DNS_OPERATOR_ROLE = 'dns-operator';

/** What programs know by these names must keep them. */
export const BUILT_IN_ROLES: readonly string[] = [...IDENTITY_ROLES, DNS_ROLE, DNS_OPERATOR_ROLE];
