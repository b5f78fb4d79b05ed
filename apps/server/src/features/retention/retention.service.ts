import type {
  retention,
  Policy,
  PolicyPreview,
  RetentionEvent,
  RetentionEventBody,
  RetentionEventsBody,
} from '@holdfast/contract/retention';
import type { PolicyBody, PolicyDraftBody } from '@holdfast/contract/retention-terms';
import type { QueryOf, ResponseOf } from '@holdfast/contract/route';
import type { Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Actor } from '../../access/actor.ts';
import type { Approvals } from '../approvals/index.ts';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import { itemsOf } from '../holds/index.ts';
import { foundLabels } from '../search/index.ts';
import { chosenLabels } from './policy-labels.service.ts';
import { countedSearch, countSearch } from './policy-searches.service.ts';
import type { Caller } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { eventView, isInForce, loggedTerms, policyView, statusOf, validUntil } from './policy-view.ts';
import { askForRead, isDirectoryRead } from './directory.store.ts';
import { deedsPage } from './deeds.views.ts';
import type { Halts } from './halts.service.ts';
import { previewPolicy, type HoldsOnArchive } from './preview.service.ts';
import { hasSearch, isOnEverything, isOutdated, type PolicyRow } from './policy-row.ts';
import type { PolicyScope, RetentionStore } from './retention.store.ts';
import { startedOnFiles } from './started.views.ts';

/** Who asks, where. */
export interface RetentionAsking {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly tenantId: string;
  readonly caller: Caller;
}

export interface RetentionParts {
  readonly store: RetentionStore;
  readonly audit: AuditInbox;
  readonly approvals: Pick<Approvals, 'ask'>;
  readonly holdsOnArchive: HoldsOnArchive;
  readonly halts: Pick<Halts, 'stop'>;
  readonly recognisesScans: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Retention policies: drafted, previewed and stopped by one person, brought into force and ended by two. */
export interface RetentionService {
  list(asking: RetentionAsking): Promise<{ items: Policy[] }>;
  get(asking: RetentionAsking, policyId: string): Promise<Policy>;
  create(asking: RetentionAsking, body: PolicyDraftBody): Promise<Policy>;
  update(asking: RetentionAsking, policyId: string, body: PolicyBody): Promise<Policy>;
  remove(asking: RetentionAsking, policyId: string): Promise<void>;
  preview(asking: RetentionAsking, policyId: string): Promise<PolicyPreview>;
  /** Asks a second person to put a draft into force. */
  activate(asking: RetentionAsking, policyId: string): Promise<Policy>;
  /** Stops the deletions of a policy at once: nothing is lost by that, so that one person does. */
  stop(asking: RetentionAsking, policyId: string): Promise<Policy>;
  /** Asks a second person to end a policy. It lasts until that is decided. */
  end(asking: RetentionAsking, policyId: string, reason: string): Promise<Policy>;
  events(asking: RetentionAsking): Promise<{ items: RetentionEvent[] }>;
  /** The sensitivity labels that mails and files carry, for scopes. */
  labels(asking: RetentionAsking): Promise<ResponseOf<typeof retention.labels>>;
  /** Lists previews, approvals and events. */
  deeds(asking: RetentionAsking, query: QueryOf<typeof retention.deeds>): Promise<ResponseOf<typeof retention.deeds>>;
  recordEvent(asking: RetentionAsking, body: RetentionEventBody): Promise<RetentionEvent>;
  /** Records all of them or none. */
  recordEvents(asking: RetentionAsking, body: RetentionEventsBody): Promise<{ recorded: number }>;
}

function columnsOf({
  name,
  about,
  anchor,
  eventKind,
  length,
  maximum,
  stages,
  start,
  fiscalYearEnd,
  mailboxes,
  attributes,
  searchId,
  labels,
}: PolicyBody) {
  return {
    name,
    about,
    anchor,
    event_kind: eventKind,
    amount: length?.amount ?? null,
    unit: length?.unit ?? null,
    maximum_amount: maximum?.amount ?? null,
    maximum_unit: maximum?.unit ?? null,
    stages: JSON.stringify(stages.map(({ reviewers }) => [...new Set(reviewers)])),
    starts: start,
    fiscal_year_end: fiscalYearEnd,
    is_everything: isOnEverything({ about, mailboxes, attributes, searchId, labels }),
    attributes: JSON.stringify(attributes.map(({ attribute, values }) => ({ attribute, values: [...new Set(values)] }))),
    // What was seen of other terms says nothing about these.
    previewed_at: null,
    previewer: null,
    preview: null,
  };
}

/** What every step does: finds the policy, checks the body, writes the log. */
function createRows({ store, audit, clock }: RetentionParts) {
  async function find(tx: Tx, { tenantId }: Pick<RetentionAsking, 'tenantId'>, policyId: string): Promise<PolicyRow> {
    const row = await store.read(tx, policyId);
    if (row?.tenant_id !== tenantId) throw new AppError('not-found');
    return row;
  }

  async function findDraft(tx: Tx, asking: RetentionAsking, policyId: string): Promise<PolicyRow> {
    const row = await find(tx, asking, policyId);
    if (statusOf(row) !== 'draft') throw new AppError('retention.not-draft');
    return row;
  }

  async function note(tx: Tx, { actor, caller }: RetentionAsking, event: AuditEvent, row: PolicyRow): Promise<void> {
    const policy = policyView(row);
    await audit.record(tx, {
      event,
      actor: actorEntry(actor, caller),
      subject: { kind: 'policy', id: policy.policyId, name: policy.name },
      details: loggedTerms(policy),
    });
  }

  /** The mailboxes that a body names. One without an archive would be kept by nobody. */
  async function mailboxIdsOf(tx: Tx, tenantId: string, { mailboxes }: PolicyBody): Promise<string[]> {
    const wanted = [...new Set(mailboxes)];
    const found = wanted.length === 0 ? [] : await store.mailboxes(tx, tenantId, wanted);
    if (found.length !== wanted.length) throw new AppError('retention.mailbox-unknown', { details: { field: 'mailboxes' } });
    return wanted;
  }

  /** The sites, files and folders that a body names, as they are called now. One that no restore point has would be kept by nobody. */
  async function placesOf(tx: Tx, tenantId: string, { about, anchor, places }: PolicyBody) {
    // Restore points are deleted by rules: the first one that had a version of a file does not stay to tell its day.
    if (about === 'files' && anchor === 'archived') throw new AppError('retention.no-archiving-day', { details: { field: 'anchor' } });
    const found: PolicyScope['places'][number][] = [];
    for (const [resourceId, named] of Map.groupBy(places, (place) => place.resourceId)) {
      const keys = [...new Set(named.map(({ nodeId }) => nodeId ?? ''))];
      found.push(...(await knownPlaces(store, tx, { tenantId, resourceId, keys, field: 'places' })));
    }
    return found;
  }

  /** Nobody else could decide: the list of what waits is for owners and administrators. */
  async function requireReviewers(tx: Tx, { stages }: PolicyBody): Promise<void> {
    const named = [...new Set(stages.flatMap(({ reviewers }) => reviewers))];
    const found = await store.mayReview(tx, named, now(clock));
    if (found.size !== named.length) throw new AppError('retention.reviewer-unknown', { details: { field: 'stages' } });
  }

  async function scopeOf(tx: Tx, tenantId: string, body: PolicyBody): Promise<PolicyScope> {
    await requireReviewers(tx, body);
    return {
      mailboxIds: await mailboxIdsOf(tx, tenantId, body),
      places: await placesOf(tx, tenantId, body),
      labels: await chosenLabels(tx, tenantId, body.labels),
      ...(body.searchId === null ? {} : { search: await countedSearch(tx, tenantId, body.searchId) }),
    };
  }

  async function requireName(tx: Tx, tenantId: string, policy: { policyId: string; name: string; replaces: string | null }): Promise<void> {
    if (await store.isNameTaken(tx, tenantId, policy)) throw new AppError('retention.name-taken', { details: { field: 'name' } });
  }

  /** Rules about the directory can't be drafted unread for long: it is read soon, and nothing is counted before. */
  async function readSoon(tx: Tx, tenantId: string, { attributes }: PolicyBody): Promise<void> {
    if (attributes.length > 0 && !(await isDirectoryRead(tx, tenantId))) await askForRead(tx, tenantId, now(clock));
  }

  return { find, findDraft, note, scopeOf, requireName, readSoon };
}

type Rows = ReturnType<typeof createRows>;

/** What another policy is in place of: one in force, on the same, so that its preview counts what would be kept for a shorter time. */
function requireReplaceable(replaced: PolicyRow, { about }: PolicyBody): void {
  if (!isInForce(replaced)) throw new AppError('retention.not-active');
  if (replaced.about !== about) throw new AppError('retention.other-subject', { details: { field: 'about' } });
}

/** Files and folders of a site or drive under the names they have; an empty key names all of it. */
async function knownPlaces(
  store: RetentionStore,
  tx: Tx,
  { tenantId, resourceId, keys, field }: { tenantId: string; resourceId: string; keys: readonly string[]; field: string },
): Promise<PolicyScope['places'][number][]> {
  const isThere = (await store.sites(tx, tenantId, [resourceId])).length > 0;
  const items = isThere ? await itemsOf(tx, resourceId, keys) : [];
  const whole = isThere && keys.includes('') ? [{ item_key: '', name: '', is_container: true }] : [];
  const found = [...whole, ...items];
  if (found.length !== keys.length) throw new AppError('retention.place-unknown', { details: { field } });
  return found.map((place) => ({ resource_id: resourceId, ...place }));
}

function createDrafting(
  { store, clock, ids }: RetentionParts,
  { find, findDraft, note, scopeOf, requireName, readSoon }: Rows,
): Pick<RetentionService, 'create' | 'update' | 'remove'> {
  return {
    create: (asking, body) =>
      store.within(asking.scope, async (tx) => {
        const { actor, tenantId } = asking;
        const { replaces, name } = body;
        const policyId = ids.uuid();
        await store.lock(tx, 'changing');
        if (replaces !== null) requireReplaceable(await find(tx, asking, replaces), body);
        await requireName(tx, tenantId, { policyId, name, replaces });
        const made = { created_by: actor.accountId, creator: actor.email, created_at: now(clock), end_reason: null };
        const named = await scopeOf(tx, tenantId, body);
        await readSoon(tx, tenantId, body);
        await store.add(tx, { policy_id: policyId, tenant_id: tenantId, replaces, ...columnsOf(body), ...made }, named);
        const row = await find(tx, asking, policyId);
        await note(tx, asking, 'retention.drafted', row);
        return policyView(row);
      }),
    update: (asking, policyId, body) =>
      store.within(asking.scope, async (tx) => {
        await store.lock(tx, 'changing');
        const { replaces } = await findDraft(tx, asking, policyId);
        if (replaces !== null) requireReplaceable(await find(tx, asking, replaces), body);
        await requireName(tx, asking.tenantId, { policyId, name: body.name, replaces });
        const named = await scopeOf(tx, asking.tenantId, body);
        await readSoon(tx, asking.tenantId, body);
        await store.change(tx, policyId, columnsOf(body));
        await store.rename(tx, policyId, named);
        const row = await find(tx, asking, policyId);
        await note(tx, asking, 'retention.changed', row);
        return policyView(row);
      }),
    remove: (asking, policyId) =>
      store.within(asking.scope, async (tx) => {
        await store.lock(tx, 'changing');
        const row = await findDraft(tx, asking, policyId);
        await note(tx, asking, 'retention.draft-removed', row);
        await store.removeDraft(tx, policyId);
      }),
  };
}

/** Before the first look at the directory it says nothing of anybody. */
async function requireRead(tx: Tx, { attributes, tenant_id: tenantId }: PolicyRow): Promise<void> {
  if (attributes.length > 0 && !(await isDirectoryRead(tx, tenantId))) throw new AppError('retention.directory-unread');
}

function createDeciding(
  parts: RetentionParts,
  { find, findDraft, note }: Rows,
): Pick<RetentionService, 'preview' | 'activate' | 'stop' | 'end'> {
  const { store, approvals, clock } = parts;
  return {
    preview: (asking, policyId) =>
      store.within(asking.scope, async (tx) => {
        const at = now(clock);
        const row = await find(tx, asking, policyId);
        await requireRead(tx, row);
        if (statusOf(row) === 'draft' && hasSearch(row)) await store.change(tx, policyId, await countSearch(tx, row));
        const counted = await previewPolicy(tx, parts, row, at.getTime());
        const { years, mailboxes, ...summary } = counted;
        // What two people decide about is what the one who asked has seen: a later look does not make it newer.
        if (statusOf(row) === 'draft')
          await store.change(tx, policyId, { previewed_at: at, previewer: asking.actor.email, preview: JSON.stringify(summary) });
        return { ...summary, at: at.toISOString(), validUntil: validUntil(at).toISOString(), years, mailboxes };
      }),
    activate: (asking, policyId) =>
      store.within(asking.scope, async (tx) => {
        const { actor, scope, tenantId } = asking;
        await store.lock(tx, 'changing');
        const row = await findDraft(tx, asking, policyId);
        const { name, preview, replaces, maximum } = policyView(row);
        await requireRead(tx, row);
        if (preview === null || preview.validUntil <= now(clock).toISOString() || isOutdated(row))
          throw new AppError('retention.preview-needed');
        if (replaces !== null && !isInForce(await store.read(tx, replaces.policyId))) throw new AppError('retention.not-active');
        await store.change(tx, policyId, { asked_at: now(clock), asked_by: actor.accountId, asker: actor.email });
        const asked = await find(tx, asking, policyId);
        await note(tx, asking, 'retention.activation-asked', asked);
        const figures = { messages: preview.kept.messages, size: preview.kept.bytes, shortened: preview.shortened.messages };
        await approvals.ask(tx, {
          actor,
          scope,
          tenantId,
          kind: 'retentionPolicy',
          subject: { id: policyId, name },
          details: {
            ...figures,
            ...(maximum === null ? {} : { due: preview.due.messages }),
            ...(replaces === null ? {} : { replaces: replaces.name }),
          },
        });
        return policyView(asked);
      }),
    stop: (asking, policyId) =>
      store.within(asking.scope, async (tx) => {
        await find(tx, asking, policyId);
        const row = await parts.halts.stop(tx, policyId, asking.actor.email);
        if (row === undefined) throw new AppError('retention.not-deleting');
        await note(tx, asking, 'retention.stopped', row);
        return policyView(row);
      }),
    end: (asking, policyId, reason) =>
      store.within(asking.scope, async (tx) => {
        const { actor, scope, tenantId } = asking;
        await store.lock(tx, 'changing');
        if (!isInForce(await find(tx, asking, policyId))) throw new AppError('retention.not-active');
        await store.change(tx, policyId, { end_asked_at: now(clock), end_reason: reason });
        const row = await find(tx, asking, policyId);
        await note(tx, asking, 'retention.end-asked', row);
        const subject = { id: policyId, name: row.name };
        await approvals.ask(tx, { actor, scope, tenantId, kind: 'retentionEnd', subject, details: { reason } });
        return policyView(row);
      }),
  };
}

function createEvents({ store, audit, clock, ids }: RetentionParts): Pick<RetentionService, 'events' | 'recordEvent' | 'recordEvents'> {
  /** Writes one event down, and answers its id. */
  async function add(
    tx: Tx,
    { actor, tenantId, caller }: RetentionAsking,
    { kind, subject, items, description, date }: RetentionEventBody,
  ): Promise<string> {
    const place = await store.subject(tx, tenantId, subject);
    if (!place) throw new AppError('retention.mailbox-unknown', { details: { field: 'subject' } });
    const { resource_id, name, address, about } = place;
    const keys = about === 'files' ? [...new Set(items)] : [];
    if (keys.length === 0 && items.length > 0) throw new AppError('retention.place-unknown', { details: { field: 'items' } });
    const named = keys.length === 0 ? [] : await knownPlaces(store, tx, { tenantId, resourceId: resource_id, keys, field: 'items' });
    const id = ids.uuid();
    const recorded = { recorded_by: actor.accountId, recorder: actor.email, recorded_at: now(clock) };
    const what = { event_id: id, tenant_id: tenantId, kind, resource_id, description, happened_on: date };
    await store.addEvent(
      tx,
      { ...what, ...recorded },
      named.map(({ item_key, name: item, is_container }) => ({ item_key, name: item, is_container })),
    );
    await audit.record(tx, {
      event: 'retention.event-recorded',
      actor: actorEntry(actor, caller),
      subject: { kind: 'retentionEvent', id, name },
      details: { kind, [about === 'files' ? 'address' : 'mailbox']: address, items: named.map((item) => item.name), date, description },
    });
    return id;
  }

  return {
    events: ({ scope, tenantId }) =>
      store.within(scope, async (tx) => {
        const inForce = await store.inForce(tx, tenantId);
        const started = await startedOnFiles(tx, tenantId);
        return { items: (await store.events(tx, tenantId)).map((row) => eventView(row, inForce, started.get(row.event_id))) };
      }),
    recordEvent: (asking, body) =>
      store.within(asking.scope, async (tx) => {
        const id = await add(tx, asking, body);
        const row = (await store.events(tx, asking.tenantId)).find(({ event_id }) => event_id === id);
        if (!row) throw new AppError('not-found');
        const started = await startedOnFiles(tx, asking.tenantId);
        return eventView(row, await store.inForce(tx, asking.tenantId), started.get(id));
      }),
    recordEvents: (asking, { events }) =>
      store.within(asking.scope, async (tx) => {
        for (const [at, event] of events.entries()) {
          // The first line of a file has the titles.
          const details = { line: at + 2, subject: event.subject, field: `events.${at}.subject` };
          if (!(await store.subject(tx, asking.tenantId, event.subject))) throw new AppError('retention.event-unknown', { details });
          await add(tx, asking, event);
        }
        return { recorded: events.length };
      }),
  };
}

export function createRetentionService(parts: RetentionParts): RetentionService {
  const { store } = parts;
  const rows = createRows(parts);
  return Object.freeze<RetentionService>({
    list: ({ scope, tenantId }) => store.within(scope, async (tx) => ({ items: (await store.list(tx, tenantId)).map(policyView) })),
    get: (asking, policyId) => store.within(asking.scope, async (tx) => policyView(await rows.find(tx, asking, policyId))),
    ...createDrafting(parts, rows),
    ...createDeciding(parts, rows),
    ...createEvents(parts),
    labels: ({ scope, tenantId }) => store.within(scope, async (tx) => ({ items: [...(await foundLabels(tx, tenantId))] })),
    deeds: ({ scope, tenantId }, query) => store.within(scope, (tx) => deedsPage(tx, tenantId, query)),
  });
}
