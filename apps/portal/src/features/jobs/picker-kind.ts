import { discovery } from '@holdfast/contract/discovery';
import { traitsOf, type Job } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';
import type { PhraseKey } from '../../i18n/phrase-key.ts';

/** What a picker chooses from, and where the server lists it. */
export const routes = {
  users: discovery.users,
  groups: discovery.groups,
  sites: discovery.sites,
  teams: discovery.teams,
  members: discovery.users,
} as const;
export type PickerKind = keyof typeof routes;
/** What a job chooses: from a list, or channels of a team, or an expression for the names of teams. */
export type SourceKind = PickerKind | 'channels' | 'teamExpression';

/** Whether what is listed is protected itself: of a group its members are, of people in a job of Teams their teams or chats. */
export function isProtectedItself(kind: PickerKind, workload: Workload | undefined): boolean {
  return kind === 'users' ? workload !== 'teams' : kind === 'sites' || kind === 'teams';
}

/** Who chose nobody is told so in the words of what there is to choose. */
export const nobodyChosen: Readonly<Record<SourceKind, PhraseKey>> = {
  users: 'validation.usersRequired',
  groups: 'validation.usersRequired',
  sites: 'validation.sitesRequired',
  teams: 'validation.teamsRequired',
  members: 'validation.teamsRequired',
  channels: 'validation.teamsRequired',
  teamExpression: 'validation.teamsRequired',
};

/** What a job chooses from; a deletion and a drill take whole teams. */
export function sourceKindsOf(
  workload: Workload,
  { type, withChats = false }: { readonly type: Job['type']; readonly withChats?: boolean },
) {
  if (workload !== 'teams') return kindsOf(workload);
  const takesChannels = traitsOf(type).protects === true;
  const kinds: readonly [SourceKind, ...SourceKind[]] = [
    'teams',
    ...(takesChannels ? (['channels'] as const) : []),
    'members',
    'teamExpression',
    ...(withChats ? (['users'] as const) : []),
  ];
  return kinds;
}

/** What a job of a workload leaves out. Beside teams it is users when their chats belong to it. */
export function kindsOf(workload: Workload, withChats = false): readonly [PickerKind, ...PickerKind[]] {
  switch (workload) {
    case 'exchange':
    case 'onedrive':
      return ['users', 'groups'];
    case 'sharepoint':
      return ['sites'];
    case 'teams':
      return withChats ? ['teams', 'users'] : ['teams'];
  }
}
