import type { DeletionBody, DeletionDetails, ErasureBody, MessageDeletion, Tombstone } from '@holdfast/contract/deletions';
import type { Page } from '@holdfast/contract/paging';
import type { Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { windowOf } from '../../http/paging.ts';
import { queueUnplanned, type RunsStore } from '../../runs/index.ts';
import type { Approvals } from '../approvals/index.ts';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Asking } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import type { DueMessages } from '../retention/index.ts';
import { readSelection } from '../search/index.ts';
import { stateOf, type DeletionRow, type DeletionsStore } from './deletions.store.ts';
import { deletionDetails, deletionsPage, tombstonesPage } from './deletions.views.ts';
import type { DeletionKeepers } from './keepers.ts';
import { freezeBackups, freezeList, freezeResources } from './freeze-list.store.ts';
import { changedSince } from './listed-messages.store.ts';
import { personOf, type Person } from './person.views.ts';
import { previewList } from './preview.service.ts';

/** Who asks, where. */
export interface DeletionAsking extends Asking {
  readonly tenantId: string;
}

export interface DeletionsParts {
  readonly store: DeletionsStore;
  readonly keepers: DeletionKeepers;
  readonly dueMessages: Pick<DueMessages, 'stop'>;
  readonly approvals: Pick<Approvals, 'ask' | 'about' | 'lapse'>;
  readonly runs: Pick<RunsStore, 'enqueue' | 'requestCancel'>;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Enters an erasure into the register of requests, in the transaction that drafts it. */
  readonly erasureDrafted: (tx: Tx, asking: DeletionAsking, drafted: DraftedErasure) => Promise<void>;
}

/** An erasure of a person, and when they asked for it. */
export interface DraftedErasure {
  readonly deletionId: string;
  readonly person: Person;
  readonly reason: string;
  readonly receivedOn?: string | undefined;
}

interface ListQuery {
  readonly state?: string | undefined;
  readonly deletionId?: string | undefined;
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Deletion of messages and files: drafted and asked for by one person, approved by another, stopped by either. */
export interface DeletionsService {
  list(asking: DeletionAsking, query: ListQuery): Promise<Page<MessageDeletion>>;
  get(asking: DeletionAsking, deletionId: string): Promise<DeletionDetails>;
  create(asking: DeletionAsking, body: DeletionBody): Promise<DeletionDetails>;
  /** Drafts the erasure of everything that is kept of somebody. */
  createForPerson(asking: DeletionAsking, body: ErasureBody): Promise<DeletionDetails>;
  preview(asking: DeletionAsking, deletionId: string): Promise<DeletionDetails>;
  request(asking: DeletionAsking, deletionId: string): Promise<DeletionDetails>;
  stop(asking: DeletionAsking, deletionId: string): Promise<DeletionDetails>;
  resume(asking: DeletionAsking, deletionId: string): Promise<DeletionDetails>;
  remove(asking: DeletionAsking, deletionId: string): Promise<void>;
  tombstones(asking: DeletionAsking, query: ListQuery): Promise<Page<Tombstone>>;
  /** Starts what has waited its day, and looks again at what vaults still store. Answers whether there was something to start. */
  startDue(scope: Scope, deletionId: string): Promise<boolean>;
}

/** A look a little later than a day after the one before: what was marked then can be swept. */
const NEXT_SWEEP_MS = 25 * 3_600_000;
const KIND = 'messageDeletion';

/** What nobody has decided about, and nothing has run of. */
export const undecided = { approver: null, rejection: null, returned: null, returned_by: null, run_id: null, remains: null };

type DraftEvent = Extract<AuditEvent, `deletions.${string}`>;

/** Steps that everything about a deletion shares: finding it, showing it, noting what was done. */
export function createDeletionSteps({ store, audit, approvals, runs }: Pick<DeletionsParts, 'store' | 'audit' | 'approvals' | 'runs'>) {
  async function find(tx: Tx, { tenantId }: Pick<DeletionAsking, 'tenantId'>, deletionId: string): Promise<DeletionRow> {
    const row = await store.read(tx, deletionId, { tenantId, isLocked: true });
    if (!row) throw new AppError('not-found');
    return row;
  }
  return {
    find,
    async findDraft(tx: Tx, asking: DeletionAsking, deletionId: string): Promise<DeletionRow> {
      const row = await find(tx, asking, deletionId);
      if (row.state !== 'draft') throw new AppError('deletions.not-draft');
      return row;
    },
    async shown(tx: Tx, { tenantId, actor }: DeletionAsking, deletionId: string): Promise<DeletionDetails> {
      const details = await deletionDetails(tx, { tenantId, deletionId });
      if (!details) throw new AppError('not-found');
      return { ...details, approval: await approvals.about(tx, actor, { kind: KIND, subjectId: deletionId }) };
    },
    async note(tx: Tx, { actor, caller }: DeletionAsking, event: DraftEvent, details: DeletionDetails): Promise<void> {
      const { deletionId: id, query, basis, listed, kept, reason } = details;
      await audit.record(tx, {
        event,
        actor: actorEntry(actor, caller),
        subject: { kind: 'messageDeletion', id, name: query },
        reason,
        details: { basis, messages: listed.messages, size: listed.bytes, kept: kept.messages },
      });
    },
    queue(tx: Tx, scope: Scope, row: DeletionRow, startedBy: string | null): Promise<string> {
      const { deletion_id: deletionId, query, tenant_id: tenantId, requester_id: onBehalfOf } = row;
      const body = { type: 'erasure', name: 'Deletion', schedule: { mode: 'disabled' }, deletionId } as const;
      const by = { trigger: startedBy === null ? 'schedule' : 'manual', startedBy: startedBy ?? row.requester, onBehalfOf } as const;
      return queueUnplanned(runs, tx, scope, tenantId, body, by, query.slice(0, 100));
    },
  };
}
export type DeletionSteps = ReturnType<typeof createDeletionSteps>;

/** What a draft is of: a selection, in the archive alone or everywhere, or everything of a person. */
type DraftOf = Pick<DeletionBody, 'basis' | 'reason'> &
  ({ readonly selectionId: string; readonly isEverywhere: boolean } | { readonly person: Person });

/** A list as it is frozen: how it is called, and how many chosen items it leaves out. */
interface Frozen {
  readonly query: string;
  readonly notListed: number;
}

/** Makes a draft, and the list that it is. */
function createDrafts({ store, keepers, clock, ids }: DeletionsParts, steps: DeletionSteps) {
  async function freezeChosen(
    tx: Tx,
    { tenantId, actor }: DeletionAsking,
    { deletionId, selectionId, isEverywhere }: { deletionId: string; selectionId: string; isEverywhere: boolean },
  ): Promise<Frozen> {
    const selection = await readSelection(tx, tenantId, selectionId);
    if (selection?.ownerId !== actor.accountId) throw new AppError('search.selection-unknown', { details: { field: 'selectionId' } });
    const inArchive = await freezeList(tx, { deletionId, selectionId });
    const matched = isEverywhere ? await freezeBackups(tx, { deletionId, selectionId }) : inArchive;
    if (matched === 0) throw new AppError(isEverywhere ? 'deletions.nothing-kept' : 'deletions.nothing-archived');
    return { query: selection.query, notListed: Math.max(0, selection.items - matched) };
  }

  async function freezePerson(tx: Tx, deletionId: string, { name, resourceIds }: Person): Promise<Frozen> {
    if ((await freezeResources(tx, { deletionId, resourceIds })) === 0) throw new AppError('deletions.nothing-kept');
    return { query: name, notListed: 0 };
  }

  return async (tx: Tx, asking: DeletionAsking, of: DraftOf): Promise<DeletionDetails> => {
    const { tenantId, actor } = asking;
    const at = now(clock);
    const deletionId = ids.uuid();
    const person = 'person' in of ? of.person : null;
    const isEverywhere = 'person' in of || of.isEverywhere;
    const people = { requester_id: actor.accountId, requester: actor.email };
    const empty = { ...undecided, policy_id: null };
    const row = { deletion_id: deletionId, tenant_id: tenantId, state: 'draft', basis: of.basis, reason: of.reason, query: '' } as const;
    const whose = { person_id: person?.personId ?? null, person_name: person?.name ?? null, person_address: person?.address ?? null };
    const when = { created_at: at, previewed_at: at };
    await store.add(tx, { ...row, ...people, ...whose, ...empty, ...when, is_everywhere: isEverywhere, not_archived: 0 });
    const { query, notListed } =
      'person' in of ? await freezePerson(tx, deletionId, of.person) : await freezeChosen(tx, asking, { ...of, deletionId });
    await store.change(tx, deletionId, { query, not_archived: notListed });
    await previewList(tx, keepers, deletionId);
    const details = await steps.shown(tx, asking, deletionId);
    await steps.note(tx, asking, 'deletions.drafted', details);
    return details;
  };
}

/** A draft: its list, its previews, the request, its end. */
function createDrafting(
  parts: DeletionsParts,
  steps: DeletionSteps,
): Pick<DeletionsService, 'create' | 'createForPerson' | 'preview' | 'request' | 'remove'> {
  const { store, keepers, approvals, clock } = parts;
  const draft = createDrafts(parts, steps);
  return {
    create: (asking, { everywhere: isEverywhere, ...body }) =>
      store.within(asking.scope, (tx) => draft(tx, asking, { ...body, isEverywhere })),
    createForPerson: (asking, { resourceId, reason, receivedOn }) =>
      store.within(asking.scope, async (tx) => {
        const person = await personOf(tx, asking.tenantId, resourceId);
        if (!person) throw new AppError('not-found');
        const details = await draft(tx, asking, { person, basis: 'erasure', reason });
        await parts.erasureDrafted(tx, asking, { deletionId: details.deletionId, person, reason, receivedOn });
        return details;
      }),
    preview: (asking, deletionId) =>
      store.within(asking.scope, async (tx) => {
        await steps.findDraft(tx, asking, deletionId);
        await previewList(tx, keepers, deletionId);
        await store.change(tx, deletionId, { previewed_at: now(clock), returned: null, returned_by: null });
        return steps.shown(tx, asking, deletionId);
      }),
    request: (asking, deletionId) =>
      store.within(asking.scope, async (tx) => {
        const { actor, scope, tenantId } = asking;
        await steps.findDraft(tx, asking, deletionId);
        if ((await changedSince(tx, deletionId)) > 0) throw new AppError('deletions.list-changed');
        const { query, basis, reason, listed, kept, keepers: keeping, mailboxes } = await steps.shown(tx, asking, deletionId);
        const messages = listed.messages - kept.messages;
        const by = keeping.map(({ name }) => name).join(', ');
        if (messages <= 0) throw new AppError('deletions.all-kept', { details: { by } });
        // Whoever asks is the requester, whoever drafted it: nobody approves what they have asked for.
        const people = { requester_id: actor.accountId, requester: actor.email };
        await store.change(tx, deletionId, { state: 'waiting', asked_at: now(clock), returned: null, returned_by: null, ...people });
        await approvals.ask(tx, {
          actor,
          scope,
          tenantId,
          kind: KIND,
          subject: { id: deletionId, name: query },
          details: { messages, size: listed.bytes - kept.bytes, kept: kept.messages, by, mailboxes: mailboxes.length, basis, reason },
        });
        const details = await steps.shown(tx, asking, deletionId);
        await steps.note(tx, asking, 'deletions.requested', details);
        return details;
      }),
    remove: (asking, deletionId) =>
      store.within(asking.scope, async (tx) => {
        await steps.findDraft(tx, asking, deletionId);
        await steps.note(tx, asking, 'deletions.removed', await steps.shown(tx, asking, deletionId));
        await store.remove(tx, deletionId);
      }),
  };
}

/** What happens after the approval. */
function createRunning(parts: DeletionsParts, steps: DeletionSteps): Pick<DeletionsService, 'stop' | 'resume' | 'startDue'> {
  const { store, runs, clock, dueMessages } = parts;

  /** The policy that has listed it stops too, for it would list the same again; what waits becomes a draft with that. Policies are locked before their deletions. */
  async function stopWithPolicy(tx: Tx, { actor, tenantId }: DeletionAsking, deletionId: string): Promise<boolean> {
    const row = await store.read(tx, deletionId, { tenantId });
    if (!row?.policy_id || !['approved', 'running'].includes(row.state)) return false;
    return (await dueMessages.stop(tx, row.policy_id, actor.email)) && row.state === 'approved';
  }

  async function stopAlone(tx: Tx, asking: DeletionAsking, deletionId: string): Promise<void> {
    const row = await steps.find(tx, asking, deletionId);
    if (row.state === 'approved') {
      const back = { state: 'draft', returned: 'stopped', returned_by: asking.actor.email, due_at: null } as const;
      await store.change(tx, deletionId, { ...back, approver: null, decided_at: null, policy_id: null });
    } else if (row.state !== 'running' || row.run_id === null || !(await runs.requestCancel(tx, asking.scope, row.run_id))) {
      throw new AppError('deletions.not-stoppable');
    }
  }

  return {
    stop: (asking, deletionId) =>
      store.within(asking.scope, async (tx) => {
        if (!(await stopWithPolicy(tx, asking, deletionId))) await stopAlone(tx, asking, deletionId);
        const details = await steps.shown(tx, asking, deletionId);
        await steps.note(tx, asking, 'deletions.stopped', details);
        return details;
      }),
    resume: (asking, deletionId) =>
      store.within(asking.scope, async (tx) => {
        const row = await steps.find(tx, asking, deletionId);
        if (stateOf(row) !== 'failed') throw new AppError('deletions.not-resumable');
        await store.change(tx, deletionId, { run_id: await steps.queue(tx, asking.scope, row, asking.actor.email) });
        const details = await steps.shown(tx, asking, deletionId);
        await steps.note(tx, asking, 'deletions.resumed', details);
        return details;
      }),
    startDue: (scope, deletionId) =>
      store.within(scope, async (tx) => {
        const row = await store.read(tx, deletionId, { isLocked: true });
        const at = now(clock);
        if (row?.state === 'approved' && row.due_at !== null && row.due_at <= at) {
          await store.change(tx, deletionId, { state: 'running', run_id: await steps.queue(tx, scope, row, null), started_at: at });
          return true;
        }
        if (row?.state !== 'finished' || row.sweep_at === null || row.sweep_at > at) return false;
        await store.change(tx, deletionId, { sweep_at: new Date(at.getTime() + NEXT_SWEEP_MS) });
        await steps.queue(tx, scope, row, null);
        return true;
      }),
  };
}

export function createDeletionsService(parts: DeletionsParts): DeletionsService {
  const { store } = parts;
  const steps = createDeletionSteps(parts);
  return Object.freeze<DeletionsService>({
    ...createDrafting(parts, steps),
    ...createRunning(parts, steps),
    list: ({ scope, tenantId }, { state, search, sort, ...paging }) =>
      store.within(scope, (tx) => deletionsPage(tx, { tenantId, state, search, isOldestFirst: sort === 'createdAt' }, windowOf(paging))),
    get: (asking, deletionId) => store.within(asking.scope, (tx) => steps.shown(tx, asking, deletionId)),
    tombstones: ({ scope, tenantId }, { deletionId, search, ...paging }) =>
      store.within(scope, (tx) => tombstonesPage(tx, { tenantId, deletionId, search }, windowOf(paging))),
  });
}
