import type { reviews } from '@holdfast/contract/reviews';
import { reviewItemsMax, reviewSetsMax, type ReviewBody, type ReviewSet } from '@holdfast/contract/review-values';
import type { BodyOf, ResponseOf } from '@holdfast/contract/route';
import type { Database, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { RawBuilder } from 'kysely';
import { windowOf } from '../../http/paging.ts';
import { queueUnplanned, type RunsStore } from '../../runs/index.ts';
import type { CaseAsking, CaseReviews } from '../cases/index.ts';
import { coverageOf } from '../search/index.ts';
import { itemsPage } from './review-items.views.ts';
import {
  addSet,
  decide,
  foundBy,
  freezeItems,
  lockSet,
  readHead,
  readSet,
  setsOf,
  setSize,
  setThreadsRun,
  unreviewedIn,
} from './review-sets.store.ts';
import { isSought, peopleOf, reviewersOf, withProgress } from './review-sets.views.ts';

interface SetPlace {
  readonly caseId: string;
  readonly setId: string;
}

/** Making review sets, reading them, and deciding about what is in them. */
export interface ReviewsService {
  list(asking: CaseAsking, caseId: string): Promise<ResponseOf<typeof reviews.list>>;
  create(asking: CaseAsking, caseId: string, body: ReviewBody): Promise<ReviewSet>;
  get(asking: CaseAsking, place: SetPlace): Promise<ResponseOf<typeof reviews.get>>;
  items(asking: CaseAsking, place: SetPlace, wanted: BodyOf<typeof reviews.items>): Promise<ResponseOf<typeof reviews.items>>;
  /** Has what the mail of a set repeats looked for. */
  findThreads(asking: CaseAsking, place: SetPlace): Promise<ReviewSet>;
  decide(
    asking: CaseAsking,
    place: SetPlace & { readonly position: number },
    made: BodyOf<typeof reviews.decide>,
  ): Promise<ResponseOf<typeof reviews.decide>>;
}

interface ReviewsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly cases: CaseReviews;
  readonly runs: Pick<RunsStore, 'enqueue'>;
}

/** What a set is made of, and what is said of it. */
interface Chosen {
  readonly chosen: RawBuilder<unknown>;
  readonly query: string;
  readonly coverage: object | null;
}

async function known(tx: Tx, { caseId, setId }: SetPlace) {
  const row = await readSet(tx, caseId, setId);
  if (!row) throw new AppError('not-found');
  return row;
}

async function shown(tx: Tx, place: SetPlace): Promise<ReviewSet> {
  const [set] = await withProgress(tx, [await known(tx, place)]);
  if (!set) throw new AppError('not-found');
  return set;
}

const RUN_NAME = 'Threads';

type SearchesOf = (queryId: string | null) => ReturnType<CaseReviews['searches']>;

/** The case is locked by `searches`: two sets of one name are never made at once. */
async function chosenFrom(tx: Tx, caseId: string, source: ReviewBody['source'], searchesOf: SearchesOf): Promise<Chosen> {
  const searches = await searchesOf(source.kind === 'query' ? source.queryId : null);
  if (source.kind === 'unreviewed') {
    const { query, coverage } = await known(tx, { caseId, setId: source.setId });
    return { chosen: unreviewedIn(source.setId), query, coverage };
  }
  const [first] = searches;
  if (!first) throw new AppError('reviews.nothing-found');
  return {
    chosen: foundBy(searches.map(({ place }) => place)),
    query: searches.map(({ readAs }) => readAs).join(' · '),
    coverage: await coverageOf(tx, first.place),
  };
}

async function refuse(tx: Tx, caseId: string, name: string): Promise<void> {
  const sets = await setsOf(tx, caseId);
  if (sets.length >= reviewSetsMax) throw new AppError('reviews.sets-full');
  if (sets.some((set) => set.name.toLowerCase() === name.toLowerCase())) {
    throw new AppError('reviews.name-taken', { details: { field: 'name' } });
  }
}

/** Looks for the threads of a set from now on, unless somebody does already. */
async function findThreads({ cases, runs }: ReviewsParts, tx: Tx, asking: CaseAsking, place: SetPlace): Promise<ReviewSet> {
  const { actor, scope, tenantId } = asking;
  const of = await cases.read(tx, asking, place.caseId);
  // Of two who ask at once the second finds what the first has started.
  await lockSet(tx, place.setId);
  const set = await known(tx, place);
  if (await isSought(tx, set)) throw new AppError('reviews.threads-sought');
  const body = { type: 'threads', name: RUN_NAME, schedule: { mode: 'disabled' }, setId: place.setId } as const;
  const by = { trigger: 'manual', startedBy: actor.email, onBehalfOf: actor.accountId } as const;
  await setThreadsRun(tx, place.setId, await queueUnplanned(runs, tx, scope, tenantId, body, by, set.name));
  await cases.note(tx, asking, { event: 'cases.threads-sought', of, details: { name: set.name } });
  return shown(tx, place);
}

export function createReviewsService(parts: ReviewsParts): ReviewsService {
  const { database, clock, ids, cases } = parts;
  async function create(tx: Tx, asking: CaseAsking, caseId: string, body: ReviewBody): Promise<ReviewSet> {
    const { name, sample } = body;
    const { chosen, query, coverage } = await chosenFrom(tx, caseId, body.source, (queryId) => cases.searches(tx, asking, caseId, queryId));
    await refuse(tx, caseId, name);
    const setId = ids.uuid();
    await addSet(tx, {
      set_id: setId,
      case_id: caseId,
      name,
      query,
      sample_size: sample?.size ?? null,
      seed: sample?.seed ?? null,
      population: 0,
      items: 0,
      coverage: coverage === null ? null : JSON.stringify(coverage),
      creator: asking.actor.email,
      created_at: now(clock),
    });
    const size = await freezeItems(tx, setId, { chosen, sample, most: reviewItemsMax });
    if (size.items === 0) throw new AppError('reviews.nothing-found');
    if (size.items > reviewItemsMax) throw new AppError('reviews.too-many', { details: { field: 'source' } });
    await setSize(tx, setId, size);
    const of = await cases.find(tx, asking, caseId);
    const drawn = sample === null ? {} : { seed: sample.seed };
    await cases.note(tx, asking, { event: 'cases.review-made', of, details: { name, query, ...size, ...drawn } });
    return shown(tx, { caseId, setId });
  }

  return Object.freeze<ReviewsService>({
    list: (asking, caseId) =>
      database.within(asking.scope, async (tx) => {
        await cases.find(tx, asking, caseId);
        return { items: await withProgress(tx, await setsOf(tx, caseId)) };
      }),
    create: (asking, caseId, body) => database.within(asking.scope, (tx) => create(tx, asking, caseId, body)),
    get: (asking, place) =>
      database.within(asking.scope, async (tx) => {
        const row = await cases.find(tx, asking, place.caseId);
        const set = await shown(tx, place);
        const people = await peopleOf(tx, place.setId, await cases.scopeOf(tx, row));
        return { ...set, people, reviewers: await reviewersOf(tx, place.setId) };
      }),
    items: (asking, place, { cursor, limit, ...filters }) =>
      database.within(asking.scope, async (tx) => {
        const row = await cases.read(tx, asking, place.caseId);
        const { name, query } = await known(tx, place);
        const wanted = { ...filters, setId: place.setId, scope: await cases.scopeOf(tx, row) };
        const page = await itemsPage(tx, wanted, windowOf({ cursor, limit }));
        await cases.note(tx, asking, { event: 'cases.review-listed', of: row, details: { name, query, hits: page.items.length } });
        return page;
      }),
    findThreads: (asking, place) => database.within(asking.scope, (tx) => findThreads(parts, tx, asking, place)),
    decide: (asking, place, { status, revision }) =>
      database.within(asking.scope, async (tx) => {
        const row = await cases.read(tx, asking, place.caseId);
        const { name } = await known(tx, place);
        const { position } = place;
        const before = await readHead(tx, place.setId, position);
        if (!before) throw new AppError('not-found');
        if (before.revision !== revision) throw new AppError('reviews.decided-meanwhile');
        const reviewer = status === 'unreviewed' ? null : asking.actor.email;
        const at = status === 'unreviewed' ? null : now(clock);
        const copies = await decide(tx, place.setId, { position, revision, status, reviewer, reviewed_at: at });
        if (copies === 0) throw new AppError('reviews.decided-meanwhile');
        const told = { name, item: position, before: before.status, after: status, copies };
        await cases.note(tx, asking, { event: 'cases.reviewed', of: row, details: told });
        return { position, status, revision: revision + 1, reviewer, reviewedAt: at?.toISOString() ?? null, copies };
      }),
  });
}
