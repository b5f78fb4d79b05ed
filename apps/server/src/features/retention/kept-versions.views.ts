import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { everBelow } from '../../storage/index.ts';
import { timeZoneOf } from '../organisations/index.ts';
import { createEnds, type EndOf, type PolicyTerms } from './periods.ts';
import { isSearched, minimumOf, type PolicyRow } from './policy-row.ts';
import { policiesInForce, sitesOf } from './retention.store.ts';
import { searchedItems } from './searched.store.ts';

/** A version of a file in a query: where it is, and when it was written. */
export interface VersionColumns {
  readonly sourceId: RawBuilder<unknown>;
  readonly itemKey: RawBuilder<unknown>;
  readonly modifiedAt: RawBuilder<unknown>;
}

/** Whether a policy in force keeps a version, as a condition of a query. */
export type IsKept = (version: VersionColumns) => RawBuilder<boolean>;

/** No period is longer, its year's end included. */
const LONGEST_YEARS = 102;

/** The first day whose versions are still kept: periods of later days end later. */
function firstKeptDay(policy: PolicyTerms, endOf: EndOf, nowMs: number): string {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO('UTC').toPlainDate().add({ days: 1 });
  let over = today.subtract({ years: LONGEST_YEARS });
  let kept = today;
  while (over.until(kept).total('days') > 1) {
    const middle = over.add({ days: Math.floor(over.until(kept).total('days') / 2) });
    const day = middle.toString();
    if (endOf(policy, { archived: day, received: day, labelled: new Map() }, new Map()) > nowMs) kept = middle;
    else over = middle;
  }
  return kept.toString();
}

/**
 * Places of a policy and everything that ever was in them; an empty key stands for everything of a source. Of one by search what this finds, and
 * what nobody knows of yet: scans that wait may be read one day.
 */
async function itemsOf(tx: Tx, policy: PolicyRow): Promise<RawBuilder<unknown>> {
  if (isSearched(policy)) {
    const resourceIds = (await sitesOf(tx, policy.tenant_id)).map(({ resource_id }) => resource_id);
    const searched = await searchedItems(tx, { policies: [policy], resourceIds, recognisesScans: true });
    return sql`(select source_id, item_key from ${searched} searched where not deletes)`;
  }
  return sql`(select source_id, item_key from ${everBelow(sql`
    select source.source_id, place.policy_id, place.item_key from retention_policy_places place
    join catalog_sources source using (organisation_id, realm, resource_id) where place.policy_id = ${policy.policy_id}`)} scoped)`;
}

/**
 * What the policies in force of a tenant keep of the versions in Microsoft 365, for whoever is about to have them deleted there. What a policy
 * keeps from an event on is kept until the policy ends: an event can still be recorded for part of it.
 */
export async function keptVersions(tx: Tx, tenantId: string, nowMs: number): Promise<IsKept> {
  const policies = (await policiesInForce(tx, tenantId)).filter(({ about }) => about === 'files');
  if (policies.length === 0) return () => sql<boolean>`false`;
  const timeZone = await timeZoneOf(tx);
  const endOf = createEnds(timeZone);
  const rules: { readonly items: RawBuilder<unknown>; readonly first: string | null }[] = [];
  for (const policy of policies) {
    const minimum = minimumOf(policy);
    if (minimum === null) continue;
    // A day of labelling may come after that of the change, and that of a version in Microsoft 365 is not known.
    const first = policy.anchor === 'received' ? firstKeptDay(minimum, endOf, nowMs) : null;
    rules.push({ items: await itemsOf(tx, policy), first });
  }
  return ({ sourceId, itemKey, modifiedAt }) => {
    const each = rules.map(({ items, first }) => {
      const isIn = sql`((${sourceId}, '') in ${items} or (${sourceId}, ${itemKey}) in ${items})`;
      if (first === null) return isIn;
      return sql`(${isIn} and coalesce((${modifiedAt} at time zone ${timeZone}::text)::date >= ${first}::date, true))`;
    });
    return sql<boolean>`(${sql.join(each, sql` or `)})`;
  };
}
