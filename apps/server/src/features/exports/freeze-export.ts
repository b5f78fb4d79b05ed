import type { BodyOf } from '@holdfast/contract/route';
import type { exports as contract } from '@holdfast/contract/exports';
import { printQuery } from '@holdfast/contract/query/print';
import type { SearchCoverage } from '@holdfast/contract/search';
import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { CaseAsking, CaseExports } from '../cases/index.ts';
import { sightOf, type ContentAccess } from '../content-access/index.ts';
import type { RequestExports } from '../data-requests/index.ts';
import type { ReviewExports } from '../reviews/index.ts';
import {
  coverageOf,
  hitsToKeep,
  keepHits,
  keepSelection,
  readQuery,
  readSelection,
  searchPlaceOf,
  type NewSelection,
  type SearchFeature,
  type SearchPlace,
} from '../search/index.ts';

/** What an export is made of: a list that does not change any more. */
export interface Frozen {
  readonly selectionId: string;
  readonly query: string;
  readonly items: number;
  readonly bytes: number;
  readonly coverage: SearchCoverage;
  readonly caseId: string | null;
  /** The request for access that it answers. */
  readonly dataRequestId?: string;
}

type ExportBody = BodyOf<(typeof contract)['create']>;
type CaseSource = Extract<ExportBody['source'], { readonly kind: 'case' }>;
type ReviewSource = Extract<ExportBody['source'], { readonly kind: 'review' }>;
export type FreezeExport = (tx: Tx, asking: CaseAsking, body: ExportBody) => Promise<Frozen>;

interface FreezeParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly access: ContentAccess;
  readonly cases: CaseExports;
  readonly reviews: ReviewExports;
  readonly requests: RequestExports;
  readonly saved: SearchFeature['saved'];
}

/** Turns what somebody wants to export into a list, under their rights of this moment. */
export function createFreezeExport({ clock, ids, access, cases, reviews, requests, saved }: FreezeParts): FreezeExport {
  async function figuresOf(tx: Tx, asking: CaseAsking, selectionId: string) {
    const { tenantId, actor } = asking;
    const found = await readSelection(tx, tenantId, selectionId);
    if (found?.ownerId !== actor.accountId) throw new AppError('search.selection-unknown', { details: { field: 'source' } });
    const { query, items, bytes } = found;
    // An index that grew since then says nothing of what this selection missed.
    const coverage = found.coverage ?? (await coverageOf(tx, { tenantId, reach: await access.searchable(tx, asking) }));
    return { selectionId, query, items, bytes, coverage };
  }

  /** The time of a selection that nobody keeps is over at once. */
  function selectionOf({ actor }: CaseAsking, reason: string, query: string): NewSelection {
    const at = now(clock);
    return { selectionId: ids.uuid(), query, reason, ownerId: actor.accountId, at, expiresAt: at };
  }

  async function keep(
    tx: Tx,
    asking: CaseAsking,
    reason: string,
    { place, readAs }: { readonly place: SearchPlace; readonly readAs: string },
  ) {
    const made = selectionOf(asking, reason, readAs);
    if ((await keepHits(tx, place, made, undefined)) === 0) throw new AppError('search.nothing-selected');
    return figuresOf(tx, asking, made.selectionId);
  }

  async function keepFound(tx: Tx, asking: CaseAsking, reason: string, { caseId, queryId }: CaseSource) {
    const { place, readAs } = await cases.searchOf(tx, asking, caseId, queryId);
    const made = selectionOf(asking, reason, readAs);
    const items = { chosen: reviews.markedIn(caseId, hitsToKeep(place)), coverage: await coverageOf(tx, place), isReviewed: true };
    if ((await keepSelection(tx, asking.tenantId, made, items)) === 0) throw new AppError('search.nothing-selected');
    return figuresOf(tx, asking, made.selectionId);
  }

  async function keepReviewed(tx: Tx, asking: CaseAsking, reason: string, source: ReviewSource) {
    const { query, ...chosen } = await reviews.decidedAs(tx, asking, source);
    const made = selectionOf(asking, reason, query);
    if ((await keepSelection(tx, asking.tenantId, made, { ...chosen, isReviewed: true })) === 0) {
      throw new AppError('search.nothing-selected');
    }
    return figuresOf(tx, asking, made.selectionId);
  }

  async function keepRequested(tx: Tx, asking: CaseAsking, reason: string, requestId: string) {
    const { query, ...items } = await requests.itemsOf(tx, asking, requestId);
    const made = selectionOf(asking, reason, query);
    if ((await keepSelection(tx, asking.tenantId, made, items)) === 0) throw new AppError('search.nothing-selected');
    return figuresOf(tx, asking, made.selectionId);
  }

  return async (tx, asking, { source, reason }) => {
    if (source.kind === 'dataRequest') {
      const { requestId } = source;
      return { ...(await keepRequested(tx, asking, reason, requestId)), caseId: null, dataRequestId: requestId };
    }
    if (source.kind === 'case') return { ...(await keepFound(tx, asking, reason, source)), caseId: source.caseId };
    if (source.kind === 'review') return { ...(await keepReviewed(tx, asking, reason, source)), caseId: source.caseId };
    if (source.kind === 'selection') return { ...(await figuresOf(tx, asking, source.selectionId)), caseId: null };
    const { tenantId } = asking;
    // Before anything is looked up: whoever may not search learns nothing of what there is.
    const reach = await access.searchable(tx, asking);
    const search = await saved(tx, source.searchId);
    if (search?.tenant_id !== tenantId) throw new AppError('not-found');
    const query = readQuery(search.query, asking.language);
    const place = await searchPlaceOf(tx, clock, { tenantId, query, reach, sight: sightOf(asking, clock.nowMs()) });
    return { ...(await keep(tx, asking, reason, { place, readAs: printQuery(query) })), caseId: null };
  };
}
