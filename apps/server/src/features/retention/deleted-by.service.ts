import type { Tx } from '@holdfast/database';
import { timeZoneOf } from '../organisations/index.ts';
import { daysOfMessages } from './archived-days.views.ts';
import { isDeleting } from './halts.service.ts';
import { movedAway, movedTo } from './dispositions.store.ts';
import type { MaximumsParts } from './maximums.service.ts';
import { createEnds } from './periods.ts';
import { deletesIn, hasLabels, isSearched, maximumOf, type PolicyRow } from './policy-row.ts';
import { searchedItems, searchedToDelete } from './searched.store.ts';

/** The policies that delete an archived message, the first that does first; without a moment while a period waits for an event. `isReviewed`: not before reviewers have said so. */
export type DeletedBy = (
  tx: Tx,
  message: { readonly resourceId: string; readonly messageId: string },
) => Promise<readonly { readonly name: string; readonly from: Date | null; readonly isReviewed: boolean }[]>;

export function createDeletedBy({ store, recognisesScans }: MaximumsParts): DeletedBy {
  return async (tx, { resourceId, messageId }) => {
    const known = await store.keptOf(tx, resourceId);
    if (known?.about !== 'messages') return [];
    const moved = new Set((await movedTo(tx, { resourceId, messageIds: [messageId] })).map(({ policyId }) => policyId));
    const under = (await store.inForce(tx, known.tenantId)).filter(
      (policy) => isDeleting(policy) && (deletesIn(policy, resourceId) || moved.has(policy.policy_id)),
    );
    const policies: PolicyRow[] = [];
    for (const policy of under) {
      const away = await movedAway(tx, { policyId: policy.policy_id, resourceId, messageIds: [messageId] });
      const wanted = { policies: [policy], resourceIds: [resourceId], recognisesScans };
      const isFound = !isSearched(policy) || moved.has(policy.policy_id) || (await searchedToDelete(tx, wanted, [messageId])).size > 0;
      if (away.size === 0 && isFound) policies.push(policy);
    }
    if (policies.length === 0) return [];
    const timeZone = await timeZoneOf(tx);
    const searched = await searchedItems(tx, { policies: policies.filter(hasLabels), resourceIds: [resourceId], recognisesScans });
    const sourceIds = await store.sources(tx, resourceId);
    const [days] = await daysOfMessages(tx, { sourceIds, messageIds: [messageId], timeZone, searched });
    if (!days) return [];
    const events = await store.eventDays(tx, resourceId);
    const endOf = createEnds(timeZone);
    return policies
      .flatMap((policy) => {
        const maximum = maximumOf(policy);
        return maximum === null ? [] : [{ name: policy.name, end: endOf(maximum, days, events), isReviewed: policy.stages.length > 0 }];
      })
      .sort((a, b) => (a.end === b.end ? a.name.localeCompare(b.name) : a.end - b.end))
      .map(({ end, ...policy }) => ({ ...policy, from: Number.isFinite(end) ? new Date(end) : null }));
  };
}
