import { integer, type SettingsOf, type SettingsTree } from '@zonewright/service-kit';
import type { Database } from '../connection/connection.js';

const LONGEST = 2_147_483_647;

/** The initial settings for all zones, for `migrate`. Afterwards only dns.service_settings counts. */
export const SERVICE_SETTINGS = {
  soa: {
    refreshSeconds: integer('NAMESERVER_SOA_REFRESH_SECONDS', {
      default: 14_400,
      maximum: LONGEST,
      help: 'Initial REFRESH of SOA records, in seconds; later: `zonewright-admin nameserver set-soa`.',
    }),
    retrySeconds: integer('NAMESERVER_SOA_RETRY_SECONDS', {
      default: 3_600,
      maximum: LONGEST,
      help: 'Initial RETRY of SOA records, in seconds.',
    }),
    expireSeconds: integer('NAMESERVER_SOA_EXPIRE_SECONDS', {
      default: 1_209_600,
      maximum: LONGEST,
      help: 'Initial EXPIRE of SOA records, in seconds.',
    }),
    minimumSeconds: integer('NAMESERVER_SOA_MINIMUM_SECONDS', {
      default: 300,
      maximum: LONGEST,
      help: 'Initial MINIMUM of SOA records, the TTL of negative answers (RFC 2308), in seconds.',
    }),
  },
  nameserverDomainTtlSeconds: integer('NAMESERVER_DOMAIN_TTL_SECONDS', {
    default: 3_600,
    maximum: LONGEST,
    help: 'Initial TTL of the SOA, NS and address records of the nameserver domain, in seconds.',
  }),
} satisfies SettingsTree;

export type ServiceSettings = SettingsOf<typeof SERVICE_SETTINGS>;

/** The times in every SOA (RFC 1035, section 3.3.13). */
export type SoaTimes = ServiceSettings['soa'];

/** SQL for the SoaTimes of a row called `t`. */
export const SOA_TIMES = `json_build_object('refreshSeconds', t.soa_refresh, 'retrySeconds', t.soa_retry,
  'expireSeconds', t.soa_expire, 'minimumSeconds', t.soa_minimum)`;

/** SQL for the ServiceSettings. */
export const CURRENT_SETTINGS = `(
  select json_build_object('soa', ${SOA_TIMES}, 'nameserverDomainTtlSeconds', t.nameserver_domain_ttl)
    from dns.service_settings as t)`;

/** Returns the settings, or undefined if the row does not exist. */
export async function findServiceSettings(db: Database): Promise<ServiceSettings | undefined> {
  const { rows } = await db
    .raw<{ rows: { settings: ServiceSettings | null }[] }>(`select ${CURRENT_SETTINGS} as settings`)
    .options({ name: 'service-settings' });
  return rows[0]?.settings ?? undefined;
}

/**
 * Updates the settings, which all zones must then contain. The table's trigger creates the version and wakes its
 * readers.
 */
export async function updateServiceSettings(
  db: Database,
  settings: ServiceSettings,
): Promise<void> {
  await db.raw(
    `update dns.service_settings
        set soa_refresh = :refreshSeconds, soa_retry = :retrySeconds, soa_expire = :expireSeconds,
            soa_minimum = :minimumSeconds, nameserver_domain_ttl = :ttl, updated_at = now()`,
    { ...settings.soa, ttl: settings.nameserverDomainTtlSeconds },
  );
}

/** Writes the first settings in the transaction that creates the row. Existing zones already contain these values. */
export async function writeFirstSettings(trx: Database, settings: ServiceSettings): Promise<void> {
  await trx.raw(
    `update dns.apex_versions
        set soa_refresh = :refreshSeconds, soa_retry = :retrySeconds, soa_expire = :expireSeconds,
            soa_minimum = :minimumSeconds
      where version = 1`,
    { ...settings.soa },
  );
  await updateServiceSettings(trx, settings);
}
