import type { Tx } from '@holdfast/database';
import { timeZoneOf } from '../organisations/index.ts';
import { archivedDays } from './archived-days.views.ts';
import { fileDays } from './file-days.views.ts';
import { createEnds, createPreviewSums, type PolicyTerms, type PreviewedDays, type PreviewSums } from './periods.ts';
import { mailboxView } from './policy-view.ts';
import { searchedItems } from './searched.store.ts';
import { covers, deletesIn, isSearched, maximumOf, minimumOf, type MailboxRow, type PolicyRow } from './policy-row.ts';
import type { RetentionStore } from './retention.store.ts';

/** A policy beside those that matter for its preview. */
interface Previewing {
  readonly store: RetentionStore;
  readonly policy: PolicyRow;
  readonly replaced: PolicyRow | undefined;
  readonly others: readonly PolicyRow[];
  readonly timeZone: string;
  readonly holdsOnArchive: HoldsOnArchive;
  /** Whether scans are read: one that waits may be what a search will find. */
  readonly recognisesScans: boolean;
}

/** The names of the holds that keep the messages of an archived mailbox. */
export type HoldsOnArchive = (tx: Tx, resourceId: string) => Promise<readonly string[]>;

const minimumsOf = (policies: readonly PolicyRow[]): PolicyTerms[] => policies.flatMap((policy) => minimumOf(policy) ?? []);

/** All of the policies that the preview has to do with. */
const concerning = ({ policy, replaced, others }: Previewing): PolicyRow[] => [
  policy,
  ...(replaced === undefined ? [] : [replaced]),
  ...others,
];

async function daysOfMailbox(tx: Tx, previewing: Previewing, id: string): Promise<PreviewedDays[]> {
  const { store, policy, replaced, others, timeZone, holdsOnArchive } = previewing;
  const isDeleted = deletesIn(policy, id);
  const isCovered = isDeleted || covers(policy, id);
  const isReplaced = replaced !== undefined && covers(replaced, id);
  if (!isCovered && !isReplaced) return [];
  const searched = await searchedItems(tx, {
    policies: concerning(previewing),
    resourceIds: [id],
    recognisesScans: previewing.recognisesScans,
  });
  const days = await archivedDays(tx, { sourceIds: await store.sources(tx, id), timeZone, searched });
  const events = await store.eventDays(tx, id);
  const isHeld = maximumOf(policy) !== null && (await holdsOnArchive(tx, id)).length > 0;
  const covering = others.filter((other) => covers(other, id));
  return days.map((day) => {
    const isOn = (one: PolicyRow): boolean => !isSearched(one) || day.keeping.has(one.policy_id);
    const deletes = isDeleted && (!isSearched(policy) || day.deleting.has(policy.policy_id));
    return {
      ...day,
      events,
      others: minimumsOf(covering.filter(isOn)),
      isReplaced: isReplaced && isOn(replaced),
      isCovered: isCovered && (deletes || (minimumOf(policy) !== null && isOn(policy))),
      isDeleted: deletes,
      isHeld,
    };
  });
}

async function daysOfSite(tx: Tx, previewing: Previewing, id: string): Promise<PreviewedDays[]> {
  const { store, policy, replaced, others, timeZone, recognisesScans } = previewing;
  const policies = concerning(previewing);
  const policyIds = policies.map(({ policy_id }) => policy_id);
  const searched = await searchedItems(tx, { policies, resourceIds: [id], recognisesScans });
  const days = await fileDays(tx, { resourceId: id, sourceIds: await store.sources(tx, id), policyIds, timeZone, searched });
  return days.map(({ received, labelled, events, policies, messages, bytes }) => ({
    archived: received,
    received,
    labelled,
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
  parts: Pick<Previewing, 'store' | 'holdsOnArchive' | 'recognisesScans'>,
  policy: PolicyRow,
  nowMs: number,
): Promise<ReturnType<PreviewSums['result']>> {
  const { store } = parts;
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
  const previewing = { ...parts, policy, replaced, others, timeZone };
  // Of what a search may be on anywhere, only those are listed where it is.
  const add = (row: MailboxRow, days: readonly PreviewedDays[], isCovered: boolean): void =>
    sums.add({ mailbox: mailboxView(row), days, isCovered: isSearched(policy) ? days.some((day) => day.isCovered) : isCovered });
  if (policy.about === 'messages') {
    for (const row of await store.mailboxes(tx, policy.tenant_id))
      add(row, await daysOfMailbox(tx, previewing, row.resource_id), deletesIn(policy, row.resource_id) || covers(policy, row.resource_id));
  } else {
    const named = new Set([...policy.places, ...(replaced?.places ?? [])].map(({ resource_id }) => resource_id));
    const isAnywhere = [policy, replaced].some((one) => one !== undefined && isSearched(one));
    for (const row of await store.sites(tx, policy.tenant_id, isAnywhere ? undefined : [...named]))
      add(
        row,
        await daysOfSite(tx, previewing, row.resource_id),
        policy.places.some(({ resource_id }) => resource_id === row.resource_id),
      );
  }
  return sums.result();
}
