import type { Tx } from '@holdfast/database';
import { timeZoneOf } from '../organisations/index.ts';
import { archivedDays } from './archived-days.views.ts';
import { fileDays } from './file-days.views.ts';
import { createEnds, createPreviewSums, type PolicyTerms, type PreviewedDays, type PreviewSums } from './periods.ts';
import { mailboxView } from './policy-view.ts';
import { covers, deletesIn, maximumOf, minimumOf, type MailboxRow, type PolicyRow, type RetentionStore } from './retention.store.ts';

/** A policy beside those that matter for its preview. */
interface Previewing {
  readonly store: RetentionStore;
  readonly policy: PolicyRow;
  readonly replaced: PolicyRow | undefined;
  readonly others: readonly PolicyRow[];
  readonly timeZone: string;
  readonly holdsOnArchive: HoldsOnArchive;
}

/** The names of the holds that keep the messages of an archived mailbox. */
export type HoldsOnArchive = (tx: Tx, resourceId: string) => Promise<readonly string[]>;

const minimumsOf = (policies: readonly PolicyRow[]): PolicyTerms[] => policies.flatMap((policy) => minimumOf(policy) ?? []);

async function daysOfMailbox(tx: Tx, previewing: Previewing, id: string): Promise<PreviewedDays[]> {
  const { store, policy, replaced, others, timeZone, holdsOnArchive } = previewing;
  const isDeleted = deletesIn(policy, id);
  const isCovered = isDeleted || covers(policy, id);
  const isReplaced = replaced !== undefined && covers(replaced, id);
  if (!isCovered && !isReplaced) return [];
  const days = await archivedDays(tx, { sourceIds: await store.sources(tx, id), timeZone });
  const events = await store.eventDays(tx, id);
  const isHeld = maximumOf(policy) !== null && (await holdsOnArchive(tx, id)).length > 0;
  const concerned = { events, others: minimumsOf(others.filter((other) => covers(other, id))), isReplaced, isCovered, isDeleted, isHeld };
  return days.map((day) => ({ ...day, ...concerned }));
}

async function daysOfSite(tx: Tx, { store, policy, replaced, others, timeZone }: Previewing, id: string): Promise<PreviewedDays[]> {
  const policyIds = [policy, ...(replaced === undefined ? [] : [replaced]), ...others].map(({ policy_id }) => policy_id);
  const days = await fileDays(tx, { resourceId: id, sourceIds: await store.sources(tx, id), policyIds, timeZone });
  return days.map(({ received, events, policies, messages, bytes }) => ({
    archived: received,
    received,
    messages,
    bytes,
    events,
    others: minimumsOf(others.filter(({ policy_id }) => policies.has(policy_id))),
    isReplaced: replaced !== undefined && policies.has(replaced.policy_id),
    isCovered: policies.has(policy.policy_id),
    isDeleted: policies.has(policy.policy_id),
    // A policy on files has no maximum, for which alone holds count here.
    isHeld: false,
  }));
}

/** Counts what a policy would keep and delete if it were in force at a moment, one mailbox or site after the other. */
export async function previewPolicy(
  tx: Tx,
  { store, holdsOnArchive }: Pick<Previewing, 'store' | 'holdsOnArchive'>,
  policy: PolicyRow,
  nowMs: number,
): Promise<ReturnType<PreviewSums['result']>> {
  const replaced = policy.replaces === null ? undefined : await store.read(tx, policy.replaces);
  const timeZone = await timeZoneOf(tx);
  const others = (await store.inForce(tx, policy.tenant_id)).filter(
    ({ policy_id, about }) => about === policy.about && policy_id !== policy.policy_id && policy_id !== policy.replaces,
  );
  const previewed = {
    minimum: minimumOf(policy),
    maximum: maximumOf(policy),
    replaced: replaced === undefined ? null : minimumOf(replaced),
  };
  const sums = createPreviewSums(previewed, createEnds(timeZone), nowMs);
  const previewing = { store, policy, replaced, others, timeZone, holdsOnArchive };
  const add = (row: MailboxRow, days: readonly PreviewedDays[], isCovered: boolean): void =>
    sums.add({ mailbox: mailboxView(row), days, isCovered });
  if (policy.about === 'messages') {
    for (const row of await store.mailboxes(tx, policy.tenant_id))
      add(row, await daysOfMailbox(tx, previewing, row.resource_id), deletesIn(policy, row.resource_id) || covers(policy, row.resource_id));
  } else {
    const named = new Set([...policy.places, ...(replaced?.places ?? [])].map(({ resource_id }) => resource_id));
    for (const row of await store.sites(tx, policy.tenant_id, [...named]))
      add(
        row,
        await daysOfSite(tx, previewing, row.resource_id),
        policy.places.some(({ resource_id }) => resource_id === row.resource_id),
      );
  }
  return sums.result();
}
