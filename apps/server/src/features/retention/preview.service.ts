import type { Tx } from '@holdfast/database';
import { timeZoneOf } from '../organisations/index.ts';
import { archivedDays } from './archived-days.views.ts';
import { createEnds, createPreviewSums, type PreviewSums } from './periods.ts';
import { mailboxView } from './policy-view.ts';
import { covers, termsOf, type PolicyRow, type RetentionStore } from './retention.store.ts';

/** Counts what a policy would keep if it were in force at a moment, one mailbox after the other. */
export async function previewPolicy(
  tx: Tx,
  store: RetentionStore,
  policy: PolicyRow,
  nowMs: number,
): Promise<ReturnType<PreviewSums['result']>> {
  const replaced = policy.replaces === null ? undefined : await store.read(tx, policy.replaces);
  const timeZone = await timeZoneOf(tx);
  const endOf = createEnds(timeZone);
  const others = (await store.inForce(tx, policy.tenant_id)).filter(
    ({ policy_id }) => policy_id !== policy.policy_id && policy_id !== policy.replaces,
  );
  const previewed = { terms: termsOf(policy), replaced: replaced === undefined ? null : termsOf(replaced) };
  const sums = createPreviewSums(previewed, endOf, nowMs);
  for (const mailbox of await store.mailboxes(tx, policy.tenant_id)) {
    const { resource_id: id } = mailbox;
    const isCovered = covers(policy, id);
    const isReplaced = replaced !== undefined && covers(replaced, id);
    if (!isCovered && !isReplaced) continue;
    sums.add({
      mailbox: mailboxView(mailbox),
      days: await archivedDays(tx, { sourceIds: await store.sources(tx, id), timeZone }),
      events: await store.eventDays(tx, id),
      others: others.filter((other) => covers(other, id)).map(termsOf),
      isReplaced,
      isCovered,
    });
  }
  return sums.result();
}
