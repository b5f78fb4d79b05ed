import { z } from 'zod';
import { teamExpressionMaxLength } from '../shared/limits.ts';
import type { Workload } from '../shared/values.ts';
import { whole } from './whole.ts';

/** Somebody or something that can be chosen. `id` is Microsoft's; name and address are what the list showed. */
export const sourceReference = z.object({
  id: z.string().min(1).max(400),
  name: z.string().max(400),
  address: z.string().max(600).default(''),
});
export type SourceReference = z.infer<typeof sourceReference>;
/** One channel, with the team that it is of; the address is that of the team. */
export const channelReference = sourceReference.extend({ teamId: z.string().min(1).max(200), teamName: z.string().max(400) });
export type ChannelReference = z.infer<typeof channelReference>;

const references = z.array(sourceReference).max(10_000).default([]);
/** A folder by its full path (`Inbox/Sub`). */
export const folderPath = z.string().trim().min(1, { error: 'validation.required' }).max(800, { error: 'validation.tooLong' });
const folders = z.array(folderPath).max(200).default([]);

export const sourceOptions = z.object({
  deletedItems: z.boolean().default(true),
  junk: z.boolean().default(true),
  recoverableItems: z.boolean().default(false),
  calendars: z.boolean().default(true),
  contacts: z.boolean().default(true),
  tasks: z.boolean().default(true),
  /** Earlier versions of a file that are kept when it is read for the first time. */
  fileVersions: whole(0, 500, 'rules.firstVersions').default(10),
  chats: z.boolean().default(false),
});

/** Sources of Teams that jobs of earlier versions do not have. */
const teamSources = {
  channels: z.array(channelReference).max(10_000).default([]),
  /** People whose teams are covered, all that each is in when the job runs. */
  members: references,
  /** Teams whose name has this regular expression (RE2, whatever the case) when the job runs; none when empty. */
  teamExpression: z.string().trim().max(teamExpressionMaxLength, { error: 'validation.tooLong' }).default(''),
};

/**
 * What a job covers. `everyone` takes all of the workload, newcomers included; groups, members and
 * the expression are resolved at each run. What is excluded wins; a whole team wins over its channels.
 */
export const jobSource = z
  .object({
    everyone: z.boolean().default(false),
    users: references,
    groups: references,
    sites: references,
    teams: references,
    ...teamSources,
    excluded: references,
    includeFolders: folders,
    excludeFolders: folders,
    options: sourceOptions.default(() => sourceOptions.parse({})),
  })
  .refine((source) => source.everyone || countSources(source) > 0, { path: ['users'], error: 'validation.usersRequired' });
export type JobSource = z.infer<typeof jobSource>;

type Chosen = Record<'users' | 'groups' | 'sites' | 'teams' | 'channels' | 'members', readonly SourceReference[]> & {
  teamExpression: string;
};

/** How much was chosen beside everyone: each reference, and the expression as one. */
export function countSources({ users, groups, sites, teams, channels, members, teamExpression }: Chosen): number {
  const lists = [users, groups, sites, teams, channels, members];
  return lists.reduce((sum, list) => sum + list.length, teamExpression === '' ? 0 : 1);
}

/** Samples and restore points are of whole teams. */
export const unitSource = jobSource.refine(({ channels }) => channels.length === 0, { path: ['channels'], error: 'validation.wholeTeams' });
/** A deletion gives up restore points, and those are of a whole resource. */
export const wholeSource = unitSource.refine(({ includeFolders, excludeFolders }) => includeFolders.length + excludeFolders.length === 0, {
  path: ['includeFolders'],
  error: 'validation.wholePoints',
});

const sourceKinds = ['users', 'groups', 'sites', 'teams', 'channels', 'members', 'teamExpression'] as const;

/** What jobs of a workload can choose. Of Teams, people are chosen for their chats; its groups are teams. */
function kindsOf(of: Workload, { options }: JobSource): readonly (typeof sourceKinds)[number][] {
  switch (of) {
    case 'exchange':
    case 'onedrive':
      return ['users', 'groups'];
    case 'sharepoint':
      return ['sites'];
    case 'teams':
      return ['teams', 'groups', 'channels', 'members', 'teamExpression', ...(options.chats ? (['users'] as const) : [])];
  }
}

/** Refuses what would be passed over in silence: a job of mail that names sites alone would protect nothing. */
export function refuseOtherSources(
  { workload, source }: { readonly workload: Workload; readonly source: JobSource },
  context: z.RefinementCtx,
): void {
  const kinds = kindsOf(workload, source);
  for (const kind of sourceKinds.filter((one) => !kinds.includes(one) && source[one].length > 0))
    context.addIssue({ code: 'custom', path: ['source', kind], message: 'validation.otherWorkload' });
}

/** A source as it was kept, with what jobs of earlier versions do not have. */
export function completeSource(kept: JobSource): JobSource {
  return { ...z.object(teamSources).parse({}), ...kept };
}
