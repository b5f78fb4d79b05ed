import type { Tx } from '@holdfast/database';
import { timeZoneOf } from '../organisations/index.ts';
import { archivedDays } from './archived-days.views.ts';
import { fileDays } from './file-days.views.ts';
import { createEnds, createPreviewSums, type PreviewedDays, type PreviewSums } from './periods.ts';
import { mailboxView } from './policy-view.ts';
import { covers, termsOf, type MailboxRow, type PolicyRow, type RetentionStore } from './retention.store.ts';

/** A policy beside those that matter for its preview. */
interface Previewing {
  readonly store: RetentionStore;
  readonly policy: PolicyRow;
  readonly replaced: PolicyRow | undefined;
  readonly others: readonly PolicyRow[];
  readonly timeZone: string;
}

async function daysOfMailbox(tx: Tx, { store, policy, replaced, others, timeZone }: Previewing, id: string): Promise<PreviewedDays[]> {
  const isCovered = covers(policy, id);
  const isReplaced = replaced !== undefined && covers(replaced, id);
  if (!isCovered && !isReplaced) return [];
  const days = await archivedDays(tx, { sourceIds: await store.sources(tx, id), timeZone });
  const events = await store.eventDays(tx, id);
  const concerned = { events, others: others.filter((other) => covers(other, id)).map(termsOf), isReplaced, isCovered };
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
    others: others.filter(({ policy_id }) => policies.has(policy_id)).map(termsOf),
    isReplaced: replaced !== undefined && policies.has(replaced.policy_id),
    isCovered: policies.has(policy.policy_id),
  }));
}

/** Counts what a policy would keep if it were in force at a moment, one mailbox or site after the other. */
export async function previewPolicy(
  tx: Tx,
  store: RetentionStore,
  policy: PolicyRow,
  nowMs: number,
): Promise<ReturnType<PreviewSums['result']>> {
  const replaced = policy.replaces === null ? undefined : await store.read(tx, policy.replaces);
  const timeZone = await timeZoneOf(tx);
  const others = (await store.inForce(tx, policy.tenant_id)).filter(
    ({ policy_id, about }) => about === policy.about && policy_id !== policy.policy_id && policy_id !== policy.replaces,
  );
  const previewed = { terms: termsOf(policy), replaced: replaced === undefined ? null : termsOf(replaced) };
  const sums = createPreviewSums(previewed, createEnds(timeZone), nowMs);
  const previewing = { store, policy, replaced, others, timeZone };
  const add = (row: MailboxRow, days: readonly PreviewedDays[], isCovered: boolean): void =>
    sums.add({ mailbox: mailboxView(row), days, isCovered });
  if (policy.about === 'messages') {
    for (const row of await store.mailboxes(tx, policy.tenant_id))
      add(row, await daysOfMailbox(tx, previewing, row.resource_id), covers(policy, row.resource_id));
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
