import type { Action } from '@holdfast/contract/actions';
import type { ComponentType } from 'react';
import type { PhraseKey } from '../i18n/phrase-key.ts';

/** The groups of the navigation, in their order. */
export const navigationGroups = ['home', 'backup', 'archive', 'teams', 'compliance', 'reports', 'configuration', 'help'] as const;
export type NavigationGroup = (typeof navigationGroups)[number];

export const groupTitles: Readonly<Record<NavigationGroup, PhraseKey>> = {
  home: 'shell.groupHome',
  backup: 'shell.groupBackup',
  archive: 'shell.groupArchive',
  teams: 'shell.groupTeams',
  compliance: 'shell.groupCompliance',
  reports: 'shell.groupReports',
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
  /** Shown only to roles that may do this. */
  readonly action?: Action;
  /** Also serves what lies below its address: details, creation, editing. */
  readonly deep?: true;
  /** Without a sign-in check. */
  readonly open?: true;
  /** Usable before a customer is chosen. */
  readonly beforeChoice?: true;
}
