/** Namespace of Identity API v2.0: access, tenants, faults, versions (D-ID-36). */
export const V2_NAMESPACE = 'http://docs.openstack.org/identity/api/v2.0';
/** Namespace of the vendor extension for access keys. */
export const EXTENSION_NAMESPACE = 'http://docs.openstack.org/identity/api/ext/hp/v1.0';
/** Namespace of Identity API v3. */
export const V3_NAMESPACE = 'http://docs.openstack.org/identity/api/v3';

/** Formats a time such as `2026-11-21T01:02:03.123Z` (ISO 8601 UTC with milliseconds, Identity s2). */
export function toIsoMilliseconds(time: Date): string {
  return time.toISOString();
}

/**
 * Formats a time such as `2026-11-21T01:02:03.123+00:00` (XML access keys have a timestamp with a UTC offset, Identity
 * s2).
 */
export function toOffsetTimestamp(time: Date): string {
  return time.toISOString().replace('Z', '+00:00');
}

/**
 * Formats a time in UTC such as `2026-11-21T01:02:03.123000`, as Keystone writes the expiry of a credential and
 * gophercloud reads it.
 */
export function toIsoMicroseconds(date: Date): string {
  return date.toISOString().replace('Z', '000');
}
