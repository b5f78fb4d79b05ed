import { guidOf } from '../values/seeded.ts';
import { listPage } from '../delta/list-page.ts';
import { driveTime, renderActor } from '../drives/render-item.ts';
import { listField, objectField, textField } from '../http/body-fields.ts';
import { badRequest, conflict, notFound } from '../http/failure.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { project } from '../http/query.ts';
import { created, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { requireSite } from '../places/find-site.ts';
import { findPage, type PageRecord, pagesOf, putPage, recyclePage, STANDARD_WEB_PARTS } from './pages.ts';
import type { SitePlace } from '../places/places.ts';

const SITE_PAGE = 'microsoft.graph.sitePage';

function actorOf(text: string): { userId: string } | { appId: string } {
  return text.startsWith('app:') ? { appId: text.slice(4) } : { userId: text };
}

function renderPage(context: Context, site: SitePlace, page: PageRecord, isWhole: boolean): JsonObject {
  const { query, tenant } = context;
  const eTag = `"{${page.id}},${page.versionId}"`;
  const entity: JsonObject = {
    '@odata.type': `#${SITE_PAGE}`,
    '@odata.etag': eTag,
    id: page.id,
    eTag,
    name: page.name,
    title: page.title,
    pageLayout: page.pageLayout,
    ...(page.description === undefined ? {} : { description: page.description }),
    webUrl: `https://${site.hostName}${site.path}/SitePages/${encodeURIComponent(page.name)}`,
    createdDateTime: driveTime(page.createdMs),
    lastModifiedDateTime: driveTime(page.modifiedMs),
    lastModifiedBy: renderActor(tenant, actorOf(page.modifiedBy)),
    parentReference: { siteId: site.id },
    publishingState: { level: page.level, versionId: page.versionId },
    ...(isWhole
      ? {
          promotionKind: page.promotionKind,
          showComments: page.showComments ?? true,
          showRecommendedPages: page.showRecommendedPages ?? false,
          thumbnailWebUrl: page.thumbnailWebUrl ?? '',
          titleArea: page.titleArea,
        }
      : {}),
    ...(query.expands('canvasLayout') ? { canvasLayout: page.canvasLayout } : {}),
  };
  return project(entity, query.select && [...query.select, 'canvasLayout']);
}

function listPages(context: Context): Reply {
  const site = requireSite(context);
  return listPage(context, {
    items: pagesOf(context.tenant, site),
    context: `sites('${site.id}')/pages`,
    defaultSize: 100,
    maxSize: 999,
    render: (page) => renderPage(context, site, page, false),
  });
}

function requirePage(context: Context): { readonly site: SitePlace; readonly page: PageRecord } {
  const site = requireSite(context);
  const page = findPage(context.tenant, site, context.params[1] ?? '');
  if (page) return { site, page };
  throw notFound('sites', 'The specified page was not found');
}

function readPage(context: Context): Reply {
  const { site, page } = requirePage(context);
  const isWhole = context.cast?.toLowerCase() === SITE_PAGE.toLowerCase();
  if (!isWhole && context.query.expands('canvasLayout'))
    throw badRequest('sites', "Could not find a property named 'canvasLayout' on type 'microsoft.graph.baseSitePage'.");
  return ok({ '@odata.context': context.links.context(`sites('${site.id}')/pages/$entity`), ...renderPage(context, site, page, isWhole) });
}

/** Bodies of pages carry types, and no other annotation. */
function refuseAnnotations(value: JsonValue | undefined): void {
  if (Array.isArray(value)) for (const entry of value as readonly JsonValue[]) refuseAnnotations(entry);
  if (!isJsonObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const isAnnotation = name.includes('@odata.') && !name.endsWith('@odata.type');
    if (isAnnotation) throw badRequest('sites', `The annotation '${name}' is not allowed in a page.`);
    refuseAnnotations(inner);
  }
}

function webPartsOf(layout: JsonObject | undefined): JsonObject[] {
  const sections = listField(layout, 'horizontalSections').filter(isJsonObject);
  const columns = sections.flatMap((section) => listField(section, 'columns').filter(isJsonObject));
  const vertical = objectField(layout, 'verticalSection');
  return [...columns, ...(vertical ? [vertical] : [])].flatMap((column) => listField(column, 'webparts').filter(isJsonObject));
}

/** Only some web parts can be written. */
function readLayout(body: JsonObject): JsonObject | undefined {
  const layout = objectField(body, 'canvasLayout');
  for (const part of webPartsOf(layout)) {
    const type = textField(part, 'webPartType');
    const isText = textField(part, '@odata.type')?.endsWith('textWebPart') === true || textField(part, 'innerHtml') !== undefined;
    if (!isText && !STANDARD_WEB_PARTS.has(type ?? ''))
      throw badRequest('sites', `The web part type '${type ?? 'none'}' is not supported.`);
  }
  return layout;
}

/** What people choose for a page beside its content. */
function readChoices(body: JsonObject): Partial<PageRecord> {
  const { showComments, showRecommendedPages, thumbnailWebUrl, description } = body;
  return {
    ...(typeof showComments === 'boolean' ? { showComments } : {}),
    ...(typeof showRecommendedPages === 'boolean' ? { showRecommendedPages } : {}),
    ...(typeof thumbnailWebUrl === 'string' ? { thumbnailWebUrl } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

function readChange(body: JsonObject): Partial<PageRecord> {
  refuseAnnotations(body);
  const canvasLayout = readLayout(body);
  const title = textField(body, 'title');
  const titleArea = objectField(body, 'titleArea');
  const promotionKind = textField(body, 'promotionKind');
  return {
    ...readChoices(body),
    ...(title === undefined ? {} : { title }),
    ...(titleArea ? { titleArea } : {}),
    ...(promotionKind === undefined ? {} : { promotionKind }),
    ...(canvasLayout ? { canvasLayout: { horizontalSections: [], verticalSection: null, ...canvasLayout } } : {}),
  };
}

async function createPage(context: Context): Promise<Reply> {
  const body = await context.json();
  const site = requireSite(context);
  const { tenant } = context;
  if (textField(body, '@odata.type') !== `#${SITE_PAGE}`) throw badRequest('sites', `The page needs '@odata.type': '#${SITE_PAGE}'.`);
  const title = textField(body, 'title') ?? '';
  const name = textField(body, 'name') ?? `${title.replaceAll(/[^A-Za-z0-9]+/g, '-')}.aspx`;
  if (!name.toLowerCase().endsWith('.aspx') || name.length < 6) throw badRequest('sites', 'The name of a page ends with .aspx.');
  const pages = pagesOf(tenant, site);
  for (let position = 0; position < pages.size; position += 1) {
    if (pages.at(position)?.name.toLowerCase() === name.toLowerCase()) throw conflict('sites', 'A page with this name exists.');
  }
  const nowMs = tenant.clock.nowMs();
  const page: PageRecord = {
    titleArea: {},
    canvasLayout: { horizontalSections: [], verticalSection: null },
    title,
    ...readChange(body),
    promotionKind: 'page',
    id: guidOf(tenant.seed, 'new-page', site.id, pages.size),
    name,
    pageLayout: textField(body, 'pageLayout') ?? 'article',
    level: 'checkout',
    versionId: '0.1',
    createdMs: nowMs,
    modifiedMs: nowMs,
    modifiedBy: `app:${context.caller.appId}`,
  };
  putPage(tenant, site, page);
  return created({
    '@odata.context': context.links.context(`sites('${site.id}')/pages/$entity`),
    ...renderPage(context, site, page, true),
  });
}

function nextMinor(versionId: string): string {
  const [major = '0', minor = '0'] = versionId.split('.');
  return `${major}.${Number(minor) + 1}`;
}

async function updatePage(context: Context): Promise<Reply> {
  const body = await context.json();
  const { site, page } = requirePage(context);
  const changed: PageRecord = {
    ...page,
    ...readChange(body),
    id: page.id,
    name: page.name,
    title: textField(body, 'title') ?? page.title,
    level: 'checkout',
    versionId: nextMinor(page.versionId),
    modifiedMs: context.tenant.clock.nowMs(),
    modifiedBy: `app:${context.caller.appId}`,
  };
  putPage(context.tenant, site, changed);
  return ok({ '@odata.context': context.links.context(`sites('${site.id}')/pages/$entity`), ...renderPage(context, site, changed, true) });
}

function publishPage(context: Context): Reply {
  const { site, page } = requirePage(context);
  const major = Number.parseInt(page.versionId, 10);
  putPage(context.tenant, site, { ...page, level: 'published', versionId: `${major + 1}.0` });
  return noContent;
}

function deletePage(context: Context): Reply {
  const { site, page } = requirePage(context);
  recyclePage(context.tenant, site, page);
  return noContent;
}

const PAGE = '/sites/{id}/pages/{id}';

/** Pages of sites: read, made, changed and published. */
export const pageRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/sites/{id}/pages', service: 'sites', query: ['$select', '$top'], handler: listPages },
  { method: 'POST', path: '/sites/{id}/pages', service: 'sites', handler: createPage },
  { method: 'GET', path: PAGE, service: 'sites', query: ['$select', '$expand'], handler: readPage },
  { method: 'PATCH', path: PAGE, service: 'sites', handler: updatePage },
  { method: 'DELETE', path: PAGE, service: 'sites', handler: deletePage },
  { method: 'POST', path: `${PAGE}/publish`, service: 'sites', handler: publishPage },
];
