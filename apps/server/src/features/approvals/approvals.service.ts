import {
  isStrictApproval,
  needsSecondPerson,
  openApprovalStatuses,
  type Approval,
  type ApprovalKind,
  type ApprovalObstacle,
  type approvals as contract,
} from '@holdfast/contract/approvals';
import type { Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import type { AuditActor, AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Caller } from '../identity/index.ts';
import { actorEntry, type Approver, type ReadApprovers } from '../organisations/index.ts';
import { approvalView, requestOf } from './approval-view.ts';
import { hasSecondPerson, LAPSE_MS, lapsesAt, mayDelay, mayRefuse, mayWithdraw, obstacleOf, secondPersons } from './approvals.policy.ts';
import type { ApprovalRow, ApprovalsStore } from './approvals.store.ts';

/** What somebody wants who can't bring it about alone. */
export interface Asked {
  readonly scope: Scope;
  readonly actor: Pick<Actor, 'accountId' | 'email'>;
  readonly tenantId: string;
  readonly kind: ApprovalKind;
  readonly subject: { readonly id: string; readonly name: string };
  readonly details: Readonly<Record<string, string | number>>;
}

/** What happens in the end, in the transaction of the decision. Both lock what they change first. */
export interface ApprovalEffects {
  /** It comes into force. False when what it was about is gone. */
  apply(
    tx: Tx,
    asked: {
      readonly scope: Scope;
      readonly subjectId: string;
      readonly details: Asked['details'];
      readonly mode: 'secondPerson' | 'delay';
      /** Who approved it; null where it came into force by itself. */
      readonly decider: string | null;
    },
  ): Promise<boolean>;
  /** It was refused, withdrawn, or nobody decided in time. */
  drop(tx: Tx, asked: { readonly scope: Scope; readonly subjectId: string } & Dropped): Promise<void>;
}

/** How a request ended without coming into force. */
export interface Dropped {
  readonly outcome: 'refused' | 'withdrawn' | 'expired';
  readonly by: string | null;
  readonly reason: string | null;
}

/** Somebody who can be told by mail. */
export type Reachable = Pick<Approver, 'email' | 'language'>;

/** Tells people by mail, in the transaction that gives the reason. */
export interface ApprovalLetters {
  asked(tx: Tx, to: readonly Reachable[], row: ApprovalRow): Promise<void>;
  delayed(tx: Tx, to: readonly Reachable[], row: ApprovalRow): Promise<void>;
  expired(tx: Tx, to: readonly Reachable[], row: ApprovalRow): Promise<void>;
}

export interface ApprovalsParts {
  readonly store: ApprovalsStore;
  /** Who may approve, and who not yet. */
  readonly approvers: ReadApprovers;
  readonly letters: ApprovalLetters;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Who decides, about which request. */
export interface Deciding {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly tenantId: string;
  readonly approvalId: string;
  readonly caller: Caller;
}

export interface Approvals {
  /** Says what becomes of requests of a kind. */
  on(kind: ApprovalKind, effects: ApprovalEffects): void;
  /** Asks for a second person; an older request about the same is superseded. */
  ask(tx: Tx, asked: Asked): Promise<void>;
  /** Nobody wants it any more, or what it was about is gone. */
  lapse(tx: Tx, about: { readonly kind: ApprovalKind; readonly subjectId: string }): Promise<void>;
  /** What is open of a kind, by what it is about. */
  open(tx: Tx, kind: ApprovalKind): Promise<ReadonlyMap<string, Asked['details']>>;
  /** The newest request about something, as a reader sees it. */
  about(
    tx: Tx,
    actor: Pick<Actor, 'accountId'>,
    about: { readonly kind: ApprovalKind; readonly subjectId: string },
  ): Promise<Approval | null>;
  list(actor: Actor, scope: Scope, tenantId: string): Promise<z.input<(typeof contract)['list']['response']>>;
  approve(deciding: Deciding): Promise<Approval>;
  refuse(deciding: Deciding & { readonly reason: string }): Promise<Approval>;
  withdraw(deciding: Deciding): Promise<Approval>;
  delay(deciding: Deciding): Promise<Approval>;
  /** Brings into force what has waited its 24 hours, and ends what nobody decided in time. Returns how many. */
  sweep(): Promise<number>;
}

const HOUR_MS = 3_600_000;
const DELAY_HOURS = 24;
const SHOWN = 200;
const BATCH = 100;

const REFUSALS = {
  tooNew: 'approvals.too-new',
  unconfirmed: 'approvals.unconfirmed',
  afterRequest: 'approvals.after-request',
  requesterGone: 'approvals.requester-gone',
  requesterYours: 'approvals.requester-yours',
} as const satisfies Record<ApprovalObstacle, string>;

type Effects = Map<ApprovalKind, ApprovalEffects>;

/** What every step does: finds the request, moves it on, notes it. */
function createSteps(parts: ApprovalsParts, effects: Effects) {
  const { store, audit, clock } = parts;

  function effectsOf(kind: ApprovalKind): ApprovalEffects {
    const found = effects.get(kind);
    if (!found) throw new Error(`Nothing is said about approvals of ${kind}.`);
    return found;
  }

  async function find(tx: Tx, { tenantId, approvalId }: Pick<Deciding, 'tenantId' | 'approvalId'>): Promise<ApprovalRow> {
    const row = await store.read(tx, approvalId);
    if (row?.tenant_id !== tenantId) throw new AppError('not-found');
    return row;
  }

  async function move(
    tx: Tx,
    row: ApprovalRow,
    change: Parameters<ApprovalsStore['move']>[3],
    from: readonly ApprovalRow['status'][] = openApprovalStatuses,
  ) {
    const moved = await store.move(tx, row.approval_id, from, change);
    if (!moved) throw new AppError('approvals.not-open');
    return moved;
  }

  async function note(tx: Tx, event: AuditEvent, actor: AuditActor, row: ApprovalRow): Promise<void> {
    await audit.record(tx, {
      event,
      actor,
      subject: { kind: row.kind, id: row.subject_id, name: row.subject_name },
      details: {
        ...(row.details as Asked['details']),
        requester: row.requester,
        mode: row.mode,
        effectiveAt: row.effective_at?.toISOString() ?? null,
      },
    });
  }

  /** Brings a request into force: first what it is about, then the request itself, so that locks are taken in one order. */
  async function enforce(
    tx: Tx,
    scope: Scope,
    row: ApprovalRow,
    by: { readonly decider: string | null; readonly mode: 'secondPerson' | 'delay'; readonly actor: AuditActor },
  ): Promise<ApprovalRow> {
    const asked = { scope, subjectId: row.subject_id, details: row.details as Asked['details'], mode: by.mode, decider: by.decider };
    const isThere = await effectsOf(row.kind).apply(tx, asked);
    const ended = { effective_at: null, decided_at: now(clock) };
    if (!isThere) return move(tx, row, { ...ended, status: 'superseded' });
    const from = by.mode === 'delay' ? (['delayed'] as const) : openApprovalStatuses;
    const moved = await move(tx, row, { ...ended, status: 'approved', decider: by.decider, mode: by.mode }, from);
    await note(tx, 'approvals.approved', by.actor, moved);
    return moved;
  }

  return { effectsOf, find, move, note, enforce };
}

function requireOwn(row: ApprovalRow, actor: Actor): void {
  if (row.requested_by !== actor.accountId) throw new AppError('approvals.not-yours');
  if (!mayWithdraw(requestOf(row), actor.accountId)) throw new AppError('approvals.not-open');
}

function requireOther(row: ApprovalRow, actor: Actor): void {
  if (row.requested_by === actor.accountId) throw new AppError('approvals.second-person-needed');
  if (!mayRefuse(requestOf(row), actor.accountId)) throw new AppError('approvals.not-open');
}

/** Decisions of people. */
function createDeciding(
  parts: ApprovalsParts,
  steps: ReturnType<typeof createSteps>,
): Pick<Approvals, 'approve' | 'refuse' | 'withdraw' | 'delay'> {
  const { store, letters, clock, approvers } = parts;
  const { effectsOf, find, move, note, enforce } = steps;

  function decide(deciding: Deciding, step: (tx: Tx, row: ApprovalRow, actor: AuditActor) => Promise<ApprovalRow>): Promise<Approval> {
    const { actor, scope } = deciding;
    return store.within(scope, async (tx) => {
      const row = await find(tx, deciding);
      const end = lapsesAt({ status: row.status, requestedAt: row.requested_at });
      // Whether or not the sweep has come by: what is too old can't be decided any more.
      if (end !== null && end <= now(clock)) throw new AppError('approvals.not-open');
      const moved = await step(tx, row, actorEntry(actor, deciding.caller));
      return approvalView(moved, actor.accountId, await approvers(tx, now(clock)), now(clock));
    });
  }

  function dropAs(tx: Tx, { scope, actor }: Deciding, row: ApprovalRow, how: Pick<Dropped, 'outcome' | 'reason'>): Promise<void> {
    return effectsOf(row.kind).drop(tx, { scope, subjectId: row.subject_id, by: actor.email, ...how });
  }

  /** The roles of the caller may be remembered for seconds; what counts here is read in the transaction of the decision. */
  async function requireSecond(tx: Tx, row: ApprovalRow, actor: Actor): Promise<void> {
    requireOther(row, actor);
    const known = await approvers(tx, now(clock));
    const approver = known.people.find(({ accountId }) => accountId === actor.accountId);
    if (!approver) throw new AppError('access-denied');
    const obstacle = obstacleOf(requestOf(row), approver, known);
    if (obstacle !== null) throw new AppError(REFUSALS[obstacle], { details: { until: approver.until?.toISOString() ?? null } });
  }

  async function requireDelay(tx: Tx, row: ApprovalRow, actor: Actor): Promise<readonly Approver[]> {
    requireOwn(row, actor);
    const at = now(clock);
    const known = await approvers(tx, at);
    if (row.status !== 'waiting') throw new AppError('approvals.not-open');
    if (needsSecondPerson(row)) throw new AppError('approvals.second-person-needed');
    if (hasSecondPerson(actor.accountId, known, at)) throw new AppError('approvals.second-person-exists');
    if (!mayDelay(requestOf(row), actor.accountId, known, at)) throw new AppError('approvals.approver-left');
    return known.people;
  }

  return {
    approve: (deciding) =>
      decide(deciding, async (tx, row, actor) => {
        await requireSecond(tx, row, deciding.actor);
        return enforce(tx, deciding.scope, row, { decider: deciding.actor.email, mode: 'secondPerson', actor });
      }),
    refuse: ({ reason: said, ...deciding }) =>
      decide(deciding, async (tx, row, actor) => {
        requireOther(row, deciding.actor);
        const reason = said === '' ? null : said;
        if (reason === null && isStrictApproval(row)) throw new AppError('approvals.reason-needed', { details: { field: 'reason' } });
        const { email: decider } = deciding.actor;
        await dropAs(tx, deciding, row, { outcome: 'refused', reason });
        const change = { status: 'refused', effective_at: null, decider, decided_at: now(clock), decision_reason: reason } as const;
        const moved = await move(tx, row, change);
        await note(tx, 'approvals.refused', actor, moved);
        return moved;
      }),
    withdraw: (deciding) =>
      decide(deciding, async (tx, row, actor) => {
        requireOwn(row, deciding.actor);
        await dropAs(tx, deciding, row, { outcome: 'withdrawn', reason: null });
        const moved = await move(tx, row, { status: 'withdrawn', effective_at: null, decided_at: now(clock) });
        await note(tx, 'approvals.withdrawn', actor, moved);
        return moved;
      }),
    delay: (deciding) =>
      decide(deciding, async (tx, row, actor) => {
        const people = await requireDelay(tx, row, deciding.actor);
        const effective = new Date(clock.nowMs() + DELAY_HOURS * HOUR_MS);
        const moved = await move(tx, row, { status: 'delayed', effective_at: effective }, ['waiting']);
        await note(tx, 'approvals.delayed', actor, moved);
        const owners = people.filter(({ role }) => role === 'owner');
        if (deciding.scope.realm === 'production') await letters.delayed(tx, owners, moved);
        return moved;
      }),
  };
}

function createAsking(
  parts: ApprovalsParts,
  steps: ReturnType<typeof createSteps>,
): Pick<Approvals, 'ask' | 'lapse' | 'open' | 'about' | 'list'> {
  const { store, letters, clock, ids, approvers } = parts;
  return {
    async ask(tx, { scope, actor, tenantId, kind, subject, details }) {
      const at = now(clock);
      await store.supersede(tx, { kind, subjectId: subject.id }, at);
      const approvalId = ids.uuid();
      await store.add(tx, {
        approval_id: approvalId,
        tenant_id: tenantId,
        kind,
        subject_id: subject.id,
        subject_name: subject.name,
        details: JSON.stringify(details),
        requested_by: actor.accountId,
        requester: actor.email,
        requested_at: at,
        decider: null,
        mode: null,
      });
      const row = await steps.find(tx, { tenantId, approvalId });
      await steps.note(tx, 'approvals.requested', { kind: 'account', id: actor.accountId, name: actor.email }, row);
      // Staging rehearses and tells nobody.
      const others = (await approvers(tx, at)).people.filter(({ accountId }) => accountId !== actor.accountId);
      if (scope.realm === 'production') await letters.asked(tx, others, row);
    },
    lapse: (tx, about) => store.supersede(tx, about, now(clock)),
    async open(tx, kind) {
      return new Map((await store.open(tx, kind)).map((row) => [row.subject_id, row.details as Asked['details']]));
    },
    async about(tx, { accountId }, about) {
      const row = await store.newest(tx, about);
      return row ? approvalView(row, accountId, await approvers(tx, now(clock)), now(clock)) : null;
    },
    list: (actor, scope, tenantId) =>
      store.within(scope, async (tx) => {
        const at = now(clock);
        const known = await approvers(tx, at);
        const emails = new Map(known.people.map(({ accountId, email }) => [accountId, email]));
        const rows = await store.list(tx, tenantId, SHOWN);
        const next = { requestedBy: actor.accountId, requestedAt: at };
        return {
          items: rows.map((row) => approvalView(row, actor.accountId, known, at)),
          secondPersons: secondPersons(next, known).map(({ email }) => email),
          approvers: known.people.map(({ email, status, until, confirmers }) => ({
            email,
            status,
            until: until?.toISOString() ?? null,
            confirmers: confirmers.map((id) => emails.get(id) ?? ''),
          })),
          delayHours: DELAY_HOURS,
          delayFrom: known.lossEndsAt?.toISOString() ?? null,
        };
      }),
  };
}

export function createApprovals(parts: ApprovalsParts): Approvals {
  const { store, clock, logger } = parts;
  const effects: Effects = new Map();
  const steps = createSteps(parts, effects);
  const system: AuditActor = { kind: 'system', name: 'approvals' };

  async function enforceDue(scope: Scope, approvalId: string): Promise<boolean> {
    return store.within(scope, async (tx) => {
      const row = await store.read(tx, approvalId);
      if (row?.status !== 'delayed') return false;
      await steps.enforce(tx, scope, row, { decider: null, mode: 'delay', actor: system });
      return true;
    });
  }

  async function expire(scope: Scope, approvalId: string): Promise<boolean> {
    return store.within(scope, async (tx) => {
      const row = await store.read(tx, approvalId);
      if (row?.status !== 'waiting') return false;
      await steps.effectsOf(row.kind).drop(tx, { scope, subjectId: row.subject_id, outcome: 'expired', by: null, reason: null });
      const moved = await steps.move(tx, row, { status: 'expired', decided_at: now(clock) }, ['waiting']);
      await steps.note(tx, 'approvals.expired', system, moved);
      const asker = (await parts.approvers(tx, now(clock))).people.filter((person) => person.accountId === row.requested_by);
      if (scope.realm === 'production') await parts.letters.expired(tx, asker, moved);
      return true;
    });
  }

  async function each(
    found: readonly { readonly scope: Scope; readonly approvalId: string }[],
    step: (scope: Scope, approvalId: string) => Promise<boolean>,
  ): Promise<number> {
    let done = 0;
    for (const { scope, approvalId } of found) {
      try {
        if (await step(scope, approvalId)) done += 1;
      } catch (error) {
        // Somebody was faster: another scheduler, or the one who withdrew it.
        if (!isAppError(error, 'approvals.not-open'))
          logger.warn({ err: error, approvalId }, 'an approval could not be brought to its end');
      }
    }
    return done;
  }

  return Object.freeze<Approvals>({
    on(kind, what) {
      effects.set(kind, what);
    },
    ...createAsking(parts, steps),
    ...createDeciding(parts, steps),
    async sweep() {
      const since = new Date(clock.nowMs() - LAPSE_MS);
      return (await each(await store.due(now(clock), BATCH), enforceDue)) + (await each(await store.waitingSince(since, BATCH), expire));
    },
  });
}
