/** Identity of the database, in a row that is restored with it (ADR 0020). */
export interface FeedDatabase {
  readonly id: string;
  /** The operator's word that nameservers are to believe what is here; null: none is in force. */
  readonly acceptance: FeedAcceptance | null;
}

interface FeedAcceptance {
  /** Another one with each time that the operator says so. */
  readonly id: string;
  /** The databases in whose place this one is accepted. */
  readonly insteadOf: readonly string[];
}

/** An acceptance holds for so long: a later mishap is not accepted in advance. */
const ACCEPTANCE_HOLDS = "interval '1 day'";

/** SQL of the FeedDatabase; null: it has none. */
export const DATABASE_IDENTITY = `(
  select json_build_object('id', i.id, 'acceptance',
           case when i.accepted_at > now() - ${ACCEPTANCE_HOLDS}
                then json_build_object('id', i.acceptance, 'insteadOf', i.instead_of) end)
    from dns.database_identity as i)`;
