import { z } from 'zod';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams } from './shared/values.ts';

/** What was done with content. */
export const contentAccessKinds = ['opened', 'listed', 'downloaded', 'restored', 'searched'] as const;
export type ContentAccessKind = (typeof contentAccessKinds)[number];

/** Why it was allowed: a role where access is open, one's own mailbox, a proxy right, a case or what was frozen for an auditor. */
export const contentAccessGrounds = ['role', 'own', 'proxy', 'case', 'auditor'] as const;

/** One access to content: who, whose, on what right, for what reason. */
export const contentAccessEntry = z.object({
  id: z.string(),
  at: instant,
  kind: z.enum(contentAccessKinds),
  reader: z.string(),
  /** Whether it was the person who asks. */
  isOwn: z.boolean(),
  /** Whose content; empty for a search over everything in reach, and for content that is gone. */
  owners: z.array(z.object({ resourceId: z.string(), name: z.string() })),
  ground: z.enum(contentAccessGrounds).nullable(),
  /** The purpose of the proxy right or of the auditor's access, or the matter of the case. */
  groundName: z.string().nullable(),
  reason: z.string().nullable(),
  /** Of a search: how it was read, and how much it found. */
  query: z.string().nullable(),
  count: z.number().int().nullable(),
  address: z.string().nullable(),
});
export type ContentAccessEntry = z.infer<typeof contentAccessEntry>;

export const accessLog = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/content-accesses',
    action: 'content.read',
    summary: 'Who opened, searched, downloaded or restored whose content; all of it for owners and auditors, for others what is theirs',
    params: tenantParams,
    query: listQuery({
      sort: ['at'],
      filter: {
        kind: z.enum(contentAccessKinds).optional(),
        ground: z.enum(contentAccessGrounds).optional(),
        resourceId: id.optional(),
        /** One item by its node: an archived message by its hash. */
        itemId: z.string().min(1).max(1_000).optional(),
        from: instant.optional(),
        to: instant.optional(),
      },
    }),
    response: pageOf(contentAccessEntry),
  }),
};
