import { quarantineHours } from '@holdfast/contract/deletions';
import type { Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { AuditInbox } from '../audit/index.ts';
import type { DueMessages } from '../retention/index.ts';
import { undecided } from './deletions.service.ts';
import type { DeletionsStore } from './deletions.store.ts';
import { listIn } from './freeze-list.store.ts';
import { keepersOf, type ArchiveKeepers } from './keepers.ts';

export interface PolicyListsParts {
  readonly store: DeletionsStore;
  readonly keepers: ArchiveKeepers;
  readonly dueMessages: Pick<DueMessages, 'take' | 'lookAgain' | 'pages' | 'review'>;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Lists of what is past the maximums of policies. */
export interface PolicyLists {
  /** Lists what a policy has to delete and nothing keeps: it waits a day from now. Answers how many messages that are. */
  look(scope: Scope, policyId: string): Promise<number>;
  /** A policy deletes nothing any longer: what it has listed becomes a draft. */
  halted(tx: Tx, halt: { readonly policyId: string; readonly by: string | null }): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** A day after a look there is something new to find. */
const NEXT_LOOK_MS = 24 * HOUR_MS;
/** What is listed has to go first. */
const PENDING_LOOK_MS = HOUR_MS;
/** No page of messages is added to a list that has so many: people have to look at it. The rest is listed when it has gone. */
const LIST_MAX = 100_000;

type Parts = PolicyListsParts;
type Policy = NonNullable<Awaited<ReturnType<DueMessages['take']>>>;

/** Writes an approved deletion in the names of the two people who have brought the policy into force. */
async function open(tx: Tx, { store, clock, ids }: Parts, policy: Policy): Promise<string> {
  const at = now(clock);
  const deletionId = ids.uuid();
  const { policyId, tenantId, name, requesterId, requester, approver, approvedAt } = policy;
  await store.add(tx, {
    ...undecided,
    deletion_id: deletionId,
    tenant_id: tenantId,
    policy_id: policyId,
    state: 'approved',
    basis: 'expiry',
    reason: name,
    query: name,
    requester_id: requesterId,
    requester,
    approver,
    decided_at: approvedAt,
    not_archived: 0,
    created_at: at,
    previewed_at: at,
    due_at: new Date(at.getTime() + quarantineHours * HOUR_MS),
  });
  return deletionId;
}

/** How many messages a look has listed, and whether it came to the end of what is past the maximum. */
interface Filled {
  readonly listed: number;
  readonly isWhole: boolean;
}

/** Lists what nothing keeps and no reviewer has to be asked about any more, up to the longest list. */
async function fill(tx: Tx, { keepers, dueMessages, clock }: Parts, policyId: string, deletionId: string): Promise<Filled> {
  const at = now(clock);
  let listed = 0;
  let reviewed = 0;
  for await (const { resourceId, messageIds } of dueMessages.pages(tx, policyId)) {
    const kept = await keepersOf(keepers, tx, { resourceId, messageIds });
    const free = messageIds.filter((key) => !kept.has(key));
    const { going: asked, opened } = await dueMessages.review(tx, policyId, { resourceId, messageIds: free }, at);
    listed += (await listIn(tx, deletionId, resourceId, [...asked])).size;
    reviewed += opened;
    if (listed + reviewed >= LIST_MAX) break;
  }
  return { listed, isWhole: listed + reviewed < LIST_MAX };
}

export function createPolicyLists(parts: PolicyListsParts): PolicyLists {
  const { store, dueMessages, audit, clock } = parts;
  return Object.freeze<PolicyLists>({
    look: (scope, policyId) =>
      store.within(scope, async (tx) => {
        const at = now(clock);
        const policy = await dueMessages.take(tx, policyId, at);
        if (!policy) return 0;
        const lookIn = (ms: number): Promise<void> => dueMessages.lookAgain(tx, policyId, new Date(at.getTime() + ms));
        if (await store.hasPending(tx, policyId)) {
          await lookIn(PENDING_LOOK_MS);
          return 0;
        }
        const deletionId = await open(tx, parts, policy);
        const { listed: messages, isWhole } = await fill(tx, parts, policyId, deletionId);
        await lookIn(isWhole ? NEXT_LOOK_MS : PENDING_LOOK_MS);
        if (messages === 0) {
          await store.remove(tx, deletionId);
          return 0;
        }
        await audit.record(tx, {
          event: 'deletions.listed',
          actor: { kind: 'worker', name: 'worker' },
          subject: { kind: 'messageDeletion', id: deletionId, name: policy.name },
          details: { messages, basis: 'expiry', requester: policy.requester, approver: policy.approver },
        });
        return messages;
      }),
    halted: (tx, { policyId, by }) => store.withdraw(tx, policyId, { returned: by === null ? 'policyEnded' : 'stopped', by }),
  });
}
