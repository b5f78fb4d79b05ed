import type { Tx } from '@holdfast/database';
import { timeZoneOf } from '../organisations/index.ts';
import { daysOfMessages } from './archived-days.views.ts';
import { isDeleting } from './halts.service.ts';
import { createEnds } from './periods.ts';
import { covers, maximumOf, type RetentionStore } from './retention.store.ts';

/** The policies that delete an archived message, the first that does first; without a moment while a period waits for an event. */
export type DeletedBy = (
  tx: Tx,
  message: { readonly resourceId: string; readonly messageId: string },
) => Promise<readonly { readonly name: string; readonly from: Date | null }[]>;

export function createDeletedBy(store: RetentionStore): DeletedBy {
  return async (tx, { resourceId, messageId }) => {
    const known = await store.keptOf(tx, resourceId);
    if (known?.about !== 'messages') return [];
    const policies = (await store.inForce(tx, known.tenantId)).filter((policy) => isDeleting(policy) && covers(policy, resourceId));
    if (policies.length === 0) return [];
    const timeZone = await timeZoneOf(tx);
    const [days] = await daysOfMessages(tx, { sourceIds: await store.sources(tx, resourceId), messageIds: [messageId], timeZone });
    if (!days) return [];
    const events = await store.eventDays(tx, resourceId);
    const endOf = createEnds(timeZone);
    return policies
      .flatMap((policy) => maximumOf(policy) ?? [])
      .map((maximum) => ({ name: maximum.name, end: endOf(maximum, days, events) }))
      .sort((a, b) => (a.end === b.end ? a.name.localeCompare(b.name) : a.end - b.end))
      .map(({ name, end }) => ({ name, from: Number.isFinite(end) ? new Date(end) : null }));
  };
}
