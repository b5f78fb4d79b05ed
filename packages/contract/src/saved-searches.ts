import { z } from 'zod';
import { pageSizeMax } from './shared/limits.ts';
import { defineRoute } from './shared/route.ts';
import { searchAnswer, searchQuery, searchReason } from './query/search.ts';
import { id, instant, oneLine, said, tenantParams } from './shared/values.ts';

const name = oneLine(said(100));

/** A search that is kept under a name, so that it can be run, watched and referred to. */
export const savedSearchBody = z.object({
  name,
  query: searchQuery,
  /** The owner is notified of items that match for the first time. */
  hasAlert: z.boolean().default(false),
});
export type SavedSearchBody = z.infer<typeof savedSearchBody>;

export const savedSearch = z.object({
  searchId: id,
  name: z.string(),
  query: z.string(),
  /** Counts the changes of the query: what refers to a search can name the one it means. */
  queryVersion: z.number().int(),
  /** Counts all changes; `If-Match` takes it. */
  version: z.number().int(),
  hasAlert: z.boolean(),
  /** Items that the alert has found since somebody last ran the search. */
  newHits: z.number().int(),
  checkedAt: instant.nullable(),
  owner: z.string(),
  createdAt: instant,
  changedAt: instant,
});
export type SavedSearch = z.infer<typeof savedSearch>;

export const searchUseKinds = ['case', 'hold', 'policy', 'export', 'tag'] as const;

/** Something that refers to a saved search. */
export const searchUse = z.object({ kind: z.enum(searchUseKinds), id, name: z.string() });
export type SearchUse = z.infer<typeof searchUse>;

/** What a change of the query would add to the hits and remove from them. */
export const searchDifference = z.object({ added: z.number().int(), removed: z.number().int(), uses: z.array(searchUse) });
export type SearchDifference = z.infer<typeof searchDifference>;

const params = tenantParams.extend({ searchId: id });

export const savedSearches = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/searches',
    action: 'search.save',
    summary: 'Saved searches, by name',
    params: tenantParams,
    response: z.object({ items: z.array(savedSearch) }),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/searches',
    action: 'search.save',
    summary: 'Save a search under a name, with or without an alert',
    params: tenantParams,
    body: savedSearchBody,
    response: savedSearch,
    status: 201,
    errors: ['search.invalid', 'search.name-taken'],
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/searches/:searchId',
    action: 'search.save',
    summary: 'Read a saved search',
    params,
    response: savedSearch,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/archive/searches/:searchId',
    action: 'search.save',
    summary: 'Rename a saved search, switch its alert, or save a new version of its query',
    params,
    body: savedSearchBody,
    response: savedSearch,
    errors: ['search.invalid', 'search.name-taken', 'search.hold-narrowed', 'request.precondition-failed'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/searches/:searchId',
    action: 'search.save',
    summary: 'Delete a saved search; one in use is refused',
    params,
    response: 'empty',
    status: 204,
    errors: ['search.in-use'],
  }),
  run: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/searches/:searchId/run',
    action: 'search.save',
    summary: 'Run a saved search; the search and its reason are logged, and its new hits count as seen',
    params,
    body: z.object({
      reason: searchReason,
      cursor: z.string().max(2_000).optional(),
      limit: z.number().int().min(1).max(pageSizeMax).default(50),
      withFacets: z.boolean().default(false),
    }),
    response: searchAnswer,
    errors: ['search.invalid', 'content.read-right-needed'],
  }),
  uses: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/searches/:searchId/uses',
    action: 'search.save',
    summary: 'List what refers to a saved search',
    params,
    response: z.object({ items: z.array(searchUse) }),
  }),
  difference: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/searches/:searchId/difference',
    action: 'search.save',
    summary: 'Count the items that another query would add to a saved search and remove from it; logged like a search',
    params,
    body: z.object({ query: searchQuery, reason: searchReason }),
    response: searchDifference,
    errors: ['search.invalid', 'content.read-right-needed'],
  }),
};
