import type { Action } from '@holdfast/contract/actions';
import type { ComponentType } from 'react';
import type { PhraseKey } from '../i18n/phrase-key.ts';

/** The entries of the navigation, in their order: a page of that name, or several pages of which the first opens. */
export const navigationGroups = [
  'overview',
  'restore',
  'people',
  'search',
  'jobs',
  'activity',
  'reports',
  'archive',
  'compliance',
  'configuration',
  'help',
] as const;
export type NavigationGroup = (typeof navigationGroups)[number];

export const groupTitles: Readonly<Record<NavigationGroup, PhraseKey>> = {
  overview: 'shell.overview',
  restore: 'shell.restore',
  people: 'shell.people',
  search: 'shell.search',
  jobs: 'shell.groupJobs',
  activity: 'shell.groupActivity',
  reports: 'shell.groupReports',
  archive: 'shell.groupArchive',
  compliance: 'shell.groupCompliance',
  configuration: 'shell.groupConfiguration',
  help: 'shell.groupHelp',
};

/** A page behind the sign-in (or beside it), loaded when it is first opened. */
export interface PageRoute {
  readonly path: string;
  readonly title: PhraseKey;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** Its place in the navigation; without one it is reached from elsewhere. */
  readonly group?: NavigationGroup;
  /** The address of the page whose entry is marked for this one too: two tabs with one entry. */
  readonly under?: string;
  /** Shown only to roles that may do this. */
  readonly action?: Action;
  /** Also serves what lies below its address: details, creation, editing. */
  readonly deep?: true;
  /** Without a sign-in check. */
  readonly open?: true;
  /** Usable before a customer is chosen. */
  readonly beforeChoice?: true;
}
