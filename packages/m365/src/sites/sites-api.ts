import type { ColumnDefinition, ContentType, List, ListItem, ListItemVersion, Site, SitePage } from '@microsoft/microsoft-graph-types';
import type { Body, CreateOptions, Known } from '../client/calls.ts';
import type { Delta, DeltaCursor, Listing } from '../client/paging/paging-types.ts';

export interface SiteRef {
  /** `host,siteCollectionGuid,webGuid`. */
  readonly siteId: string;
}
export interface ListRef extends SiteRef {
  readonly listId: string;
}
export interface ListItemRef extends ListRef {
  readonly itemId: string;
}
export interface PageRef extends SiteRef {
  readonly pageId: string;
}

export interface SiteCalls {
  /** All sites of the tenant except personal ones. */
  allSites(): Listing<Known<Site>>;
  siteDelta(cursor?: DeltaCursor): Delta<Known<Site>>;
  search(text: string): Listing<Known<Site>>;
  site(site: SiteRef): Promise<Known<Site>>;
  siteByPath(hostName: string, path: string): Promise<Known<Site>>;
  subsites(site: SiteRef): Listing<Known<Site>>;
  /** Hidden ones included. */
  lists(site: SiteRef): Listing<Known<List>>;
  /** With columns and content types. */
  list(list: ListRef): Promise<Known<List>>;
  createList(site: SiteRef, list: Body, options?: CreateOptions<Known<List>>): Promise<Known<List>>;
  columns(list: ListRef): Listing<Known<ColumnDefinition>>;
  createColumn(list: ListRef, column: Body, options?: CreateOptions<Known<ColumnDefinition>>): Promise<Known<ColumnDefinition>>;
  siteColumns(site: SiteRef): Listing<Known<ColumnDefinition>>;
  siteContentTypes(site: SiteRef): Listing<Known<ContentType>>;
  createSiteContentType(site: SiteRef, contentType: Body, options?: CreateOptions<Known<ContentType>>): Promise<Known<ContentType>>;
  /** Takes a column of the site into a content type of the site. */
  addContentTypeColumn(site: SiteRef, contentTypeId: string, columnId: string): Promise<Known<ColumnDefinition>>;
  /** With their columns. */
  listContentTypes(list: ListRef): Listing<Known<ContentType>>;
  /** Adds a content type of the site to a list. */
  addContentTypeCopy(list: ListRef, contentTypeId: string): Promise<Known<ContentType>>;
  /** With fields. */
  items(list: ListRef): Listing<Known<ListItem>>;
  /** With fields. */
  itemDelta(list: ListRef, cursor?: DeltaCursor): Delta<Known<ListItem>>;
  item(item: ListItemRef): Promise<Known<ListItem>>;
  createItem(
    list: ListRef,
    item: { readonly fields: Body; readonly contentType?: { readonly id: string } },
    options?: CreateOptions<Known<ListItem>>,
  ): Promise<Known<ListItem>>;
  deleteItem(item: ListItemRef): Promise<void>;
  /** A list or a library, with all that is in it: it is in the recycle bin of the site from then on. */
  deleteList(list: ListRef): Promise<void>;
  /** Also for the columns of a file in a library. */
  updateFields(item: ListItemRef, fields: Body): Promise<Body>;
  itemVersions(item: ListItemRef): Listing<Known<ListItemVersion>>;
  pages(site: SiteRef): Listing<Known<SitePage>>;
  /** With its canvas. */
  page(page: PageRef): Promise<Known<SitePage>>;
  /** A body without annotations of its own; the type is added. */
  createPage(site: SiteRef, page: Body, options?: CreateOptions<Known<SitePage>>): Promise<Known<SitePage>>;
  updatePage(page: PageRef, change: Body): Promise<Known<SitePage>>;
  publishPage(page: PageRef): Promise<void>;
  /** The page is in the recycle bin of the site from then on. */
  deletePage(page: PageRef): Promise<void>;
}
