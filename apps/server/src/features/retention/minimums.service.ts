import type { Tx } from '@holdfast/database';
import { endOfDay, localDay, runningMinimums, type PointMinimum } from '@holdfast/engine';
import { databaseNow } from '../../platform/database-now.views.ts';
import type { KeptPlace } from '../../storage/index.ts';
import { timeZoneOf } from '../organisations/index.ts';
import {
  archivedDays,
  daysOfMessages,
  type ArchivedWanted,
  type EventDays,
  type MessageDays,
  type ArchivedDays,
  type SearchedMarks,
} from './archived-days.views.ts';
import { filePoints, type FilePoint } from './file-days.views.ts';
import { keptLonger, movedTo, type KeptLonger } from './dispositions.store.ts';
import { createEnds, minimumsOf, type EndOf, minimumsOnFiles, type PolicyTerms } from './periods.ts';
import { covers, isSearched, minimumOf, reaches, type PolicyRow } from './policy-row.ts';
import type { RetentionStore } from './retention.store.ts';
import { searchedItems } from './searched.store.ts';

/** Some archived messages of a mailbox, and until when time is believed to have run. */
export interface KeptMessages {
  readonly resourceId: string;
  readonly messageIds: readonly string[];
  readonly latestMs?: number;
}

/** Some messages that the backup of a mailbox has and its archive has yet to take in. */
export interface AwaitedMessages extends Omit<KeptMessages, 'resourceId'> {
  readonly mailboxId: string;
}

/** A policy that keeps something, and the end of the last of its periods; null while one waits for an event. */
export interface KeepingPolicy {
  readonly name: string;
  readonly until: Date | null;
}

/** What the policies in force keep. */
export interface Minimums {
  /** Of an archive, a site or a drive in a location, by restore points; of anything else nothing. */
  on(tx: Tx, place: KeptPlace): Promise<readonly PointMinimum[]>;
  /** Those whose periods run by the clock of the database. No policy can end or come into force before the transaction has ended. */
  within(tx: Tx, place: KeptPlace): Promise<readonly PointMinimum[]>;
  /** Of a tenant, or of one of its locations, as people read it: `Letters (2031-12-31)`. */
  namesIn(tx: Tx, tenantId: string, locationId?: string): Promise<readonly string[]>;
  /** One archived message: the policies that keep it, the longest first. */
  ofMessage(tx: Tx, message: { readonly resourceId: string; readonly messageId: string }): Promise<readonly KeepingPolicy[]>;
  /** Each of some archived messages of a mailbox, by the clock of the database or an earlier time: the same. No policy can end or come into force before the transaction has ended. */
  ofMessages(tx: Tx, messages: KeptMessages): Promise<ReadonlyMap<string, readonly KeepingPolicy[]>>;
  /**
   * Each of some messages that are yet to be archived, as it will be judged once it is: archived today at the earliest. The same
   * clock and the same lock.
   */
  ofAwaited(tx: Tx, messages: AwaitedMessages): Promise<ReadonlyMap<string, readonly KeepingPolicy[]>>;
  /** One file in all its versions, or what ever was in one folder: the same, by the clock of the database or an earlier time. */
  ofFile(
    tx: Tx,
    file: { readonly resourceId: string; readonly itemKey: string; readonly latestMs?: number },
  ): Promise<readonly KeepingPolicy[]>;
}

/** The last day on which it is kept says when it ends better than the first moment after it. */
function nameWithEnd({ name, untilMs }: PointMinimum, timeZone: string): string {
  return untilMs === null ? name : `${name} (${localDay(untilMs - 1, timeZone)})`;
}

/** Ends as people read them, the longest first, without those that are over. */
function longestFirst(ends: readonly { readonly name: string; readonly end: number }[], nowMs: number): KeepingPolicy[] {
  return ends
    .filter(({ end }) => end > nowMs)
    .sort((a, b) => (a.end === b.end ? a.name.localeCompare(b.name) : b.end > a.end ? 1 : -1))
    .map(({ name, end }) => ({ name, until: Number.isFinite(end) ? new Date(end) : null }));
}

/** What minimums depend on. */
export interface MinimumsOptions {
  /** Whether scans are read: one that waits may be what a search will find. */
  readonly recognisesScans: boolean;
}

/** What reviewers have said of messages: kept longer, or brought under other policies. */
interface Reviewed {
  readonly longer: ReadonlyMap<string, readonly KeptLonger[]>;
  readonly moved: ReadonlyMap<string, readonly Keeping[]>;
  readonly isNothing: boolean;
}

/** A policy in force that may be on messages of an archive, and how long it keeps what it is on. */
interface Keeping {
  readonly policy: PolicyRow;
  readonly terms: PolicyTerms;
}

/** A policy that keeps; nothing for one that deletes alone. */
function keepingOf(policy: PolicyRow): Keeping[] {
  const terms = minimumOf(policy);
  return terms === null ? [] : [{ policy, terms }];
}

/** Whether it is on messages: one by search only on what this finds. */
const isOn = ({ policy }: Keeping, { keeping }: SearchedMarks): boolean => !isSearched(policy) || keeping.has(policy.policy_id);

/** What policies keep of an archive, point by point. */
const keptBy = (policies: readonly Keeping[], days: readonly ArchivedDays[], events: EventDays, endOf: EndOf): PointMinimum[] =>
  policies.flatMap((keeping) => {
    const on = days.filter((day) => isOn(keeping, day));
    return minimumsOf(keeping.terms, on, events, endOf);
  });

/** Of some messages those that policies keep, with the policies. */
function keptOf(
  policies: readonly Keeping[],
  days: readonly Pick<MessageDays, 'messageId' | 'archived' | 'received' | keyof SearchedMarks>[],
  {
    events,
    timeZone,
    nowMs,
    reviewed,
  }: { readonly events: EventDays; readonly timeZone: string; readonly nowMs: number; readonly reviewed?: Reviewed },
): ReadonlyMap<string, readonly KeepingPolicy[]> {
  const endOf = createEnds(timeZone);
  const kept = days.map(({ messageId, ...day }) => {
    const own = policies.filter((policy) => isOn(policy, day));
    const moved = (reviewed?.moved.get(messageId) ?? []).filter(
      ({ policy }) => !own.some((one) => one.policy.policy_id === policy.policy_id),
    );
    const under = [...own, ...moved].map(({ terms }) => terms);
    const longer = (reviewed?.longer.get(messageId) ?? []).map(({ name, until }) => ({ name, end: endOfDay(until, timeZone) }));
    const ends = [...under.map((policy) => ({ name: policy.name, end: endOf(policy, day, events) })), ...longer];
    return [messageId, longestFirst(ends, nowMs)] as const;
  });
  return new Map(kept.filter(([, keeping]) => keeping.length > 0));
}

/** What the policies in force keep of archives, sites and drives, whether their periods run or not. */
function createKept(store: RetentionStore, { recognisesScans }: MinimumsOptions) {
  async function onArchive(tx: Tx, tenantId: string, resourceId: string): Promise<Keeping[]> {
    return (await store.inForce(tx, tenantId)).filter((policy) => covers(policy, resourceId)).flatMap(keepingOf);
  }

  /** What those of some policies that are by search are on in a resource. */
  const searchedBy = (tx: Tx, keeping: readonly Keeping[], resourceId: string) =>
    searchedItems(tx, { policies: keeping.map(({ policy }) => policy), resourceIds: [resourceId], recognisesScans });

  async function minimumsOfArchive(tx: Tx, tenantId: string, resourceId: string, locationId?: string): Promise<PointMinimum[]> {
    const policies = await onArchive(tx, tenantId, resourceId);
    const timeZone = await timeZoneOf(tx);
    const wanted = { sourceIds: await store.sources(tx, resourceId, locationId), timeZone };
    const reviewed = await reviewedIn(tx, { tenantId, resourceId, wanted });
    if (policies.length === 0) return reviewed;
    const events = await store.eventDays(tx, resourceId);
    const endOf = createEnds(timeZone);
    const searched = await searchedBy(tx, policies, resourceId);
    const days = await archivedDays(tx, { ...wanted, searched });
    return [...reviewed, ...keptBy(policies, days, events, endOf)];
  }

  /** What reviewers have said is kept longer or comes under another policy. */
  async function reviewedIn(
    tx: Tx,
    { tenantId, resourceId, wanted }: { tenantId: string; resourceId: string; wanted: ArchivedWanted },
  ): Promise<PointMinimum[]> {
    const minimums: PointMinimum[] = [];
    const today = localDay(await databaseNow(tx), wanted.timeZone);
    for (const [key, kept] of Map.groupBy(await keptLonger(tx, { resourceId, today }), ({ name, until }) => `${until} ${name}`)) {
      const days = await archivedDays(tx, { ...wanted, messageIds: kept.map(({ messageId }) => messageId) });
      const untilMs = endOfDay(key.slice(0, 10), wanted.timeZone);
      for (const { firstPoint: fromSequence } of days) minimums.push({ name: key.slice(11), fromSequence, untilMs });
    }
    const moved = Map.groupBy(await movedTo(tx, { resourceId }), ({ policyId }) => policyId);
    if (moved.size === 0) return minimums;
    const events = await store.eventDays(tx, resourceId);
    for (const policy of await store.inForce(tx, tenantId)) {
      const minimum = minimumOf(policy);
      const messageIds = (moved.get(policy.policy_id) ?? []).map(({ messageId }) => messageId);
      if (minimum === null || messageIds.length === 0) continue;
      const days = await archivedDays(tx, { ...wanted, messageIds });
      minimums.push(...minimumsOf(minimum, days, events, createEnds(wanted.timeZone)));
    }
    return minimums;
  }

  /** What policies keep of the files of a site or drive: of everything that they are on there, or within one item. */
  async function minimumsOfFiles(
    tx: Tx,
    {
      tenantId,
      resourceId,
      locationId,
      within,
    }: { tenantId: string; resourceId: string; locationId?: string | undefined; within?: string },
  ): Promise<PointMinimum[]> {
    const reaching = (await store.inForce(tx, tenantId)).filter((policy) => reaches(policy, resourceId)).flatMap(keepingOf);
    if (reaching.length === 0) return [];
    const policies = new Map(reaching.map(({ policy, terms }) => [policy.policy_id, terms]));
    const searched = await searchedBy(tx, reaching, resourceId);
    const timeZone = await timeZoneOf(tx);
    const wanted = {
      resourceId,
      sourceIds: await store.sources(tx, resourceId, locationId),
      policyIds: [...policies.keys()],
      timeZone,
      searched,
    };
    const points: readonly FilePoint[] = await filePoints(tx, { ...wanted, ...(within === undefined ? {} : { within }) });
    return minimumsOnFiles(policies, points, createEnds(timeZone));
  }

  async function of(tx: Tx, resourceId: string, locationId?: string): Promise<PointMinimum[]> {
    const known = await store.keptOf(tx, resourceId);
    if (known === undefined) return [];
    const { tenantId, about } = known;
    if (about === 'messages') return minimumsOfArchive(tx, tenantId, resourceId, locationId);
    return minimumsOfFiles(tx, { tenantId, resourceId, locationId });
  }

  return { onArchive, searchedBy, minimumsOfFiles, of };
}

/** What policies keep message by message: those in the archive, and those that it has yet to take in. */
function createOfMessages(
  store: RetentionStore,
  { onArchive, searchedBy }: Pick<ReturnType<typeof createKept>, 'onArchive' | 'searchedBy'>,
) {
  async function reviewedOf(
    tx: Tx,
    of: { readonly tenantId: string; readonly resourceId: string; readonly messageIds: readonly string[]; readonly today: string },
  ): Promise<Reviewed> {
    const longer = Map.groupBy(await keptLonger(tx, of), ({ messageId }) => messageId);
    const found = await movedTo(tx, of);
    const terms = new Map(
      found.length === 0 ? [] : (await store.inForce(tx, of.tenantId)).map((policy) => [policy.policy_id, keepingOf(policy)] as const),
    );
    const moved = Map.groupBy(found, ({ messageId }) => messageId);
    return {
      longer,
      moved: new Map([...moved].map(([messageId, to]) => [messageId, to.flatMap(({ policyId }) => terms.get(policyId) ?? [])])),
      isNothing: longer.size === 0 && moved.size === 0,
    };
  }

  async function ofMessages(
    tx: Tx,
    { resourceId, messageIds, latestMs = Infinity }: KeptMessages,
  ): Promise<ReadonlyMap<string, readonly KeepingPolicy[]>> {
    const known = await store.keptOf(tx, resourceId);
    if (known === undefined) return new Map();
    const policies = await onArchive(tx, known.tenantId, resourceId);
    const timeZone = await timeZoneOf(tx);
    const events = await store.eventDays(tx, resourceId);
    const nowMs = Math.min(latestMs, await databaseNow(tx));
    const reviewed = await reviewedOf(tx, { tenantId: known.tenantId, resourceId, messageIds, today: localDay(nowMs, timeZone) });
    if (policies.length === 0 && reviewed.isNothing) return new Map();
    const searched = await searchedBy(tx, policies, resourceId);
    const days = await daysOfMessages(tx, { sourceIds: await store.sources(tx, resourceId), messageIds, timeZone, searched });
    return keptOf(policies, days, { events, timeZone, nowMs, reviewed });
  }

  async function ofAwaited(
    tx: Tx,
    { mailboxId, messageIds, latestMs = Infinity }: AwaitedMessages,
  ): Promise<ReadonlyMap<string, readonly KeepingPolicy[]>> {
    const { tenantId, archiveId } = await store.archiveOf(tx, mailboxId);
    const policies = await onArchive(tx, tenantId, archiveId ?? '');
    if (policies.length === 0) return new Map();
    const timeZone = await timeZoneOf(tx);
    const events: EventDays = archiveId === null ? new Map() : await store.eventDays(tx, archiveId);
    const nowMs = Math.min(latestMs, await databaseNow(tx));
    const archived = localDay(nowMs, timeZone);
    const stored = await daysOfMessages(tx, { sourceIds: await store.sources(tx, mailboxId), messageIds, timeZone });
    const dated = stored.map(({ messageId, isReceived, received }) => ({
      messageId,
      archived,
      received: isReceived ? received : archived,
      // What the archive is yet to take in, its searches may find.
      keeping: new Set(policies.map(({ policy }) => policy.policy_id)),
      deleting: new Set<string>(),
      labelled: new Map(policies.map(({ policy }) => [policy.policy_id, 'infinity'] as const)),
    }));
    return keptOf(policies, dated, { events, timeZone, nowMs });
  }

  return { ofMessages, ofAwaited };
}

export function createMinimums(store: RetentionStore, options: MinimumsOptions): Minimums {
  const kept = createKept(store, options);
  const { minimumsOfFiles, of } = kept;
  const { ofMessages, ofAwaited } = createOfMessages(store, kept);

  /** Everything of a tenant that a policy in force can be on. */
  async function resourcesIn(tx: Tx, tenantId: string): Promise<ReadonlySet<string>> {
    const policies = await store.inForce(tx, tenantId);
    const places = policies.flatMap((policy) => policy.places);
    const sites = policies.some((policy) => isSearched(policy) && policy.about === 'files') ? await store.sites(tx, tenantId) : [];
    return new Set([...(await store.mailboxes(tx, tenantId)), ...places, ...sites].map(({ resource_id }) => resource_id));
  }

  return Object.freeze<Minimums>({
    on: (tx, { resourceId, locationId }) => of(tx, resourceId, locationId),
    async within(tx, { resourceId, locationId }) {
      await store.lock(tx, 'obeying');
      return runningMinimums(await of(tx, resourceId, locationId), await databaseNow(tx));
    },
    async namesIn(tx, tenantId, locationId) {
      await store.lock(tx, 'obeying');
      const timeZone = await timeZoneOf(tx);
      const found: PointMinimum[] = [];
      for (const resourceId of await resourcesIn(tx, tenantId)) found.push(...(await of(tx, resourceId, locationId)));
      return runningMinimums(found, await databaseNow(tx)).map((minimum) => nameWithEnd(minimum, timeZone));
    },
    async ofMessage(tx, { resourceId, messageId }) {
      return (await ofMessages(tx, { resourceId, messageIds: [messageId] })).get(messageId) ?? [];
    },
    async ofMessages(tx, messages) {
      await store.lock(tx, 'obeying');
      return ofMessages(tx, messages);
    },
    async ofAwaited(tx, messages) {
      await store.lock(tx, 'obeying');
      return ofAwaited(tx, messages);
    },
    async ofFile(tx, { resourceId, itemKey, latestMs = Infinity }) {
      await store.lock(tx, 'obeying');
      const known = await store.keptOf(tx, resourceId);
      if (known?.about !== 'files') return [];
      const nowMs = Math.min(latestMs, await databaseNow(tx));
      const running = runningMinimums(await minimumsOfFiles(tx, { tenantId: known.tenantId, resourceId, within: itemKey }), nowMs);
      return longestFirst(
        running.map(({ name, untilMs }) => ({ name, end: untilMs ?? Infinity })),
        nowMs,
      );
    },
  });
}
