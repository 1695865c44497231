/** Identity API v2.0: access, tenants, faults, versions (decisions 2, XML). */
export const V2_NAMESPACE = 'http://docs.openstack.org/identity/api/v2.0';
/** The vendor extension: access keys. */
export const EXTENSION_NAMESPACE = 'http://docs.openstack.org/identity/api/ext/hp/v1.0';
/** Identity API v3. */
export const V3_NAMESPACE = 'http://docs.openstack.org/identity/api/v3';
