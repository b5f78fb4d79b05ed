import { isGraphError, type Known } from '@holdfast/m365';
import type { ItemVersion, Json, JsonObject } from '../../ports/item.ts';
import { readJson, type ItemOutcome, type RestoreContext } from '../restorer.ts';
import { cleanPart, creatableLayout } from './page-layout.ts';

const KEPT = [
  'name',
  'title',
  'pageLayout',
  'showComments',
  'showRecommendedPages',
  'titleArea',
  'canvasLayout',
  'thumbnailWebUrl',
  'description',
  'promotionKind',
] as const;

/** What a page that is there can be changed in: all of it but its name and its kind of layout. */
const CHANGEABLE = KEPT.filter((field) => field !== 'name' && field !== 'pageLayout');

/** What the service sets on each page. */
export const OWN = ['createdBy', 'lastModifiedBy', 'createdDateTime', 'lastModifiedDateTime'];

interface MadePage {
  readonly id: string;
  readonly differences: readonly string[];
}

type Promotable = Known<object> & { readonly promotionKind?: unknown };

/** True when the original was a news post and what the service made of it is none. */
function isStillPage({ promotionKind }: JsonObject, made: Promotable): boolean {
  return promotionKind === 'newsPost' && made.promotionKind !== promotionKind;
}

export function wasPublished(item: ItemVersion): boolean {
  const state = item.properties['publishingState'] as { readonly level?: string } | undefined;
  return state?.level === 'published';
}

/** Writes pages: a new one, or over one that is there. `existing` finds the page of a name. */
export function createPageWriter(context: RestoreContext, siteId: string, existing: (name: string) => Promise<Known<object> | undefined>) {
  const { graph } = context;

  /** The service may not heed the kind in the request that makes a page: a change of it promotes the page. */
  async function promote(stored: JsonObject, made: Promotable): Promise<readonly string[]> {
    if (!isStillPage(stored, made)) return [];
    try {
      const promoted = await graph.sites.updatePage({ siteId, pageId: made.id }, { promotionKind: 'newsPost' });
      return isStillPage(stored, promoted) ? ['promotionKind'] : [];
    } catch (error) {
      if (!isGraphError(error, 'graph.bad-request')) throw error;
      return ['promotionKind'];
    }
  }

  async function create(item: ItemVersion, name: string): Promise<MadePage> {
    const stored = await readJson(context, item);
    const body: Record<string, Json> = { name };
    for (const field of KEPT)
      if (field !== 'name' && stored[field] !== undefined && stored[field] !== null) body[field] = cleanPart(stored[field]);
    const recover = (): Promise<Known<object> | undefined> => existing(name);
    try {
      const made = await graph.sites.createPage({ siteId }, body, { recover });
      return { id: made.id, differences: await promote(stored, made) };
    } catch (error) {
      if (!isGraphError(error, 'graph.bad-request') || body['canvasLayout'] === undefined) throw error;
      const canvasLayout = creatableLayout(body['canvasLayout']);
      const made = await graph.sites.createPage({ siteId }, { ...body, canvasLayout }, { recover });
      return { id: made.id, differences: ['webParts', ...(await promote(stored, made))] };
    }
  }

  async function update(item: ItemVersion, pageId: string): Promise<ItemOutcome> {
    const stored = await readJson(context, item);
    const change: Record<string, Json> = {};
    for (const field of CHANGEABLE) {
      if (stored[field] !== undefined && stored[field] !== null) change[field] = cleanPart(stored[field]);
    }
    const differences = [...OWN];
    let made: Promotable;
    try {
      made = await graph.sites.updatePage({ siteId, pageId }, change);
    } catch (error) {
      if (!isGraphError(error, 'graph.bad-request') || change['canvasLayout'] === undefined) throw error;
      made = await graph.sites.updatePage({ siteId, pageId }, { ...change, canvasLayout: creatableLayout(change['canvasLayout']) });
      differences.push('webParts');
    }
    if (isStillPage(stored, made)) differences.push('promotionKind');
    if (wasPublished(item)) await graph.sites.publishPage({ siteId, pageId });
    return { outcome: 'replaced', targetId: pageId, differences };
  }

  return { create, update };
}
