import { discovery } from '@holdfast/contract/discovery';

/** What a picker chooses from, and where the server lists it. */
export const routes = { users: discovery.users, groups: discovery.groups, sites: discovery.sites, teams: discovery.teams } as const;
export type PickerKind = keyof typeof routes;
