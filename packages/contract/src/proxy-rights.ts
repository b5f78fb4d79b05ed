import { z } from 'zod';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, said, tenantParams } from './shared/values.ts';

/** What a proxy may do with somebody else's content: open and search it, take it out as a file, restore it to another place. */
export const proxyActions = ['read', 'export', 'restore'] as const;
export type ProxyAction = (typeof proxyActions)[number];

export const proxyHolderKinds = ['account', 'group'] as const;
export const proxyTargetKinds = ['account', 'group', 'everyone'] as const;
const privateAccess = ['no', 'waiting', 'yes'] as const;
export const proxyRightStates = ['upcoming', 'active', 'expired', 'removed'] as const;

const directoryId = z.string({ error: 'validation.required' }).min(1, { error: 'validation.required' }).max(200);
const holder = z.object({ kind: z.enum(proxyHolderKinds), id: directoryId });
const target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account'), id: directoryId }),
  z.object({ kind: z.literal('group'), id: directoryId }),
  z.object({ kind: z.literal('everyone') }),
]);

/** Limits that are not enforced yet: asking for one is refused instead of being ignored. */
const notOffered = z.literal(false, { error: 'validation.invalid' }).optional();

/** One year after a moment, by the calendar. */
function aYearAfter(text: string): Date {
  const end = new Date(text);
  end.setUTCFullYear(end.getUTCFullYear() + 1);
  return end;
}

interface AccessTime {
  readonly accessFrom: string;
  readonly accessTo: string;
}

/** Whether access to content of others begins before it ends. */
export const isAccessInOrder = ({ accessFrom, accessTo }: AccessTime): boolean => Date.parse(accessFrom) < Date.parse(accessTo);
/** Whether it lasts a year at most. */
export const isAccessOfAYear = ({ accessFrom, accessTo }: AccessTime): boolean => Date.parse(accessTo) <= aYearAfter(accessFrom).getTime();

/** Gives a person or group access to what is kept of others. `mailFrom` and `mailTo` limit it to items of that time. */
export const proxyRightBody = z
  .object({
    holder,
    target,
    may: z.array(z.enum(proxyActions)).min(1, { error: 'validation.proxyActions' }).max(proxyActions.length),
    mailFrom: instant.nullable().default(null),
    mailTo: instant.nullable().default(null),
    accessFrom: instant,
    accessTo: instant,
    purpose: z.string().trim().min(3, { error: 'validation.purpose' }).max(500, { error: 'validation.tooLong' }),
    /** Messages too that their owners have marked as private: once a second person has approved it, who must not be a holder. */
    includesPrivate: z.boolean().default(false),
    needsRelease: notOffered,
    tellsOwner: notOffered,
  })
  .refine(({ mailFrom, mailTo }) => mailFrom === null || mailTo === null || mailFrom <= mailTo, {
    path: ['mailTo'],
    error: 'validation.holdPeriod',
  })
  .refine(isAccessInOrder, { path: ['accessTo'], error: 'validation.holdPeriod' })
  .refine(isAccessOfAYear, { path: ['accessTo'], error: 'validation.accessYear' });
export type ProxyRightBody = z.infer<typeof proxyRightBody>;

const named = { name: z.string(), address: z.string() };

export const proxyHolder = holder.extend(named);
export type ProxyHolder = z.infer<typeof proxyHolder>;

export const proxyRight = z.object({
  proxyRightId: id,
  state: z.enum(proxyRightStates),
  holder: proxyHolder,
  target: z.object({ kind: z.enum(proxyTargetKinds), id: z.string().nullable(), ...named }),
  may: z.array(z.enum(proxyActions)),
  mailFrom: instant.nullable(),
  mailTo: instant.nullable(),
  accessFrom: instant,
  accessTo: instant,
  purpose: z.string(),
  granter: z.string(),
  grantedAt: instant,
  remover: z.string().nullable(),
  removedAt: instant.nullable(),
  /** Whether it opens private messages: `waiting` until a second person has approved it. */
  includesPrivate: z.enum(privateAccess),
  /** How many people of the directory hold it now. */
  people: z.number().int(),
  /** How many mailboxes it covers now. */
  mailboxes: z.number().int(),
  /** When holder and target were last read from the directory. */
  synchronisedAt: instant.nullable(),
});
export type ProxyRight = z.infer<typeof proxyRight>;

/** Somebody or a group that holds rights now or will. */
export const proxyAccount = z.object({ holder: proxyHolder, rights: z.number().int(), accessTo: instant });
export type ProxyAccount = z.infer<typeof proxyAccount>;

export const exemptionStates = ['active', 'ending', 'ended'] as const;

/** Somebody whose content opens to nobody on a role or a proxy right. */
export const proxyExemptionBody = z.object({
  party: holder,
  reason: said(500),
});
export type ProxyExemptionBody = z.infer<typeof proxyExemptionBody>;

export const proxyExemptionEndBody = proxyExemptionBody.pick({ reason: true });

/** `ending`: it holds until a second person has approved its end. */
export const proxyExemption = z.object({
  exemptionId: id,
  state: z.enum(exemptionStates),
  party: proxyHolder,
  reason: z.string(),
  adder: z.string(),
  addedAt: instant,
  endedAt: instant.nullable(),
});
export type ProxyExemption = z.infer<typeof proxyExemption>;

export const proxyRightsQuery = listQuery({
  sort: ['holder', 'target', 'accessFrom', 'accessTo', 'grantedAt'],
  filter: { state: z.enum(proxyRightStates).optional(), holderId: z.string().max(200).optional() },
});
export const proxyAccountsQuery = listQuery({ sort: ['holder', 'rights', 'accessTo'], filter: {} });

const grantErrors = [
  'proxy-rights.already-selected',
  'proxy-rights.already-holds',
  'proxy-rights.own',
  'proxy-rights.party-unknown',
  'proxy-rights.access-over',
  'discovery.directory-unavailable',
  'tenants.deprovisioned',
] as const;

export const proxyRights = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/proxy-rights',
    action: 'proxyRights.manage',
    summary: 'Who may open whose content, on whose word and until when',
    params: tenantParams,
    query: proxyRightsQuery,
    response: pageOf(proxyRight),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/proxy-rights/:proxyRightId',
    action: 'proxyRights.manage',
    summary: 'One proxy right',
    params: tenantParams.extend({ proxyRightId: id }),
    response: proxyRight,
  }),
  exemptions: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/proxy-exemptions',
    action: 'proxyRights.manage',
    summary: 'Whose content opens to nobody on a role or a proxy right, exemptions that have ended too',
    params: tenantParams,
    response: z.object({ items: z.array(proxyExemption) }),
  }),
  exempt: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/proxy-exemptions',
    action: 'proxyRights.manage',
    summary: 'Exempt an account or the members of a group; in force at once',
    params: tenantParams,
    body: proxyExemptionBody,
    response: proxyExemption,
    status: 201,
    errors: ['proxy-rights.already-exempt', 'proxy-rights.party-unknown', 'discovery.directory-unavailable', 'tenants.deprovisioned'],
  }),
  endExemption: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/proxy-exemptions/:exemptionId/end',
    action: 'proxyRights.manage',
    summary: 'Ask for the end of an exemption; it holds until a second person has approved',
    params: tenantParams.extend({ exemptionId: id }),
    body: proxyExemptionEndBody,
    response: proxyExemption,
    errors: ['proxy-rights.not-exempt'],
  }),
  grant: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/proxy-rights',
    action: 'proxyRights.manage',
    summary: 'Grant a proxy right; nobody grants one to themselves or to a group they belong to',
    params: tenantParams,
    body: proxyRightBody,
    response: proxyRight,
    status: 201,
    errors: grantErrors,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/proxy-rights/:proxyRightId',
    action: 'proxyRights.manage',
    summary: 'End a proxy right at once; its record stays',
    params: tenantParams.extend({ proxyRightId: id }),
    response: 'empty',
    status: 204,
    errors: ['proxy-rights.over'],
  }),
};

const legacy = { surface: 'legacy', staged: true, action: 'proxyRights.manage' } as const;

/** The same under the names of the specification, for the tenant in use. */
export const legacyProxyRights = {
  accounts: defineRoute({
    ...legacy,
    method: 'GET',
    path: '/proxy-accounts',
    summary: 'Accounts and groups that hold proxy rights',
    query: proxyAccountsQuery,
    response: pageOf(proxyAccount),
  }),
  rights: defineRoute({
    ...legacy,
    method: 'GET',
    path: '/proxy-rights',
    summary: 'Proxy rights',
    query: proxyRightsQuery,
    response: pageOf(proxyRight),
  }),
  account: defineRoute({
    ...legacy,
    method: 'GET',
    path: '/proxy-account',
    summary: 'An account or group with its proxy rights',
    query: z.object({ holderId: directoryId }),
    response: z.object({ holder: proxyHolder, items: z.array(proxyRight) }),
  }),
  grant: defineRoute({
    ...legacy,
    method: 'POST',
    path: '/proxy-account',
    summary: 'Grant a proxy right',
    body: proxyRightBody,
    response: proxyRight,
    status: 201,
    errors: grantErrors,
  }),
  remove: defineRoute({
    ...legacy,
    method: 'DELETE',
    path: '/proxy-account',
    summary: 'End a proxy right at once',
    query: z.object({ proxyRightId: id }),
    response: 'empty',
    status: 204,
    errors: ['proxy-rights.over'],
  }),
};
