import { z } from 'zod';
import { defineRoute } from './shared/route.ts';
import { tenantParams } from './shared/values.ts';

/** Who opens content of others: owners and administrators with a reason, or only whoever has a right of their own. */
export const contentAccessModes = ['open', 'strict'] as const;
export type ContentAccessMode = (typeof contentAccessModes)[number];

export const contentAccessBody = z.object({ access: z.enum(contentAccessModes) });

/** The rule in force, and whether a change of it waits for a second person. */
export const contentAccessRule = contentAccessBody.extend({ organisationId: z.string(), isChanging: z.boolean() });

export const contentAccess = {
  read: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/content-access',
    action: 'configuration.read',
    summary: 'Who may open content of others in this organisation',
    params: tenantParams,
    response: contentAccessRule,
  }),
  change: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/content-access',
    action: 'organisation.manage',
    summary: 'Ask for another rule; it comes into force when a second person has approved',
    params: tenantParams,
    body: contentAccessBody,
    response: contentAccessRule,
    errors: ['content.access-unchanged'],
  }),
};
