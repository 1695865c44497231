import { DATABASE_ROLES, type DatabaseRole } from '../connection/connection.js';

/** The letters of a role's rights to a table: s(elect), i(nsert), u(pdate), d(elete). */
type Rights = '' | 's' | 'sd' | 'si' | 'sid' | 'siu' | 'siud' | 'su';

const { identityService, dnsApi, nameserver, signer, operator } = DATABASE_ROLES;

/**
 * The rights of each role to each table; all others are refused. Migrations from 0003 on are reviewed against this
 * table, so list each new table or right here, too. Tests compare it with a new database, and `zonewright-admin doctor`
 * with the one in use.
 */
export const EXPECTED_RIGHTS: Readonly<Record<string, Partial<Record<DatabaseRole, Rights>>>> = {
  'identity.former_users': {},
  'identity.account_domains': { [identityService]: 's', [operator]: 'siud' },
  'identity.users': { [identityService]: 'siud', [operator]: 'siud' },
  'identity.tenants': { [identityService]: 'siud', [operator]: 'siud' },
  'identity.services': { [identityService]: 's', [operator]: 'siud' },
  'identity.service_types': { [identityService]: 's', [operator]: 'siud' },
  'identity.endpoints': { [identityService]: 's', [operator]: 'siud' },
  'identity.roles': { [identityService]: 'siud', [operator]: 'siud' },
  'identity.service_required_roles': { [identityService]: 's', [operator]: 'siud' },
  'identity.role_assignments': { [identityService]: 'siud', [operator]: 'siud' },
  'identity.tenant_services': { [identityService]: 'sid', [operator]: 'siud' },
  'identity.access_keys': { [identityService]: 'siud', [operator]: 'siud' },
  'identity.access_key_uses': { [identityService]: 'siu', [operator]: 'siud' },
  'identity.project_tags': { [identityService]: 'siud', [operator]: 'siud' },
  'identity.default_projects': { [identityService]: 'siud', [operator]: 'siud' },
  'identity.signing_keys': { [identityService]: 'sd', [operator]: 'siud' },
  'identity.token_state': { [identityService]: 'siud', [operator]: 'siud' },
  'dns.domains': { [dnsApi]: 'siud', [nameserver]: 's', [signer]: 's', [operator]: 'siud' },
  'dns.records': { [dnsApi]: 'siud', [nameserver]: 's', [signer]: 's', [operator]: 'siud' },
  'dns.disabled_records': { [dnsApi]: 'sid', [operator]: 'siud' },
  'dns.zone_changes': { [dnsApi]: 'sid', [nameserver]: 's', [signer]: 's', [operator]: 'siud' },
  'dns.servers': { [dnsApi]: 's', [nameserver]: 's', [signer]: 's', [operator]: 'siud' },
  'dns.database_identity': { [nameserver]: 's', [operator]: 'siud' },
  'dns.nameserver_domain': { [dnsApi]: 's', [nameserver]: 's', [signer]: 's', [operator]: 'siud' },
  'dns.service_settings': { [dnsApi]: 's', [nameserver]: 's', [signer]: 's', [operator]: 'siud' },
  'dns.apex_versions': { [dnsApi]: 's', [nameserver]: 's', [signer]: 's', [operator]: 'siud' },
  'dns.apex_rollout': { [dnsApi]: 'su', [operator]: 'siud' },
  'dns.quotas': { [dnsApi]: 'siud', [operator]: 'siud' },
  'dns.nameserver_status': {
    [dnsApi]: 'sd',
    [nameserver]: 'siu',
    [signer]: 's',
    [operator]: 'siud',
  },
  'dns.nameserver_progress': { [dnsApi]: 'sd', [nameserver]: 'siu', [operator]: 'siud' },
  'dns.zone_tasks': { [dnsApi]: 'sid', [operator]: 'siud' },
  'dns.zone_transfers': { [dnsApi]: 'siud', [operator]: 'siud' },
  'dns.zone_shares': { [dnsApi]: 'sid', [operator]: 'siud' },
  'dns.name_rules': { [dnsApi]: 'siud', [operator]: 'siud' },
  'dns.tsig_keys': { [dnsApi]: 'siud', [operator]: 'siud' },
  'dns.peers': { [dnsApi]: 'siud', [nameserver]: 's', [operator]: 'siud' },
  'dns.zone_peers': { [dnsApi]: 'sid', [nameserver]: 's', [operator]: 'siud' },
  'dns.peer_status': { [dnsApi]: 's', [nameserver]: 'siu', [operator]: 'siud' },
  'dns.secondaries': { [dnsApi]: 'siud', [operator]: 'siud' },
  'dns.zone_dnssec': { [dnsApi]: 'siu', [nameserver]: 's', [signer]: 'siud', [operator]: 'siud' },
  // dns-api has no access to the columns of secrets.
  'dns.zone_keys': { [dnsApi]: 's', [signer]: 'siud', [operator]: 'siud' },
  'dns.signed_names': { [dnsApi]: 'siud', [nameserver]: 's', [signer]: 'siud', [operator]: 'siud' },
  'dns.signing_steps': { [dnsApi]: 'si', [nameserver]: 's', [signer]: 'siud', [operator]: 'siud' },
  'dns.parent_ds': { [dnsApi]: 'siud', [signer]: 's', [operator]: 'siud' },
  'dns.search_texts': { [dnsApi]: 'siu', [operator]: 'siud' },
  'dns.idempotency_keys': { [dnsApi]: 'siud', [operator]: 'siud' },
  'dns.history_sizes': { [dnsApi]: 'siud', [operator]: 'siud' },
  'dns.history_counted': { [dnsApi]: 'siud', [operator]: 'siud' },
  'public.zonewright_migrations': {
    [identityService]: 's',
    [dnsApi]: 's',
    [nameserver]: 's',
    [signer]: 's',
    [operator]: 's',
  },
  'public.zonewright_migrations_lock': {},
};
