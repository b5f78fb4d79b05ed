import type { JobSource } from '@holdfast/contract/jobs';
import type { Translate } from '../../i18n/phrase-key.ts';

/** What was chosen, apart from what it means. */
export type ChosenSources = Pick<JobSource, 'users' | 'groups' | 'sites' | 'teams' | 'channels' | 'members' | 'teamExpression'>;

/** What a job chooses, in words, one for each. */
export function chosenWords(chosen: ChosenSources, text: Translate): readonly string[] {
  const { users, groups, sites, teams, channels, members, teamExpression } = chosen;
  return [
    ...[...users, ...groups, ...sites, ...teams].map(({ name, address }) => name || address),
    ...channels.map(({ name, teamName }) => text('jobs.channelOf', { name, team: teamName })),
    ...members.map(({ name, address }) => text('jobs.teamsOf', { name: name || address })),
    ...(teamExpression === '' ? [] : [text('jobs.teamsNamed', { expression: teamExpression })]),
  ];
}
