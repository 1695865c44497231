/** Fault and remedy for each SQLSTATE (PostgreSQL, appendix A). */
const REFUSALS: Readonly<Record<string, readonly [fault: string, remedy: string]>> = {
  '53100': [
    'its disk is full',
    'Make room on the disk of PostgreSQL: a larger volume, old WAL that a replication slot or archive_command holds (pg_replication_slots, pg_stat_archiver), or shorter retention. See docs/operations/retention.md.',
  ],
  '53200': [
    'it has no memory left',
    'See which processes take the memory of the host of PostgreSQL, and lower work_mem or max_connections.',
  ],
  '53300': ['all connections are taken', 'Raise max_connections, or stop what holds them.'],
  '25006': [
    'it takes no changes',
    'Let DATABASE_URL lead to the primary, and see whether default_transaction_read_only is set.',
  ],
  '42501': [
    'this login may not write',
    'Run migrate, and use a login with the rights of zonewright_operator.',
  ],
  '57014': [
    'a small change did not end in time',
    'See what PostgreSQL waits for: pg_stat_activity (wait_event) and the disk. With synchronous_standby_names set, a standby may be missing.',
  ],
  '58030': ['it cannot write to its disk', 'See the log of PostgreSQL and of its host.'],
};

/** Explains why PostgreSQL refused a change. */
export function explainSqlstate(code: string | undefined): { fault: string; remedy: string } {
  const [fault, remedy] = REFUSALS[code ?? ''] ?? [
    'it failed',
    'See the log of PostgreSQL at this moment.',
  ];
  return { fault, remedy };
}
