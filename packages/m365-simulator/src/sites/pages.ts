import { paragraph, subjectLine } from '../content/prose.ts';
import { guidOf, randomOf } from '../values/seeded.ts';
import type { Positions } from '../state/feed.ts';
import type { JsonObject } from '../values/json.ts';
import type { Tenant } from '../state/tenant.ts';
import { siteState } from '../places/list-records.ts';
import type { SitePlace } from '../places/places.ts';

/** A page of a site; plain data, so that it can be kept as it came. */
export interface PageRecord extends JsonObject {
  readonly id: string;
  /** `Home.aspx`. */
  readonly name: string;
  readonly title: string;
  readonly promotionKind: string;
  /** As people chose them; absent where nobody did. */
  readonly showComments?: boolean;
  readonly showRecommendedPages?: boolean;
  readonly thumbnailWebUrl?: string;
  readonly description?: string;
  readonly pageLayout: string;
  readonly level: string;
  readonly versionId: string;
  readonly createdMs: number;
  readonly modifiedMs: number;
  /** User, or app with a prefix. */
  readonly modifiedBy: string;
  readonly titleArea: JsonObject;
  readonly canvasLayout: JsonObject;
}

/** Web parts that Graph can create, by the ids the service publishes. */
export const STANDARD_WEB_PARTS: ReadonlySet<string> = new Set([
  'e377ea37-9047-43b9-8cdb-a761be2f8e09',
  '0f087d7f-520e-42b7-89c0-496aaf979d58',
  'df8e44e7-edd5-46d5-90da-aca1539313b8',
  '2161a1c6-db61-4731-b97c-3cdb303f7cbb',
  'b7dd04e1-19ce-4b24-9132-b60a1c2b910d',
  'd1d91016-032f-456d-98a4-721247c305e8',
  'af8be689-990e-492a-81f7-ba3e4cd3ed9c',
  '6410b3b6-d440-4663-8744-378976dc041e',
  'e84a8ca2-f63c-4fb9-bc0b-d8eef5ccb22b',
  '7f718435-ee4d-431c-bdbf-9c4ff326f46e',
  'c70391ea-0b10-4ee9-b2b4-006d3fcad0cd',
  '8654b779-4886-46d4-8ffb-b5ed960ee986',
  '544dd15b-cf3c-441b-96da-004d5a8cea1d',
  'cbe7b0a9-3504-44dd-a3a3-0e5cacd07788',
]);

const QUICK_LINKS = 'c70391ea-0b10-4ee9-b2b4-006d3fcad0cd';
/** A news list: read like any other, but not one that can be created. */
const NEWS = '8c88f208-6c77-4bdb-86a0-0c47b4316588';
const DAY_MS = 86_400_000;

function webPart(tenant: Tenant, key: string, webPartType: string, title: string): JsonObject {
  return {
    '@odata.type': '#microsoft.graph.standardWebPart',
    id: guidOf(tenant.seed, 'webPart', key, webPartType),
    webPartType,
    containerTextWebPartId: null,
    data: {
      dataVersion: '1.0',
      title,
      description: title,
      properties: { layout: 'list' },
      serverProcessedContent: { htmlStrings: [], searchablePlainTexts: [], links: [], imageSources: [] },
    },
  };
}

function layoutOf(tenant: Tenant, key: string, text: string, isHome: boolean): JsonObject {
  const words: JsonObject = {
    '@odata.type': '#microsoft.graph.textWebPart',
    id: guidOf(tenant.seed, 'text', key),
    innerHtml: `<p>${text.replaceAll('&', '&amp;')}</p>`,
  };
  const parts = [words, webPart(tenant, key, QUICK_LINKS, 'Quick links'), ...(isHome ? [webPart(tenant, key, NEWS, 'News')] : [])];
  const section = { layout: 'oneColumn', id: '1', emphasis: 'none', columns: [{ id: '1', width: 12, webparts: parts }] };
  return { horizontalSections: [section], verticalSection: null };
}

function seededPage(tenant: Tenant, site: SitePlace, index: number): PageRecord {
  const key = `${site.id}/${index}`;
  const random = randomOf({ seed: tenant.seed, kind: 'page', owner: site.id, index });
  const isHome = index === 0;
  const title = isHome ? 'Home' : subjectLine(random, index % 2 === 0 ? 'de' : 'en');
  const createdMs = site.createdMs + (index + 1) * DAY_MS;
  return {
    id: guidOf(tenant.seed, 'page', key),
    name: isHome ? 'Home.aspx' : `${title.normalize('NFKD').replaceAll(/[^A-Za-z0-9]+/g, '-')}-${index}.aspx`,
    title,
    promotionKind: index % 3 === 2 ? 'newsPost' : 'page',
    pageLayout: isHome ? 'home' : 'article',
    level: 'published',
    versionId: '1.0',
    createdMs,
    modifiedMs: createdMs,
    modifiedBy: guidOf(tenant.seed, 'member', random.below(Math.max(1, tenant.recipe.people.members))),
    titleArea: {
      enableGradientEffect: true,
      imageWebUrl: '',
      layout: 'plain',
      showAuthor: true,
      showPublishedDate: false,
      showTextBlockAboveTitle: false,
      textAboveTitle: '',
      textAlignment: 'left',
    },
    canvasLayout: layoutOf(tenant, key, paragraph(random, index % 2 === 0 ? 'de' : 'en', 4), isHome),
  };
}

/** Pages of a site as they are now, seeded ones first; those that were deleted stay as holes. */
export function pagesOf(tenant: Tenant, site: SitePlace): Positions<PageRecord> {
  const state = siteState(tenant, site.id);
  const there = (page: PageRecord | undefined): PageRecord | undefined => (page && state.recycled.has(page.id) ? undefined : page);
  return {
    size: site.pages + state.createdPages.length,
    at(position) {
      if (position >= site.pages) return there(state.pages.get(state.createdPages[position - site.pages] ?? '') as PageRecord | undefined);
      const page = seededPage(tenant, site, position);
      return there((state.pages.get(page.id) as PageRecord | undefined) ?? page);
    },
  };
}

/** Puts a page into the recycle bin. */
export function recyclePage(tenant: Tenant, site: SitePlace, page: PageRecord): void {
  const state = siteState(tenant, site.id);
  state.pageJournal.push({ id: page.id, atMs: tenant.clock.nowMs(), before: page });
  state.recycled.add(page.id);
}

export function findPage(tenant: Tenant, site: SitePlace, id: string): PageRecord | undefined {
  const pages = pagesOf(tenant, site);
  for (let position = 0; position < pages.size; position += 1) {
    const page = pages.at(position);
    if (page?.id === id.toLowerCase()) return page;
  }
  return undefined;
}

/** Creates or replaces a page. */
export function putPage(tenant: Tenant, site: SitePlace, page: PageRecord): void {
  const state = siteState(tenant, site.id);
  const before = findPage(tenant, site, page.id);
  if (!before) state.createdPages.push(page.id);
  state.pages.set(page.id, page);
  state.pageJournal.push({ id: page.id, atMs: tenant.clock.nowMs(), before });
}
