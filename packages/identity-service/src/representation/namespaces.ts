/** Identity API v2.0: access, tenants, faults, versions (D-ID-36). */
export const V2_NAMESPACE = 'http://docs.openstack.org/identity/api/v2.0';
/** The vendor extension: access keys. */
export const EXTENSION_NAMESPACE = 'http://docs.openstack.org/identity/api/ext/hp/v1.0';
/** Identity API v3. */
export const V3_NAMESPACE = 'http://docs.openstack.org/identity/api/v3';

/** `2026-11-21T01:02:03.123Z` (Identity s2: ISO 8601 UTC with milliseconds). */
export function toIsoMilliseconds(time: Date): string {
  return time.toISOString();
}

/** `2026-11-21T01:02:03.123+00:00` (Identity s2: XML access keys give a timestamp with a UTC offset). */
export function toOffsetTimestamp(time: Date): string {
  return time.toISOString().replace('Z', '+00:00');
}

/** `2026-11-21T01:02:03.123000`, UTC: as Keystone writes when a credential ends, and gophercloud reads it. */
export function toIsoMicroseconds(date: Date): string {
  return date.toISOString().replace('Z', '000');
}
