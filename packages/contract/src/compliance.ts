import { z } from 'zod';
import { readRefusals, ticketParams } from './content/content.ts';
import { trailStep } from './discovery.ts';
import {
  ageBuckets,
  audiences,
  cleanUpPlan,
  dataManagementAccount,
  dataManagementFigures,
  dataManagementReport,
  duplicateRow,
  exposureRow,
  fileKinds,
  grant,
  growth,
  kept,
  keptItem,
  keptVersion,
  managedNode,
  managedSite,
  ownerRow,
  scanKinds,
  sensitiveConversation,
  sensitiveKinds,
  sensitiveRow,
  share,
  siteOwnersRow,
  siteOwnerStates,
  staleFor,
  staleRow,
  storageRow,
  wasteRow,
  wordPart,
} from './compliance-values.ts';
import { runParams } from './monitoring.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, taskReference, tenantParams } from './shared/values.ts';

const siteKind = z.enum(['drive', 'site']);
const nodeId = z.string().min(1).max(1_000);
/** What a report is narrowed to: a site or OneDrive, and what one person owns there. */
const reportScope = { siteId: id.optional(), ownerId: z.string().min(1).max(200).optional() };
const onePlace = z.object({ sourceId: id, nodeId });

export const sitesQuery = listQuery({
  sort: ['name', 'files', 'bytes', 'versionBytes', 'deleted', 'duplicates', 'exposed', 'newestChangeAt'],
  filter: { kind: siteKind.optional(), stale: z.enum(staleFor).optional(), held: z.stringbool().optional(), siteId: id.optional() },
});
export const nodesQuery = listQuery({
  sort: ['name', 'modifiedAt', 'sizeBytes', 'kind'],
  filter: {
    sourceId: id,
    /** The folder; the root of the site when absent. */
    nodeId: nodeId.optional(),
    /** The state that held at this time; the newest when absent. */
    at: instant.optional(),
    /** Also what was in the folder before and is gone. */
    deleted: z.stringbool().optional(),
    /** Only files of one type, by the endings of their names. */
    type: z.enum(fileKinds).optional(),
    /** Only what is shared with these people. */
    audience: z.enum(audiences).optional(),
  },
});
export const reportsQuery = listQuery({ sort: ['reportNumber', 'reportDate'], filter: { kind: z.enum(scanKinds).optional() } });
export const reportAccountsQuery = listQuery({
  sort: ['name', 'items', 'bytes', 'versionBytes', 'deleted', 'duplicates', 'exposed'],
  filter: { kind: siteKind.optional() },
});
/** The rule of a clean-up: a version stays when it is among the newest so many and no older than so many days. */
export const wasteQuery = listQuery({
  sort: ['versionBytes', 'versions', 'freedBytes', 'name'],
  filter: {
    by: z.enum(['site', 'file']).default('site'),
    ...reportScope,
    newest: z.coerce.number().int().min(0).max(50_000).default(50),
    days: z.coerce.number().int().min(1).max(36_500).default(90),
  },
});
export const cleanUpsQuery = listQuery({ sort: ['queuedAt'], filter: {} });
export const duplicatesQuery = listQuery({ sort: ['wastedBytes', 'copies', 'sizeBytes'], filter: reportScope });
export const staleQuery = listQuery({
  sort: ['modifiedAt', 'sizeBytes', 'name'],
  filter: { unchanged: z.enum(staleFor).default('months6'), ...reportScope },
});
export const exposureQuery = listQuery({
  sort: ['audience', 'name', 'expiresAt'],
  filter: { audience: z.enum(audiences).optional(), endless: z.stringbool().optional(), ...reportScope },
});
export const sensitiveQuery = listQuery({
  sort: ['audience', 'count', 'name'],
  filter: {
    kind: z.enum(sensitiveKinds).optional(),
    /** Only what more people can open than those of the site; or only the rest. */
    exposed: z.stringbool().optional(),
    ...reportScope,
  },
});
export const sensitiveConversationsQuery = listQuery({
  sort: ['guests', 'messages', 'name'],
  filter: {
    kind: z.enum(sensitiveKinds).optional(),
    /** Only what guests can read; or only the rest. */
    exposed: z.stringbool().optional(),
  },
});
export const ownersQuery = listQuery({
  sort: ['bytes', 'files', 'name'],
  filter: {
    ...reportScope,
    /** Only those who are gone from Microsoft 365. */
    gone: z.stringbool().optional(),
  },
});

export const siteOwnersQuery = listQuery({
  sort: ['bytes', 'files', 'name'],
  filter: {
    ...reportScope,
    /** Only sites that nobody owns, or only people whose accounts are blocked. */
    ownerless: z.stringbool().optional(),
    state: z.enum(siteOwnerStates).optional(),
  },
});

const storageScope = { ...reportScope, kind: z.enum(fileKinds).optional(), age: z.enum(ageBuckets).optional() };
export const storageQuery = listQuery({
  sort: ['bytes', 'files', 'versionBytes', 'name'],
  filter: { by: z.enum(['site', 'kind', 'age']).default('site'), ...storageScope },
});
export const growthQuery = z.object(storageScope);

/** A version of a file: what a ticket opens, or an earlier version that the same restore point holds. */
const comparedVersion = z.object({ ticket: z.string().min(20).max(200), version: z.string().min(1).max(60).optional() });

const totals = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ totals: z.object(shape) }).shape;
const count = z.number().int();

/** What SharePoint and OneDrive hold. Names of files need the right to browse content; sums by site do not. */
export const compliance = {
  dashboard: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/dashboard/sharepoint-data-management',
    action: 'dashboard.read',
    summary: 'SharePoint and OneDrive data: size, age, versions, exposure, holds, and the last 30 days',
    params: tenantParams,
    response: dataManagementFigures,
  }),
  reports: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/reporting/data-management-reports',
    action: 'reporting.read',
    summary: 'Reports of ended scans of sites and drives',
    params: tenantParams,
    query: reportsQuery,
    response: pageOf(dataManagementReport),
  }),
  accounts: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/reporting/:reportId/data-management-accounts',
    action: 'reporting.read',
    summary: 'The sites and drives of a report',
    params: tenantParams.extend({ reportId: id }),
    query: reportAccountsQuery,
    response: pageOf(dataManagementAccount),
  }),
  startScan: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/data-management/scans',
    action: 'jobs.run',
    summary: 'Scan what has changed in sites and drives, and make a report: answers the run, or the one that waits or runs already',
    params: tenantParams,
    response: taskReference,
    status: 202,
  }),
  sites: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/sites',
    action: 'reporting.read',
    summary: 'Sites and drives with what the newest scan found',
    params: tenantParams,
    query: sitesQuery,
    response: pageOf(managedSite),
  }),
  nodes: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/nodes',
    action: 'content.browse',
    summary: 'Files and folders of a site or drive at a time, with what has become of them',
    params: tenantParams,
    query: nodesQuery,
    response: pageOf(managedNode).extend({
      at: instant.nullable(),
      trail: z.array(trailStep),
    }),
    errors: ['restore.source-unknown'],
  }),
  versions: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/versions',
    action: 'content.browse',
    summary: 'Every version of a file that is kept, newest first',
    params: tenantParams,
    query: onePlace,
    response: z.object({ items: z.array(keptVersion) }),
    errors: ['restore.source-unknown'],
  }),
  compare: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/data-management/comparisons',
    action: 'content.read',
    summary: 'What differs between the words of two items or versions of a file; each is opened by a ticket of its own',
    params: tenantParams,
    body: z.object({ older: comparedVersion, newer: comparedVersion }),
    response: z.object({
      parts: z.array(wordPart),
      /** Only the beginnings of the texts were compared. */
      isCut: z.boolean(),
    }),
    errors: ['content.ticket-expired', 'content.item-unknown', 'compliance.no-words', ...readRefusals],
  }),
  kept: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/kept',
    action: 'content.browse',
    summary: 'Why a file or folder is kept, since when, and who can open it',
    params: tenantParams,
    query: onePlace,
    response: kept.extend({ shares: z.array(share), grants: z.array(grant) }),
    errors: ['restore.source-unknown'],
  }),
  keptItem: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/content-tickets/:ticket/kept',
    action: 'content.read',
    summary: 'Why the item of a ticket is kept, and until when',
    params: ticketParams,
    response: keptItem,
    errors: ['content.ticket-expired', 'content.item-unknown', ...readRefusals],
  }),
  waste: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/version-waste',
    action: 'content.browse',
    summary: 'What earlier versions take, and what a rule would free',
    params: tenantParams,
    query: wasteQuery,
    response: pageOf(wasteRow).extend(
      totals({
        files: count,
        versions: count,
        versionBytes: z.number(),
        freedVersions: count,
        freedBytes: z.number(),
        heldBytes: z.number(),
        notKept: count,
      }),
    ),
  }),
  cleanUps: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/clean-ups',
    action: 'content.browse',
    summary: 'Clean-ups of versions, newest first',
    params: tenantParams,
    query: cleanUpsQuery,
    response: pageOf(cleanUpPlan),
  }),
  planCleanUp: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/data-management/clean-ups',
    action: 'jobs.run',
    summary: 'Read back every version that a rule would delete; its script is ready when the run has ended well',
    params: tenantParams,
    body: z.object({
      newest: z.int().min(0).max(50_000),
      days: z.int().min(1).max(36_500),
      siteId: id.nullable().default(null),
      ownerId: z.string().min(1).max(200).nullable().default(null),
    }),
    response: taskReference,
    status: 202,
  }),
  cleanUpScript: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/clean-ups/:reportId/script',
    action: 'content.browse',
    summary: 'The PowerShell script of a clean-up that was read back whole',
    params: runParams,
    response: 'download',
    errors: ['compliance.plan-stopped'],
  }),
  duplicates: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/duplicates',
    action: 'content.browse',
    summary: 'The same content in several places',
    params: tenantParams,
    query: duplicatesQuery,
    response: pageOf(duplicateRow).extend(totals({ copies: count, wastedBytes: z.number() })),
  }),
  stale: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/stale-files',
    action: 'content.browse',
    summary: 'Files that nobody has changed for a time',
    params: tenantParams,
    query: staleQuery,
    response: pageOf(staleRow).extend(totals({ files: count, bytes: z.number() })),
  }),
  exposure: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/exposure',
    action: 'content.browse',
    summary: 'Links for anyone and for the organization, and rights of guests',
    params: tenantParams,
    query: exposureQuery,
    response: pageOf(exposureRow).extend(totals({ items: count, anyone: count, guest: count, organisation: count, endless: count })),
  }),
  sensitive: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/sensitive-files',
    action: 'content.browse',
    summary: 'Files with personal or payment numbers, and who can open them',
    params: tenantParams,
    query: sensitiveQuery,
    // Mail and chat messages with such numbers are counted for the whole tenant; search shows them by person.
    response: pageOf(sensitiveRow).extend(totals({ files: count, exposed: count, unread: count, mails: count, chats: count })),
  }),
  sensitiveConversations: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/sensitive-conversations',
    action: 'content.browse',
    summary: 'Chats and channels with personal or payment numbers, and the guests who can read them',
    params: tenantParams,
    query: sensitiveConversationsQuery,
    response: pageOf(sensitiveConversation).extend(totals({ conversations: count, messages: count, exposed: count })),
  }),
  storage: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/storage',
    action: 'content.browse',
    summary: 'What takes up space, by site, kind of file or age',
    params: tenantParams,
    query: storageQuery,
    response: pageOf(storageRow).extend(totals({ files: count, bytes: z.number(), versionBytes: z.number() })),
  }),
  growth: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/growth',
    action: 'content.browse',
    summary: 'When the data of today was written, by month',
    params: tenantParams,
    query: growthQuery,
    response: growth,
  }),
  owners: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/owners',
    action: 'content.browse',
    summary: 'Who owns the files of sites and drives, those included who are gone from Microsoft 365',
    params: tenantParams,
    query: ownersQuery,
    response: pageOf(ownerRow).extend(totals({ files: count, bytes: z.number() })),
  }),
  siteOwners: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/data-management/site-owners',
    action: 'content.browse',
    summary: 'Who owns each site, and which sites nobody owns; of sites without a group Microsoft does not say it',
    params: tenantParams,
    query: siteOwnersQuery,
    // Of all sites that the filter names, whatever their state.
    response: pageOf(siteOwnersRow).extend(totals({ none: count, blocked: count, owned: count, unknown: count })),
  }),
};
