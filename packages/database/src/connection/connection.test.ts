import { describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES, withRole } from './connection.js';

describe('withRole', () => {
  it('adds the role to the options of the session and keeps the rest of the URL', () => {
    const url = new URL(
      withRole('postgres://u:p%40ss@h:5433/d?sslmode=require', DATABASE_ROLES.dnsApi),
    );

    expect(url.searchParams.get('options')).toBe('-c role=zonewright_dns_api');
    expect(url.searchParams.get('sslmode')).toBe('require');
    expect(url.href).toMatch(/^postgres:\/\/u:p%40ss@h:5433\/d\?/);
  });

  it('replaces another role', () => {
    const once = withRole('postgres://h/d', DATABASE_ROLES.operator);

    expect(withRole(once, DATABASE_ROLES.nameserver)).toBe(
      withRole('postgres://h/d', DATABASE_ROLES.nameserver),
    );
  });
});
