import { z } from 'zod';
import { pageSizeMax } from '../shared/limits.ts';
import { pageOf } from '../shared/paging.ts';
import { faultCodes, warningCodes } from './faults.ts';
import { searchKinds } from './fields.ts';
import { textParts } from './marks.ts';
import { queryLimits } from './state.ts';
import { defineRoute } from '../shared/route.ts';
import { id, instant, tenantParams, workload } from '../shared/values.ts';

/** How far the contents of a hit could be read. */
export const searchStates = ['indexed', 'noText', 'encrypted', 'unsupported', 'tooLarge', 'failed'] as const;

/** The text of a query; what is wrong with it is said by `search.invalid`. */
export const searchQuery = z.string().max(queryLimits.characters * 2);
/** Why somebody looks into contents. */
export const searchReason = z.string().trim().min(3, { error: 'validation.reason' }).max(500, { error: 'validation.tooLong' });

/** A search as a person starts it. */
export const searchBody = z.object({ query: searchQuery, reason: searchReason });

/** One item, as the newest restore point that shows it has it. */
export const searchHit = z.object({
  hitId: z.string(),
  locationId: id,
  sourceId: id,
  nodeId: z.string(),
  sequence: z.number().int(),
  kind: z.enum(searchKinds),
  workload,
  title: z.string(),
  sender: z.string(),
  at: instant,
  sizeBytes: z.number(),
  attachments: z.number().int(),
  state: z.enum(searchStates),
  resource: z.object({
    resourceId: id,
    name: z.string(),
    address: z.string(),
    kind: z.enum(['mailbox', 'drive', 'site', 'team', 'chat', 'archive']),
  }),
  /** Microsoft 365 no longer has it. */
  isDeleted: z.boolean(),
  lastSeenAt: instant,
});
export type SearchHit = z.infer<typeof searchHit>;

/** How much of what is kept a search has looked at. */
export const searchCoverage = z.object({
  items: z.number().int(),
  searched: z.number().int(),
  encrypted: z.number().int(),
  unsupported: z.number().int(),
  tooLarge: z.number().int(),
  failed: z.number().int(),
  /** Pictures and scanned documents of these items, whose words can only be recognised. What was kept before they were counted has none. */
  scansWaiting: z.number().int().default(0),
  scansRead: z.number().int().default(0),
  scansFailed: z.number().int().default(0),
});
export type SearchCoverage = z.infer<typeof searchCoverage>;

export const searchMonth = z.object({ month: z.string(), hits: z.number().int() });
export type SearchMonth = z.infer<typeof searchMonth>;
const searchCounted = z.object({ total: z.number().int(), months: z.array(searchMonth) });
export type SearchCounted = z.infer<typeof searchCounted>;

/** What hits can be narrowed by; months and sizes are ranges, the others values of a field. People and folders are `places`. */
export const searchFacetNames = ['workload', 'kind', 'filetype', 'size', 'sensitive', 'language', 'month'] as const;
export type SearchFacetName = (typeof searchFacetNames)[number];
/** Where one range of sizes ends and the next begins. */
export const sizeSteps = ['0', '10KB', '100KB', '1MB', '10MB'] as const;

const searchFacet = z.object({
  /** The most frequent values; of months, all in order. Each counts the items that narrowing the query to it finds. */
  values: z.array(z.object({ value: z.string(), label: z.string(), hits: z.number().int() })),
  /** How many more values there are. */
  others: z.number().int(),
});
/** A person, site or team with the folders of theirs that have hits; each counts the items that narrowing the query to it finds. */
const searchPlace = searchFacet.shape.values.element.extend({ folders: searchFacet });
const searchFacets = z.object({
  total: z.number().int(),
  facets: z.record(z.enum(searchFacetNames), searchFacet),
  /** Where the hits are kept, those with the most hits first. */
  places: z.object({ values: z.array(searchPlace), others: z.number().int() }),
});
export type SearchPlaceFound = z.infer<typeof searchPlace>;
export type SearchFacets = z.infer<typeof searchFacets>;

export const searchAnswer = pageOf(searchHit).extend({
  readAs: z.string(),
  coverage: searchCoverage,
  /** Whether words of pictures and scanned documents are recognised at all. */
  recognisesScans: z.boolean(),
  /** What the hits can be narrowed by, where it was asked for: one search, one entry in the audit log. */
  facets: searchFacets.nullable(),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;

/** As many hits as passages are asked for at a time. */
export const passageHitsMax = 20;

/** Text of a hit around words of the query. */
const searchPassage = z.object({
  part: z.enum(textParts),
  /** The attachment, with the documents that lead to it. */
  name: z.string().nullable(),
  /** Where the document tells its pages apart. */
  page: z.number().int().nullable(),
  text: z.string(),
});
export type SearchPassage = z.infer<typeof searchPassage>;
const searchPassages = z.object({
  /** A hit that could not be read, or that is read no longer, has none. */
  items: z.array(z.object({ hitId: z.string(), passages: z.array(searchPassage) })),
});
export type SearchPassages = z.infer<typeof searchPassages>;

/** As many words of a wildcard as are listed at a time. */
export const wordsPageSize = 500;
const searchWords = z.object({
  /** Each wildcard of the query with how many words it stands for, and those of them that follow `after`, in order. */
  wildcards: z.array(z.object({ term: z.string(), total: z.number().int(), words: z.array(z.string()).max(wordsPageSize) })),
});
export type SearchWords = z.infer<typeof searchWords>;

const place = { from: z.number().int(), to: z.number().int() };
const searchChecked = z.object({
  /** The query in the one spelling that says how it is read; null while it has errors. */
  readAs: z.string().nullable(),
  errors: z.array(z.object({ code: z.enum(faultCodes), message: z.string(), suggestion: z.string().nullable(), ...place })),
  warnings: z.array(z.object({ code: z.enum(warningCodes), ...place })),
});
export type SearchChecked = z.infer<typeof searchChecked>;

export const search = {
  search: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/search',
    action: 'search.run',
    summary: 'Search everything that is kept; the search and its reason are logged',
    params: tenantParams,
    body: searchBody.extend({
      cursor: z.string().max(2_000).optional(),
      limit: z.number().int().min(1).max(pageSizeMax).default(50),
      withFacets: z.boolean().default(false),
    }),
    response: searchAnswer,
    errors: ['search.invalid', 'content.read-right-needed'],
  }),
  count: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/search/count',
    action: 'search.run',
    summary: 'Count the hits of a search exactly, by month',
    params: tenantParams,
    body: searchBody,
    response: searchCounted,
    errors: ['search.invalid', 'content.read-right-needed'],
  }),
  facets: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/search/facets',
    action: 'search.run',
    summary: 'Count the hits of a search by person, workload, kind, folder, file type, size, sensitive numbers, language and month',
    params: tenantParams,
    body: searchBody,
    response: searchFacets,
    errors: ['search.invalid', 'content.read-right-needed'],
  }),
  passages: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/search/passages',
    action: 'search.run',
    summary: 'Where the words of a query are in hits, with the text around them; logged like a search',
    params: tenantParams,
    body: searchBody.extend({
      hitIds: z
        .array(z.string().regex(/^\d{1,18}$/))
        .min(1)
        .max(passageHitsMax),
    }),
    response: searchPassages,
    errors: ['search.invalid', 'content.read-right-needed'],
  }),
  words: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/words',
    action: 'search.run',
    summary: 'The words that the wildcards of a query stand for, all of them counted and listed page by page; logged like a search',
    params: tenantParams,
    body: searchBody.extend({ after: z.string().max(2_000).default('') }),
    response: searchWords,
    errors: ['search.invalid', 'content.read-right-needed'],
  }),
  check: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/search/check',
    action: 'search.run',
    summary: 'Read a query without running it: how it is read, its errors and warnings',
    params: tenantParams,
    body: z.object({ query: searchQuery }),
    response: searchChecked,
  }),
};
