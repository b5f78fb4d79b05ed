import type { MarkField } from '@holdfast/contract/query/fields';
import { isTextLike } from '@holdfast/contract/query/marks';
import type { Query } from '@holdfast/contract/query/tree';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { isHeld, isInCase, isNoted, isTagged, isUnderPolicy, namedMarks, resourceIdsOf, type Mark, type Sight } from '../marks/index.ts';
import { keyOfMark, markTerms, type MarkConditions, type MarkTerm } from './query-marks.ts';

type Condition = RawBuilder<unknown>;

/** What the searches of holds find now, as sources and keys; undefined for one that nobody can read any more: it holds everything. */
export type FoundByHolds = (tx: Tx, holdIds: readonly string[]) => Promise<readonly (Condition | undefined)[]>;

const either = (of: readonly Condition[]): Condition => (of.length === 0 ? sql`false` : sql`(${sql.join(of, sql` or `)})`);

/** A hold by search guards what it has found before, and what it finds now. */
async function held(tx: Tx, ids: readonly string[], foundByHolds: FoundByHolds): Promise<Condition> {
  const found = await foundByHolds(tx, ids);
  return either([
    isHeld(ids),
    ...found.map((one) => (one ? sql`(item.source_id, item.item_key) in (select source_id, item_key from ${one} found)` : sql`true`)),
  ]);
}

async function inCases(tx: Tx, ids: readonly string[]): Promise<Condition> {
  const rows = await tx.selectFrom('cases').select(['case_id', 'tenant_id', 'from_at', 'to_at']).where('case_id', 'in', ids).execute();
  const conditions: Condition[] = [];
  for (const { case_id: caseId, tenant_id: tenantId, from_at: from, to_at: to } of rows) {
    conditions.push(isInCase({ caseId, resourceIds: await resourceIdsOf(tx, { tenantId, caseId }), from, to }));
  }
  return either(conditions);
}

async function conditionOf(tx: Tx, field: MarkField, ids: readonly string[], foundByHolds: FoundByHolds): Promise<Condition> {
  if (ids.length === 0) return sql`false`;
  if (field === 'hold') return held(tx, ids, foundByHolds);
  if (field === 'case') return inCases(tx, ids);
  if (field === 'policy') return isUnderPolicy(ids);
  return field === 'tag' ? isTagged(ids) : isNoted(ids);
}

/** `hold:true` and `hold:false` ask for any hold at all; `hold="true"` for one of that name. */
const asksForAny = ({ field, match, text, openStart, openEnd }: MarkTerm): boolean =>
  field === 'hold' && match === 'contains' && !openStart && !openEnd && /^(?:true|false)$/iu.test(text);

/** What the marks of a query stand for, for whoever asks. Names are compared here: the database does not know words as the index does. */
export async function marksOfQuery(tx: Tx, query: Query, sight: Sight | undefined, foundByHolds: FoundByHolds): Promise<MarkConditions> {
  const known = new Map<MarkField, readonly Mark[]>();
  const conditions = new Map<string, Condition>();
  for (const term of markTerms(query)) {
    const key = keyOfMark(term);
    if (conditions.has(key)) continue;
    const marks = known.get(term.field) ?? (sight ? await namedMarks(tx, term.field, sight) : []);
    known.set(term.field, marks);
    const meant = asksForAny(term) ? marks : marks.filter(({ name }) => isTextLike(term, name));
    const condition = await conditionOf(tx, term.field, [...new Set(meant.map(({ id }) => id))], foundByHolds);
    const isNone = asksForAny(term) && term.text.toLowerCase() === 'false';
    conditions.set(key, isNone ? sql`not ${condition}` : condition);
  }
  return conditions;
}
