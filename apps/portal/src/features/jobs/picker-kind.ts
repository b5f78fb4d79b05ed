import { discovery } from '@holdfast/contract/discovery';
import type { Workload } from '@holdfast/contract/values';
import type { PhraseKey } from '../../i18n/phrase-key.ts';

/** What a picker chooses from, and where the server lists it. */
export const routes = { users: discovery.users, groups: discovery.groups, sites: discovery.sites, teams: discovery.teams } as const;
export type PickerKind = keyof typeof routes;

/** Who chose nobody is told so in the words of what there is to choose. */
export const nobodyChosen: Readonly<Record<PickerKind, PhraseKey>> = {
  users: 'validation.usersRequired',
  groups: 'validation.usersRequired',
  sites: 'validation.sitesRequired',
  teams: 'validation.teamsRequired',
};

/** What a job of a workload chooses from and leaves out. Beside teams it is users when their chats belong to it. */
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
