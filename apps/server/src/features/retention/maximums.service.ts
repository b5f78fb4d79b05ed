import type { Tx } from '@holdfast/database';
import { localDay } from '@holdfast/engine';
import { databaseNow } from '../../platform/database-now.views.ts';
import { timeZoneOf } from '../organisations/index.ts';
import { archivedDays, daysOfMessages, type ArchivedWanted } from './archived-days.views.ts';
import { movedAfter, movedAway, movedTo, openItems, saidToGo } from './dispositions.store.ts';
import { isDeleting } from './halts.service.ts';
import type { KeptMessages, MinimumsOptions } from './minimums.service.ts';
import { createEnds, type Days } from './periods.ts';
import { deletesIn, hasLabels, isSearched, maximumOf, type PolicyRow } from './policy-row.ts';
import type { RetentionStore } from './retention.store.ts';
import { searchedItems, searchedToDelete } from './searched.store.ts';

/** A policy that deletes, and the two people who have brought it into force. */
export interface DeletingPolicy {
  readonly policyId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly requesterId: string;
  readonly requester: string;
  readonly approver: string;
  readonly approvedAt: Date;
}

/** Messages of an archive that are past the maximum of a policy. Whether something keeps them is not said. */
export interface PastMaximum {
  readonly resourceId: string;
  readonly messageIds: readonly string[];
}

/** What is past the maximums of the policies in force. */
export interface Maximums {
  /** Policies to look at, wherever they belong. */
  toLookAt: RetentionStore['toLookAt'];
  /** Takes the look at a policy: nobody else does until the transaction has ended, and no policy changes. Undefined for one that deletes nothing now. */
  take(tx: Tx, policyId: string, at: Date): Promise<DeletingPolicy | undefined>;
  /** When to look again. */
  lookAgain(tx: Tx, policyId: string, at: Date): Promise<void>;
  /** Everything that is past the maximum of a policy by the clock of the database, some messages at a time. */
  pages(tx: Tx, policyId: string): AsyncGenerator<PastMaximum, void, undefined>;
  /**
   * Of messages past a maximum that nothing keeps those that go: all of them, or where reviewers are asked those of which the last
   * stage has said so. The others are put before the first stage; `opened` says how many.
   */
  review(tx: Tx, policyId: string, past: PastMaximum, at: Date): Promise<{ readonly going: ReadonlySet<string>; readonly opened: number }>;
  /** Of some messages of a mailbox those that a policy deletes by the clock of the database or an earlier time. No policy can change before the transaction has ended. */
  among(tx: Tx, policyId: string, messages: KeptMessages): Promise<ReadonlySet<string>>;
}

const PAGE = 1_000;

/** What maximums depend on. */
export interface MaximumsParts extends MinimumsOptions {
  readonly store: RetentionStore;
}

interface Judged {
  readonly policy: PolicyRow;
  readonly resourceId: string;
  readonly nowMs: number;
}

/** Whether messages of an archive that came on some days are past the maximum of a policy at a moment. */
async function judge(tx: Tx, { store, recognisesScans }: MaximumsParts, { policy, resourceId, nowMs }: Judged) {
  const maximum = maximumOf(policy);
  const timeZone = await timeZoneOf(tx);
  const events = await store.eventDays(tx, resourceId);
  // Only of labels the index knows a day to count from.
  const searched = hasLabels(policy)
    ? await searchedItems(tx, { policies: [policy], resourceIds: [resourceId], recognisesScans })
    : undefined;
  const dated: ArchivedWanted = { sourceIds: await store.sources(tx, resourceId), timeZone, searched };
  const endOf = createEnds(timeZone);
  return { dated, isPast: (days: Days): boolean => maximum !== null && endOf(maximum, days, events) <= nowMs };
}

/** Messages that a policy is on in one archive, in the order of their keys: all of them, or those that reviewers brought under it. */
function keysAfter(
  tx: Tx,
  store: RetentionStore,
  { policy, resourceId }: Pick<Judged, 'policy' | 'resourceId'>,
  after: string,
): Promise<readonly string[]> {
  if (deletesIn(policy, resourceId)) return store.messagesAfter(tx, resourceId, { after, limit: PAGE });
  return movedAfter(tx, { policyId: policy.policy_id, resourceId }, { after, limit: PAGE });
}

/**
 * Says of messages of an archive, all or some of them, whether a policy may delete them: all where it is on everything of the archive, those
 * that its search certainly finds where it goes by one, and always those that reviewers have brought under it.
 */
async function underIn(
  tx: Tx,
  { recognisesScans }: MaximumsParts,
  { policy, resourceId, messageIds }: Pick<Judged, 'policy' | 'resourceId'> & { readonly messageIds?: readonly string[] },
): Promise<(messageId: string) => boolean> {
  const isWhole = deletesIn(policy, resourceId);
  if (isWhole && !isSearched(policy)) return () => true;
  const moved = (await movedTo(tx, { resourceId, ...(messageIds === undefined ? {} : { messageIds }) }))
    .filter(({ policyId }) => policyId === policy.policy_id)
    .map(({ messageId }) => messageId);
  const wanted = { policies: [policy], resourceIds: [resourceId], recognisesScans };
  const found = isWhole ? await searchedToDelete(tx, wanted, messageIds) : [];
  const under = new Set([...moved, ...found]);
  return (messageId) => under.has(messageId);
}

async function* pagesOf(tx: Tx, parts: MaximumsParts, policy: PolicyRow): AsyncGenerator<PastMaximum, void, undefined> {
  const { store } = parts;
  const nowMs = await databaseNow(tx);
  for (const { resource_id: resourceId } of await store.mailboxes(tx, policy.tenant_id)) {
    const isOn =
      deletesIn(policy, resourceId) ||
      (await movedAfter(tx, { policyId: policy.policy_id, resourceId }, { after: '', limit: 1 })).length > 0;
    if (!isOn) continue;
    const { dated, isPast } = await judge(tx, parts, { policy, resourceId, nowMs });
    // Most mailboxes have nothing that old.
    if (!(await archivedDays(tx, dated)).some(isPast)) continue;
    const isUnder = await underIn(tx, parts, { policy, resourceId });
    for (let after = ''; ;) {
      const keys = await keysAfter(tx, store, { policy, resourceId }, after);
      const last = keys.at(-1);
      if (last === undefined) break;
      const days = await daysOfMessages(tx, { ...dated, messageIds: keys });
      const messageIds = days.filter((day) => isPast(day) && isUnder(day.messageId)).map(({ messageId }) => messageId);
      if (messageIds.length > 0) yield { resourceId, messageIds };
      after = last;
    }
  }
}

/** Of messages past the maximum of a policy those that nobody has to be asked about any more. */
async function mayGo(tx: Tx, policy: PolicyRow, past: PastMaximum & { readonly policyId: string }): Promise<ReadonlySet<string>> {
  if (policy.stages.length > 0) return saidToGo(tx, past);
  const away = await movedAway(tx, past);
  return new Set(past.messageIds.filter((id) => !away.has(id)));
}

export function createMaximums(parts: MaximumsParts): Maximums {
  const { store } = parts;
  return Object.freeze<Maximums>({
    toLookAt: (at, limit) => store.toLookAt(at, limit),
    async take(tx, policyId, at) {
      await store.lock(tx, 'obeying');
      if (!(await store.takeLook(tx, policyId, at))) return undefined;
      const row = await store.read(tx, policyId);
      if (!isDeleting(row) || row.asked_by === null || row.asker === null || row.approver === null || row.activated_at === null)
        return undefined;
      return {
        policyId,
        tenantId: row.tenant_id,
        name: row.name,
        requesterId: row.asked_by,
        requester: row.asker,
        approver: row.approver,
        approvedAt: row.activated_at,
      };
    },
    lookAgain: (tx, policyId, at) => store.change(tx, policyId, { look_at: at }),
    async *pages(tx, policyId) {
      const policy = await store.read(tx, policyId);
      if (isDeleting(policy)) yield* pagesOf(tx, parts, policy);
    },
    async among(tx, policyId, { resourceId, messageIds, latestMs = Infinity }) {
      await store.lock(tx, 'obeying');
      const policy = await store.read(tx, policyId);
      if (!isDeleting(policy)) return new Set();
      const isUnder = await underIn(tx, parts, { policy, resourceId, messageIds });
      const under = messageIds.filter(isUnder);
      const nowMs = Math.min(latestMs, await databaseNow(tx));
      const { dated, isPast } = await judge(tx, parts, { policy, resourceId, nowMs });
      const days = await daysOfMessages(tx, { ...dated, messageIds: under });
      const past = days.filter(isPast).map(({ messageId }) => messageId);
      return mayGo(tx, policy, { policyId, resourceId, messageIds: past });
    },
    async review(tx, policyId, { resourceId, messageIds }, at) {
      const policy = await store.read(tx, policyId);
      if (!isDeleting(policy)) return { going: new Set(), opened: 0 };
      const past = { policyId, resourceId, messageIds };
      const going = await mayGo(tx, policy, past);
      if (policy.stages.length === 0) return { going, opened: 0 };
      const opened = await openItems(tx, past, { at, today: localDay(await databaseNow(tx), await timeZoneOf(tx)) });
      const first = Math.min(policy.remind_at?.getTime() ?? Infinity, at.getTime());
      if (opened > 0) await store.change(tx, policyId, { remind_at: new Date(first) });
      return { going, opened };
    },
  });
}
