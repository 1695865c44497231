import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';
import {
  allOf,
  type ListedPage,
  type Listing,
  type ListOrder,
  listPage,
  textCondition,
  type TextFilter,
  valueCondition,
} from '../rows/listing.js';
import { asTimestamp, type Timestamp } from '../rows/statements.js';

/**
 * Kind of rule. `tld`: a new zone must be below one of these, if there are any. `blacklist`: the name of a new zone
 * must not match any of these.
 */
export type NameRuleKind = 'tld' | 'blacklist';

/** Rule of the operator for names of new zones. */
export interface NameRule {
  readonly id: string;
  readonly kind: NameRuleKind;
  /** Name in lower case without a trailing dot, or the text of a pattern. */
  readonly pattern: string;
  /** Number of states of the pattern, which is the cost of a match. 0 for a plain name. */
  readonly states: number;
  readonly description: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

const COLUMNS = `l.id, l.kind, l.pattern, l.states, l.description,
  ${asTimestamp('l.created_at')} as "createdAt", ${asTimestamp('l.updated_at')} as "updatedAt"`;

export type NameRuleSortKey = 'created_at' | 'id' | 'updated_at' | 'name' | 'pattern';

interface NameRuleFilter {
  readonly kind: NameRuleKind;
  readonly pattern: TextFilter | undefined;
  readonly description: TextFilter | undefined;
}

const LISTING: Listing<NameRuleSortKey> = {
  columns: COLUMNS,
  from: 'dns.name_rules as l',
  id: 'l.id',
  sortColumns: {
    created_at: 'l.created_at',
    id: 'l.id',
    updated_at: `coalesce(l.updated_at, '-infinity')`,
    name: 'l.pattern',
    pattern: 'l.pattern',
  },
};

/** Returns undefined if the marker is not in the list. */
export async function listNameRules(
  db: Database,
  { kind, pattern, description }: NameRuleFilter,
  order: ListOrder<NameRuleSortKey>,
): Promise<ListedPage<NameRule> | undefined> {
  const condition = allOf([
    valueCondition('l.kind', 'kind', kind),
    textCondition('l.pattern', 'pattern', pattern),
    textCondition('l.description', 'description', description),
  ]);
  return await listPage(db, LISTING, condition, order);
}

export async function findNameRule(
  db: Database,
  kind: NameRuleKind,
  id: string,
): Promise<NameRule | undefined> {
  return await queryRow(
    db,
    `select ${COLUMNS} from dns.name_rules as l where l.kind = ? and l.id = ?`,
    [kind, id],
  );
}

type NewNameRule = Pick<NameRule, 'kind' | 'pattern' | 'states' | 'description'>;

export async function insertNameRule(trx: Database, rule: NewNameRule): Promise<NameRule> {
  return await queryReturning(
    trx,
    `insert into dns.name_rules as l (kind, pattern, states, description) values (?, ?, ?, ?)
     returning ${COLUMNS}`,
    [rule.kind, rule.pattern, rule.states, rule.description],
  );
}

export async function updateNameRule(
  trx: Database,
  { id, pattern, states, description }: Pick<NameRule, 'id' | 'pattern' | 'states' | 'description'>,
): Promise<NameRule> {
  return await queryReturning(
    trx,
    `update dns.name_rules as l set pattern = ?, states = ?, description = ?, updated_at = clock_timestamp()
      where l.id = ? returning ${COLUMNS}`,
    [pattern, states, description, id],
  );
}

/** Returns false if there is no such rule. */
export async function deleteNameRule(
  trx: Database,
  kind: NameRuleKind,
  id: string,
): Promise<boolean> {
  const rows = await queryRows(
    trx,
    'delete from dns.name_rules as l where l.kind = ? and l.id = ? returning l.id',
    [kind, id],
  );
  return rows.length > 0;
}

/** Returns the number of rules of a kind, and the total cost of matching them. */
export async function sumNameRules(
  trx: Database,
  kind: NameRuleKind,
): Promise<{ readonly count: number; readonly states: number }> {
  return await queryReturning(
    trx,
    `select count(*) as count, coalesce(sum(l.states), 0)::integer as states from dns.name_rules as l where l.kind = ?`,
    [kind],
  );
}

/** Returns whether there are any TLD rules, whether one of these names is among them, and all other patterns. */
export async function readNameRules(
  trx: Database,
  name: string,
  above: readonly string[],
): Promise<{
  readonly hasTlds: boolean;
  readonly isTld: boolean;
  readonly isBelowTld: boolean;
  readonly patterns: readonly string[];
}> {
  return await queryReturning(
    trx,
    `select exists (select from dns.name_rules as t where t.kind = 'tld') as "hasTlds",
            exists (select from dns.name_rules as t where t.kind = 'tld' and t.pattern = ?) as "isTld",
            exists (select from dns.name_rules as t where t.kind = 'tld' and t.pattern = any(?::text[])) as "isBelowTld",
            array(select b.pattern from dns.name_rules as b where b.kind = 'blacklist' order by b.created_at, b.id)
              as patterns`,
    [name, above],
  );
}
