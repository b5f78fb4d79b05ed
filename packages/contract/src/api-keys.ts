import { z } from 'zod';
import { keyRoles } from './shared/actions.ts';
import { networkList } from './shared/networks.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, oneLine } from './shared/values.ts';

/** How long a key may be valid. */
export const keyDays = [30, 90, 180, 365] as const;

export const apiKeyStates = ['active', 'suspended', 'expired', 'ended'] as const;

/** `networks`: addresses or networks that the key may be used from; anywhere when the list is empty. */
export const apiKeyBody = z.object({
  name: oneLine(z.string({ error: 'validation.name' }).trim().min(1, { error: 'validation.name' }).max(100, { error: 'validation.name' })),
  role: z.enum(keyRoles),
  days: z.coerce.number().int().min(1).max(365),
  networks: networkList.default([]),
});
export type ApiKeyBody = z.output<typeof apiKeyBody>;

export const apiKey = z.object({
  apiKeyId: id,
  name: z.string(),
  role: z.enum(keyRoles),
  /** `suspended`: the person it acts for is disabled, has left, or has a role below that of the key. */
  state: z.enum(apiKeyStates),
  networks: z.array(z.string()),
  /** The person it acts for. */
  creator: z.string(),
  createdAt: instant,
  expiresAt: instant,
  endedAt: instant.nullable(),
  endedBy: z.string().nullable(),
  lastUsedAt: instant.nullable(),
  lastUsedAddress: z.string().nullable(),
});
export type ApiKey = z.output<typeof apiKey>;

/** Which of my organisations: the one chosen last when it is left out. */
const query = z.object({ organisationId: id.optional() });

export const apiKeys = {
  list: defineRoute({
    method: 'GET',
    path: '/api/api-keys',
    action: 'apiKeys.manage',
    summary: 'API keys of the organisation, the newest first; never the keys themselves',
    query,
    response: z.object({ items: z.array(apiKey) }),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/api-keys',
    action: 'apiKeys.manage',
    summary: 'Create an API key that acts for the caller; it is shown in this answer only',
    query,
    body: apiKeyBody,
    response: apiKey.extend({ key: z.string() }),
    status: 201,
    errors: ['api-keys.above-role', 'api-keys.too-many'],
  }),
  end: defineRoute({
    method: 'DELETE',
    path: '/api/api-keys/:apiKeyId',
    action: 'apiKeys.manage',
    summary: 'End an API key at once; its record stays',
    params: z.object({ apiKeyId: id }),
    query,
    response: 'empty',
    status: 204,
    errors: ['api-keys.over', 'api-keys.above-role'],
  }),
};
