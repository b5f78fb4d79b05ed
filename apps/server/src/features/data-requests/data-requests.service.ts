import type {
  DataRequest,
  DataRequestAnswer,
  DataRequestBody,
  DataRequestDetails,
  DataRequestItem,
} from '@holdfast/contract/data-requests';
import { reminderDays } from '@holdfast/contract/data-requests';
import { printQuery } from '@holdfast/contract/query/print';
import type { Page } from '@holdfast/contract/paging';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { windowOf } from '../../http/paging.ts';
import type { AuditEvent, AuditInbox, AuditValue } from '../audit/index.ts';
import { unlimitedReach, type ContentAccess } from '../content-access/index.ts';
import { mentionsOf, personOf, type Person } from '../deletions/index.ts';
import type { Asking } from '../identity/index.ts';
import { actorEntry, timeZoneOf } from '../organisations/index.ts';
import { coverageOf, searchPlaceOf } from '../search/index.ts';
import {
  addRequest,
  changeRequest,
  collectItems,
  countAll,
  markItems,
  readRequest,
  takeDue,
  type RequestRow,
  type Wanted,
} from './data-requests.store.ts';
import { itemsPage, requestDetails, requestsPage } from './data-requests.views.ts';
import { dayOf, lastDay } from './request-clock.ts';

/** Who asks, where. */
export interface RequestAsking extends Asking {
  readonly tenantId: string;
}

export interface DataRequestsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly contentAccess: Pick<ContentAccess, 'searchable'>;
  /** Mails that an answer is due, in the transaction that notes it. */
  readonly remind: (tx: Tx, scope: Scope, due: { readonly tenant: string; readonly dueOn: string }) => Promise<void>;
}

interface ListQuery {
  readonly kind?: string | undefined;
  readonly state?: 'open' | 'answered' | undefined;
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface ItemsQuery {
  readonly part?: string | undefined;
  readonly leftOut?: 'true' | 'false' | undefined;
  readonly resourceId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** An erasure of a person as its deletion was drafted. */
export interface DraftedErasure {
  readonly deletionId: string;
  readonly person: Person;
  readonly reason: string;
  /** Today when absent. */
  readonly receivedOn?: string | undefined;
}

/** Requests of people about their own data. */
export interface DataRequestsService {
  list(asking: RequestAsking, query: ListQuery): Promise<Page<DataRequest>>;
  get(asking: RequestAsking, requestId: string): Promise<DataRequestDetails>;
  create(asking: RequestAsking, body: DataRequestBody): Promise<DataRequestDetails>;
  collect(asking: RequestAsking, requestId: string): Promise<DataRequestDetails>;
  extend(asking: RequestAsking, requestId: string, reason: string): Promise<DataRequestDetails>;
  items(asking: RequestAsking, requestId: string, query: ItemsQuery): Promise<Page<DataRequestItem>>;
  leaveOut(asking: RequestAsking, requestId: string, positions: readonly number[], reason: string): Promise<DataRequestDetails>;
  putBack(asking: RequestAsking, requestId: string, positions: readonly number[]): Promise<DataRequestDetails>;
  answer(asking: RequestAsking, requestId: string, body: DataRequestAnswer): Promise<DataRequestDetails>;
  /** Enters an erasure into the register, in the transaction that drafts its deletion. */
  erasureDrafted(tx: Tx, asking: RequestAsking, drafted: DraftedErasure): Promise<void>;
  /** Reminds of requests whose time is about to end. */
  remind(scope: Scope): Promise<void>;
}

interface Told {
  readonly event: AuditEvent & `data-requests.${string}`;
  readonly requestId: string;
  readonly name: string;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, AuditValue>>;
}

function createSteps({ database, clock, audit }: Pick<DataRequestsParts, 'database' | 'clock' | 'audit'>) {
  const today = async (tx: Tx): Promise<string> => dayOf(now(clock), await timeZoneOf(tx));
  return {
    within: <T>({ scope }: RequestAsking, work: (tx: Tx) => Promise<T>): Promise<T> => database.within(scope, work),
    today,
    async find(tx: Tx, { tenantId }: RequestAsking, requestId: string): Promise<RequestRow> {
      const row = await readRequest(tx, { tenantId, requestId });
      if (!row) throw new AppError('not-found');
      return row;
    },
    /** Locked for a change. What was answered stays as it was. */
    async findOpen(tx: Tx, { tenantId }: RequestAsking, requestId: string): Promise<RequestRow> {
      const row = await readRequest(tx, { tenantId, requestId }, true);
      if (!row) throw new AppError('not-found');
      if (row.outcome !== null) throw new AppError('data-requests.answered');
      return row;
    },
    async shown(tx: Tx, { tenantId }: RequestAsking, requestId: string): Promise<DataRequestDetails> {
      const details = await requestDetails(tx, { tenantId, requestId }, await today(tx));
      if (!details) throw new AppError('not-found');
      return details;
    },
    note: (tx: Tx, { actor, caller }: RequestAsking, { event, requestId, name, reason, details }: Told): Promise<void> =>
      audit.record(tx, {
        event,
        actor: actorEntry(actor, caller),
        subject: { kind: 'dataRequest', id: requestId, name },
        ...(reason === undefined ? {} : { reason }),
        ...(details === undefined ? {} : { details }),
      }),
    async refuseFuture(tx: Tx, day: string, field: string): Promise<void> {
      if (day > (await today(tx))) throw new AppError('data-requests.in-future', { details: { field } });
    },
  };
}
type Steps = ReturnType<typeof createSteps>;

/** Finds everything about a person under the rights of whoever collects it, and counts what is out of their reach. */
function createCollecting({ clock, contentAccess }: DataRequestsParts, steps: Steps) {
  async function wantedOf(tx: Tx, tenantId: string, person: Person): Promise<Wanted & { readonly query: string }> {
    const mentions = mentionsOf(person);
    const place = { tenantId, reach: unlimitedReach };
    const own = await searchPlaceOf(tx, clock, { ...place, query: { kind: 'everything' } });
    const within = { resourceIds: person.resourceIds, from: null, to: null };
    const mention = mentions && { ...(await searchPlaceOf(tx, clock, { ...place, query: mentions })), besides: person.resourceIds };
    const whose = `mailbox:"${(person.address || person.name).replaceAll('"', '')}"`;
    return { own: { ...own, within }, mention, query: mentions ? `${whose} OR ${printQuery(mentions)}` : whose };
  }

  return async (tx: Tx, asking: RequestAsking, requestId: string, personId: string): Promise<void> => {
    const { tenantId } = asking;
    const reach = await contentAccess.searchable(tx, asking);
    const person = await personOf(tx, tenantId, personId);
    if (!person) throw new AppError('not-found');
    const { query, ...wanted } = await wantedOf(tx, tenantId, person);
    const items = await collectItems(tx, requestId, wanted, reach);
    const all = await countAll(tx, wanted, unlimitedReach);
    const coverage = await coverageOf(tx, { tenantId, reach: unlimitedReach });
    const notReached = all - items;
    await changeRequest(tx, requestId, {
      collected_at: now(clock),
      query,
      coverage: JSON.stringify(coverage),
      not_reached: notReached,
      not_searched: coverage.items - coverage.searched,
    });
    const details = { query, hits: items, notReached, resourceIds: [...person.resourceIds] };
    await steps.note(tx, asking, { event: 'data-requests.collected', requestId, name: person.name, details });
  };
}

interface NewRequest {
  readonly kind: 'access' | 'erasure';
  readonly person: Person;
  readonly note: string;
  readonly receivedOn: string;
  readonly deletionId: string | null;
}

/** Enters a request into the register. */
function createRegistering({ clock, ids }: DataRequestsParts, steps: Steps) {
  return async (tx: Tx, asking: RequestAsking, { kind, person, note, receivedOn, deletionId }: NewRequest): Promise<string> => {
    await steps.refuseFuture(tx, receivedOn, 'receivedOn');
    const requestId = ids.uuid();
    const dueOn = lastDay(receivedOn, false);
    await addRequest(tx, {
      request_id: requestId,
      tenant_id: asking.tenantId,
      kind,
      person_id: person.personId,
      person_name: person.name,
      person_address: person.address,
      note,
      received_on: receivedOn,
      due_on: dueOn,
      registered_by: asking.actor.email,
      registered_at: now(clock),
      deletion_id: deletionId,
    });
    const details = { kind, receivedOn, dueOn };
    await steps.note(tx, asking, { event: 'data-requests.registered', requestId, name: person.name, reason: note, details });
    return requestId;
  };
}

/** What is found, and what of it is left out. */
function createChoosing(parts: DataRequestsParts, steps: Steps): Pick<DataRequestsService, 'items' | 'leaveOut' | 'putBack'> {
  async function mark(
    asking: RequestAsking,
    requestId: string,
    positions: readonly number[],
    reason: string | null,
  ): Promise<DataRequestDetails> {
    return steps.within(asking, async (tx) => {
      const row = await steps.findOpen(tx, asking, requestId);
      const wanted = [...new Set(positions)];
      const marked = await markItems(tx, requestId, wanted, reason === null ? null : { reason, by: asking.actor.email });
      if (marked < wanted.length) throw new AppError('data-requests.item-unknown', { details: { field: 'positions' } });
      await steps.note(tx, asking, {
        event: reason === null ? 'data-requests.put-back' : 'data-requests.left-out',
        requestId,
        name: row.person_name,
        ...(reason === null ? {} : { reason }),
        details: { items: marked, positions: wanted.map(String) },
      });
      return steps.shown(tx, asking, requestId);
    });
  }
  return {
    items: (asking, requestId, query) =>
      steps.within(asking, async (tx) => {
        const row = await steps.find(tx, asking, requestId);
        const reach = await parts.contentAccess.searchable(tx, asking);
        const page = await itemsPage(tx, { requestId, ...query }, reach, windowOf(query));
        const details = { hits: page.items.length };
        await steps.note(tx, asking, { event: 'data-requests.listed', requestId, name: row.person_name, details });
        return page;
      }),
    leaveOut: (asking, requestId, positions, reason) => mark(asking, requestId, positions, reason),
    putBack: (asking, requestId, positions) => mark(asking, requestId, positions, null),
  };
}

/** The time to answer, and the answer. */
function createAnswering({ clock }: DataRequestsParts, steps: Steps): Pick<DataRequestsService, 'extend' | 'answer'> {
  return {
    extend: (asking, requestId, reason) =>
      steps.within(asking, async (tx) => {
        const row = await steps.findOpen(tx, asking, requestId);
        if (row.extended_at !== null) throw new AppError('data-requests.extended');
        if ((await steps.today(tx)) > row.due_on) throw new AppError('data-requests.too-late');
        const dueOn = lastDay(row.received_on, true);
        const change = { due_on: dueOn, extension: reason, extended_by: asking.actor.email, extended_at: now(clock) };
        await changeRequest(tx, requestId, change);
        const details = { before: row.due_on, dueOn };
        await steps.note(tx, asking, { event: 'data-requests.extended', requestId, name: row.person_name, reason, details });
        return steps.shown(tx, asking, requestId);
      }),
    answer: (asking, requestId, { outcome, how, answeredOn }) =>
      steps.within(asking, async (tx) => {
        const row = await steps.findOpen(tx, asking, requestId);
        await steps.refuseFuture(tx, answeredOn, 'answeredOn');
        if (answeredOn < row.received_on) throw new AppError('data-requests.before-receipt', { details: { field: 'answeredOn' } });
        await changeRequest(tx, requestId, { outcome, how, answered_on: answeredOn, answered_by: asking.actor.email });
        const details = { outcome, answeredOn, dueOn: row.due_on };
        await steps.note(tx, asking, { event: 'data-requests.answered', requestId, name: row.person_name, reason: how, details });
        return steps.shown(tx, asking, requestId);
      }),
  };
}

export function createDataRequestsService(parts: DataRequestsParts): DataRequestsService {
  const { database, clock } = parts;
  const steps = createSteps(parts);
  const collect = createCollecting(parts, steps);
  const register = createRegistering(parts, steps);
  return Object.freeze<DataRequestsService>({
    ...createChoosing(parts, steps),
    ...createAnswering(parts, steps),
    list: (asking, { sort, kind, state, search, ...paging }) =>
      steps.within(asking, async (tx) =>
        requestsPage(tx, { tenantId: asking.tenantId, kind, state, search }, { today: await steps.today(tx), sort }, windowOf(paging)),
      ),
    get: (asking, requestId) => steps.within(asking, (tx) => steps.shown(tx, asking, requestId)),
    create: (asking, { resourceId, receivedOn, note }) =>
      steps.within(asking, async (tx) => {
        const person = await personOf(tx, asking.tenantId, resourceId);
        if (!person) throw new AppError('not-found');
        const requestId = await register(tx, asking, { kind: 'access', person, note, receivedOn, deletionId: null });
        await collect(tx, asking, requestId, resourceId);
        return steps.shown(tx, asking, requestId);
      }),
    collect: (asking, requestId) =>
      steps.within(asking, async (tx) => {
        const row = await steps.findOpen(tx, asking, requestId);
        if (row.kind !== 'access') throw new AppError('data-requests.not-access');
        await collect(tx, asking, requestId, row.person_id);
        return steps.shown(tx, asking, requestId);
      }),
    async erasureDrafted(tx, asking, { deletionId, person, reason, receivedOn }) {
      const day = receivedOn ?? (await steps.today(tx));
      await register(tx, asking, { kind: 'erasure', person, note: reason, receivedOn: day, deletionId });
    },
    remind: (scope) =>
      database.within(scope, async (tx) => {
        const until = Temporal.PlainDate.from(dayOf(now(clock), await timeZoneOf(tx)))
          .add({ days: reminderDays })
          .toString();
        for (const due of await takeDue(tx, until)) await parts.remind(tx, scope, due);
      }),
  });
}
