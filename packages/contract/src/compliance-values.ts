import { z } from 'zod';
import { retentionRule } from './jobs.ts';
import { runStatuses } from './run-status.ts';
import { id, instant } from './shared/values.ts';

/** How long a file or site has not been changed: the filters of the specification, then years. */
export const staleFor = ['days30', 'weeks8', 'months6', 'year1', 'years2', 'years5'] as const;
export type StaleFor = (typeof staleFor)[number];

/** Who can open an item by a link or an invitation, the widest audience first. */
export const audiences = ['anyone', 'guest', 'organisation'] as const;
export type Audience = (typeof audiences)[number];

/** Personal and payment numbers that are told from others by their check digits. */
export const sensitiveKinds = ['iban', 'card', 'taxId', 'socialSecurity', 'passport', 'vat'] as const;

/** How old files are by their last change: younger than 30 days, and so on. */
export const ageBuckets = ['days30', 'weeks8', 'months6', 'year1', 'years2', 'years5', 'older'] as const;
export type AgeBucket = (typeof ageBuckets)[number];

/** What a file is, by the ending of its name. */
export const fileKinds = [
  'document',
  'spreadsheet',
  'presentation',
  'pdf',
  'picture',
  'video',
  'audio',
  'mail',
  'archive',
  'other',
] as const;
export type FileKind = (typeof fileKinds)[number];

export const scanKinds = ['monthly', 'scheduled', 'onDemand'] as const;

/** What the newest scan found in a site or a OneDrive. */
const siteFigures = {
  files: z.number().int(),
  bytes: z.number(),
  /** Earlier versions in Microsoft 365, the current one not counted. */
  versions: z.number().int(),
  versionBytes: z.number(),
  /** Deleted in Microsoft 365, and still kept here. */
  deleted: z.number().int(),
  duplicates: z.number().int(),
  /** Files and folders that more people can open than those of the site. */
  exposed: z.number().int(),
};

/** Where a site or a OneDrive is kept. */
const siteName = {
  siteId: id,
  sourceId: id,
  locationId: id,
  name: z.string(),
  url: z.string(),
  kind: z.enum(['drive', 'site']),
};

export const managedSite = z.object({
  ...siteName,
  ...siteFigures,
  newestChangeAt: instant.nullable(),
  newestPointAt: instant.nullable(),
  /** Microsoft 365 no longer has it. */
  deletedAt: instant.nullable(),
  isHeld: z.boolean(),
  /** Null until a scan has read it. */
  scannedAt: instant.nullable(),
});
export type ManagedSite = z.infer<typeof managedSite>;

export const nodeStates = ['live', 'changed', 'deleted'] as const;

/** A file or folder as a restore point has it, with what has become of it since. */
export const managedNode = z.object({
  nodeId: z.string(),
  kind: z.string(),
  isContainer: z.boolean(),
  name: z.string(),
  sizeBytes: z.number(),
  modifiedAt: instant.nullable(),
  author: z.string().nullable(),
  /** Versions of the file in Microsoft 365, the current one included. */
  versions: z.number().int(),
  state: z.enum(nodeStates),
  /** The newest restore point that shows it so. */
  sequence: z.number().int(),
  audience: z.enum(audiences).nullable(),
  /** A hold is on it, on a folder that it is or was in, or on its whole site or drive. */
  isHeld: z.boolean(),
});
export type ManagedNode = z.infer<typeof managedNode>;

/** One content of a file that is kept, and the restore point to read it from. */
export const keptVersion = z.object({
  label: z.string(),
  modifiedAt: instant.nullable(),
  sizeBytes: z.number(),
  sequence: z.number().int(),
  pointAt: instant,
  isCurrent: z.boolean(),
  /** The restore point shows this content as the file itself; other versions can be downloaded from it. */
  isWhole: z.boolean(),
});
export type KeptVersion = z.infer<typeof keptVersion>;

/** A piece of a text beside an earlier text: in both of them, only in the newer, only in the older. */
export const wordPart = z.object({ change: z.enum(['same', 'added', 'removed']), text: z.string() });
export type WordPart = z.infer<typeof wordPart>;

/** Why an item is kept: the holds and policies on it, and the jobs that delete restore points by a rule. */
export const kept = z.object({
  holds: z.array(z.object({ name: z.string(), reason: z.string() })),
  /** Policies in force whose period runs for a version of it, the longest first; `until` is null while one waits for an event. */
  policies: z.array(z.object({ name: z.string(), until: instant.nullable() })),
  rules: z.array(
    z.object({
      jobName: z.string(),
      retention: retentionRule,
      /** When a rule of days lets go of what is deleted in Microsoft 365; null while it is there, and for other rules. */
      until: instant.nullable(),
    }),
  ),
  points: z.number().int(),
  oldestAt: instant.nullable(),
  newestAt: instant.nullable(),
});
export type Kept = z.infer<typeof kept>;

/** The same of any item that somebody reads. The reason of a hold is for those who may place holds. */
export const keptItem = kept.extend({
  holds: z.array(z.object({ name: z.string(), reason: z.string().nullable() })),
  /** Policies that delete it, the first that does first; `from` is null while one waits for an event. With `isReviewed` reviewers decide. */
  deletedBy: z.array(z.object({ name: z.string(), from: instant.nullable(), isReviewed: z.boolean() })),
});
export type KeptItem = z.infer<typeof keptItem>;

export const share = z.object({
  audience: z.enum(audiences),
  role: z.string(),
  who: z.string(),
  /** Null: without end. */
  expiresAt: instant.nullable(),
});
export type Share = z.infer<typeof share>;

/** A right on a file or folder, as the newest restore point has it. */
export const grant = z.object({
  /** Names of the people and groups; nobody by name for most links. */
  who: z.array(z.string()),
  role: z.string(),
  /** Whom a link opens to, in the words of Microsoft 365; null for a right without a link. */
  link: z.string().nullable(),
  /** Given on a folder above. */
  isInherited: z.boolean(),
  /** Null: without end. */
  expiresAt: instant.nullable(),
});
export type Grant = z.infer<typeof grant>;

const counts = z.object({ sites: z.number().int(), ...siteFigures, duplicateBytes: z.number() });

export const dataManagementReport = z.object({
  reportId: id,
  reportNumber: z.number().int(),
  reportDate: instant,
  kind: z.enum(scanKinds),
  counts,
  accounts: z.number().int(),
});
export type DataManagementReport = z.infer<typeof dataManagementReport>;

/** A site or OneDrive as a report found it. */
export const dataManagementAccount = z.object({
  siteId: id,
  name: z.string(),
  url: z.string(),
  kind: z.enum(['drive', 'site']),
  status: z.enum(['successful', 'failed']),
  items: z.number().int(),
  bytes: z.number(),
  errors: z.number().int(),
  versions: z.number().int(),
  versionBytes: z.number(),
  deleted: z.number().int(),
  duplicates: z.number().int(),
  exposed: z.number().int(),
});
export type DataManagementAccount = z.infer<typeof dataManagementAccount>;

export const dataManagementFigures = z.object({
  /** When the figures were read; null before the first scan. */
  scannedAt: instant.nullable(),
  sites: z.number().int(),
  ...siteFigures,
  duplicateBytes: z.number(),
  ageBuckets: z.array(z.object({ age: z.enum(ageBuckets), files: z.number().int(), bytes: z.number() })),
  /** Sites and OneDrives with restore points. */
  protected: z.number().int(),
  held: z.number().int(),
  /** Restore points that deletion jobs would have deleted when the figures were read; null without such a job, and where Microsoft 365 could not be asked. */
  due: z.number().int().nullable(),
  /** Files with personal or payment data; null while no detector has read them. */
  sensitive: z.number().int().nullable(),
  days: z.array(
    z.object({ date: z.string(), added: z.number().int(), changed: z.number().int(), removed: z.number().int(), bytes: z.number() }),
  ),
  top: z.array(managedSite),
});
export type DataManagementFigures = z.infer<typeof dataManagementFigures>;

/** Where the file of a row is. */
const place = {
  sourceId: id,
  locationId: id,
  siteName: z.string(),
  nodeId: z.string(),
  /** The folder that the file is in; null at the root of the site. */
  folderId: z.string().nullable(),
  name: z.string(),
  path: z.string(),
};

export const wasteRow = z.object({
  siteId: id,
  sourceId: id,
  locationId: id,
  siteName: z.string(),
  /** Of a file; null where a whole site is summed up. */
  nodeId: z.string().nullable(),
  folderId: z.string().nullable(),
  name: z.string(),
  path: z.string(),
  files: z.number().int(),
  versions: z.number().int(),
  versionBytes: z.number(),
  /** What the clean-up would delete. */
  freedVersions: z.number().int(),
  freedBytes: z.number(),
  /** What the rule would delete, but a hold keeps. */
  heldBytes: z.number(),
  /** Versions that the rule would delete and of which there is no backup. */
  notKept: z.number().int(),
});
export type WasteRow = z.infer<typeof wasteRow>;

/** A clean-up of versions: what it would delete in Microsoft 365, and how far it was read back. */
export const cleanUpPlan = z.object({
  reportId: id,
  reportNumber: z.number().int(),
  status: z.enum(runStatuses),
  startedBy: z.string().nullable(),
  queuedAt: instant,
  newest: z.number().int(),
  days: z.number().int(),
  versions: z.number().int(),
  bytes: z.number(),
  /** Versions that were read back from the vault, intact. */
  read: z.number().int(),
  /** Versions that the newest scan after the script was downloaded no longer found in Microsoft 365. */
  gone: z.number().int(),
  /** Why the plan was stopped. */
  code: z.string().nullable(),
});
export type CleanUpPlan = z.infer<typeof cleanUpPlan>;

export const duplicateRow = z.object({
  content: z.string(),
  name: z.string(),
  copies: z.number().int(),
  sizeBytes: z.number(),
  /** All copies but one. */
  wastedBytes: z.number(),
  sites: z.number().int(),
  /** The copies can be opened by different people: those of another site, or by other rights on the file or a folder above. */
  isSharedUnevenly: z.boolean(),
  places: z.array(z.object(place)),
});
export type DuplicateRow = z.infer<typeof duplicateRow>;

export const staleRow = z.object({
  ...place,
  siteId: id,
  sizeBytes: z.number(),
  modifiedAt: instant.nullable(),
  author: z.string().nullable(),
});
export type StaleRow = z.infer<typeof staleRow>;

export const exposureRow = z.object({ ...place, siteId: id, kind: z.string(), ...share.shape });
export type ExposureRow = z.infer<typeof exposureRow>;

/** A file with personal or payment numbers, and who can open it by a link or an invitation on it or on a folder above. */
export const sensitiveRow = z.object({
  ...place,
  siteId: id,
  sizeBytes: z.number(),
  modifiedAt: instant.nullable(),
  /** How many different numbers of each kind, and one of them with its middle hidden. */
  found: z.array(z.object({ kind: z.enum(sensitiveKinds), count: z.number().int(), sample: z.string() })),
  /** The widest audience; null when only people of the site can open it. */
  audience: z.enum(audiences).nullable(),
});
export type SensitiveRow = z.infer<typeof sensitiveRow>;

/** A chat or channel with messages that name personal or payment numbers, and its members from outside. */
export const sensitiveConversation = z.object({
  resourceId: id,
  sourceId: id,
  /** The chat or channel. */
  nodeId: z.string(),
  name: z.string(),
  /** Null for a chat. */
  team: z.string().nullable(),
  messages: z.number().int(),
  /** How many messages name numbers of each kind, and one number with its middle hidden. */
  found: z.array(z.object({ kind: z.enum(sensitiveKinds), messages: z.number().int(), sample: z.string() })),
  /** Guests, and people of other organisations. */
  guests: z.array(z.string()),
});
export type SensitiveConversation = z.infer<typeof sensitiveConversation>;

/** Somebody who owns files. */
export const ownerRow = z.object({
  ownerId: z.string(),
  name: z.string(),
  address: z.string(),
  /** When they were first found to be gone from Microsoft 365; null for those who are there. */
  goneSince: instant.nullable(),
  sites: z.number().int(),
  files: z.number().int(),
  bytes: z.number(),
});
export type OwnerRow = z.infer<typeof ownerRow>;

/** States of ownership: nobody owns the site, only people with blocked accounts do, somebody does, or Microsoft does not say. */
export const siteOwnerStates = ['none', 'blocked', 'owned', 'unknown'] as const;

/** A site and who owns it: the owners of the group behind it, for Microsoft names no others. */
export const siteOwnersRow = z.object({
  ...siteName,
  kind: z.literal('site'),
  state: z.enum(siteOwnerStates),
  /** The reason for an unknown state; null otherwise. */
  gap: z.enum(['noGroup', 'groupOfOtherSite', 'refused', 'unread']).nullable(),
  group: z.string().nullable(),
  owners: z.array(z.object({ ownerId: z.string(), name: z.string(), address: z.string(), isBlocked: z.boolean() })),
  files: z.number().int(),
  bytes: z.number(),
});
export type SiteOwnersRow = z.infer<typeof siteOwnersRow>;

/** What one site, one kind of file or one age takes up. */
export const storageRow = z.object({
  /** The id of the site, the kind or the age. */
  key: z.string(),
  /** Of a site; kinds and ages have words. */
  name: z.string(),
  files: z.number().int(),
  bytes: z.number(),
  versions: z.number().int(),
  versionBytes: z.number(),
});
export type StorageRow = z.infer<typeof storageRow>;

const written = { bytes: z.number(), versionBytes: z.number() };
/** When the data of today was written: the current versions of files, and the earlier ones. */
export const growth = z.object({
  before: z.object(written),
  /** Two years, the present month last. */
  months: z.array(z.object({ month: z.string(), ...written })),
});
export type Growth = z.infer<typeof growth>;
