import { discovery } from '@holdfast/contract/discovery';
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
