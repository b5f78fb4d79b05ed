/**
 * What Microsoft permits and what we use of it. Microsoft changes these figures without notice, so each names the page
 * and the date it was read from:
 *
 * - SharePoint and OneDrive: "Avoid getting throttled or blocked in SharePoint Online", 2025-10.
 * - Outlook, directory, Teams, reports: "Microsoft Graph service-specific throttling limits", 2024 to 2026.
 */

export interface Limit {
  readonly limit: number;
  readonly windowMs: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const GB = 1e9;

/** App and mailbox: 10,000 requests in 10 minutes, 4 at a time, 150 MB of upload in 5 minutes. */
export const OUTLOOK = {
  requests: { limit: 9_600, windowMs: 10 * MINUTE },
  slots: 4,
  slotsForRestores: 1,
  uploadBytes: { limit: 140_000_000, windowMs: 5 * MINUTE },
} as const;

/** App and tenant, by number of licences: resource units per minute and per day. */
const SHAREPOINT_STEPS = [
  { upToLicences: 1_000, perMinute: 1_250, perDay: 1_200_000 },
  { upToLicences: 5_000, perMinute: 2_500, perDay: 2_400_000 },
  { upToLicences: 15_000, perMinute: 3_750, perDay: 3_600_000 },
  { upToLicences: 50_000, perMinute: 5_000, perDay: 4_800_000 },
  { upToLicences: Number.POSITIVE_INFINITY, perMinute: 6_250, perDay: 6_000_000 },
] as const;

const SHARE = 0.95;
const HELD_FOR_RESTORES = 0.2;

export interface SharePointLimits {
  readonly minute: Limit;
  readonly day: Limit & { readonly heldForRestores: number };
}

export function sharePointLimits(licenceCount: number): SharePointLimits {
  const step = SHAREPOINT_STEPS.find((candidate) => licenceCount <= candidate.upToLicences) ?? SHAREPOINT_STEPS[0];
  const perDay = Math.floor(step.perDay * SHARE);
  return {
    minute: { limit: Math.floor(step.perMinute * SHARE), windowMs: MINUTE },
    day: { limit: perDay, windowMs: 24 * HOUR, heldForRestores: Math.ceil(perDay * HELD_FOR_RESTORES) },
  };
}

/** App and tenant. */
export const SHAREPOINT = {
  bytesIn: { limit: 400 * GB, windowMs: HOUR },
  bytesOut: { limit: 400 * GB, windowMs: HOUR },
  sharing: { limit: 300, windowMs: 5 * MINUTE },
} as const;

/** Teams permits its rates for moments and 83 % of them in the long run. */
const TEAMS_SHARE = SHARE * 0.83;

/** Our share of a rate, as the whole number of requests in a slightly longer window: small numbers lose nothing to rounding. */
function rate(limit: number, windowMs: number = SECOND): Limit {
  return { limit, windowMs: Math.ceil(windowMs / TEAMS_SHARE) };
}

/** App and tenant, by family of calls. */
export const TEAMS = {
  readChannelMessages: rate(20),
  readChatMessages: rate(20),
  readAllMessages: rate(200),
  readMembersAndChannels: rate(60),
  readOther: rate(30),
  postChannelMessage: rate(50),
  postChatMessage: rate(20),
  readChatsOfUsers: rate(20),
  createTeam: rate(10),
  createChannel: rate(10),
  createChat: rate(20),
  addMembers: rate(10),
  completeMigration: rate(10),
  postOther: rate(30),
  remove: rate(15),
} as const;

export type TeamsFamily = keyof typeof TEAMS;

/** Per team, per channel or chat (app and tenant, imports included), and per user. */
export const TEAMS_PARTS = {
  team: rate(4),
  conversation: rate(1),
  addMember: rate(4, MINUTE),
  chatsOfUser: rate(5),
} as const;

/** App and tenant, by number of users: units in 10 seconds; half of it is ours. */
export function directoryLimit(userCount: number): Limit {
  const units = userCount > 500 ? 8_000 : userCount >= 50 ? 5_000 : 3_500;
  return { limit: units / 2, windowMs: 10 * SECOND };
}

export const DIRECTORY_WRITES: Limit = { limit: 1_500, windowMs: 150 * SECOND };

/** Each report, app and tenant. */
export const REPORTS: Limit = { limit: 13, windowMs: 10 * MINUTE };
