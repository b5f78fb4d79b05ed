/**
 * The manual that the portal shows under Documentation and the help center. Each language is a module
 * of its own that is loaded when the page is opened; German must have every article of English.
 */
export const articleIds = [
  'firstStart',
  'registerApp',
  'connectTenant',
  'addLocation',
  'firstBackup',
  'jobMonitor',
  'journalMail',
  'completeArchive',
  'search',
  'restore',
  'whatComesBack',
  'retention',
  'retentionPolicies',
  'legalHolds',
  'reviewSets',
  'auditors',
  'accessRequest',
  'erasure',
  'keys',
  'darkDay',
  'roles',
  'mailboxAccess',
  'twoFactor',
  'staging',
  'auditLog',
  'limits',
] as const;
export type ArticleId = (typeof articleIds)[number];

/** Articles are grouped as an administrator meets them. */
export const articleGroups = ['start', 'daily', 'restore', 'safety'] as const;
export type ArticleGroup = (typeof articleGroups)[number];

/** Pictures of the product's own pages, one in each language, as `npm run pictures` takes them. */
export const screenshotNames = ['connect-choose', 'connect-register', 'connect-permissions'] as const;
export type ScreenshotName = (typeof screenshotNames)[number];

/** Drawings of pages that are not the product's own. Their words are in the language of the manual. */
export const diagramNames = ['appRegistration', 'entraIds', 'entraConsent'] as const;
export type DiagramName = (typeof diagramNames)[number];

export type Block =
  | { readonly kind: 'screenshot'; readonly name: ScreenshotName; readonly text: string }
  | { readonly kind: 'diagram'; readonly name: DiagramName; readonly text: string; readonly words: readonly string[] }
  | { readonly kind: 'text' | 'note'; readonly text: string }
  | { readonly kind: 'steps' | 'list'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

export interface Article {
  readonly group: ArticleGroup;
  readonly title: string;
  /** The question of the help center: "How do I …". */
  readonly question: string;
  readonly blocks: readonly Block[];
}

export interface Manual {
  readonly groups: Readonly<Record<ArticleGroup, string>>;
  readonly articles: Readonly<Record<ArticleId, Article>>;
}

/** Application roles of Microsoft Graph by workload: what a backup reads with, and what a restore adds. */
export const graphRoles = {
  directory: {
    backup: 'User.Read.All, GroupMember.Read.All, Organization.Read.All',
    restore: '–',
  },
  exchange: {
    backup: 'Mail.Read, MailboxSettings.Read, Calendars.Read, Contacts.Read, Tasks.Read.All',
    restore: 'Mail.ReadWrite, MailboxSettings.ReadWrite, Calendars.ReadWrite, Contacts.ReadWrite, Tasks.ReadWrite.All',
  },
  files: { backup: 'Files.Read.All, Sites.Read.All', restore: 'Files.ReadWrite.All, Sites.ReadWrite.All, Sites.Manage.All' },
  teams: {
    backup:
      'TeamSettings.Read.All, ChannelSettings.Read.All, ChannelMember.Read.All, ChannelMessage.Read.All, TeamMember.Read.All, TeamsTab.Read.All, TeamsAppInstallation.ReadForTeam.All, Chat.Read.All, Files.Read.All',
    restore:
      'Team.Create, TeamSettings.ReadWrite.All, Channel.Create, ChannelMember.ReadWrite.All, TeamMember.ReadWrite.All, TeamsTab.ReadWrite.All, Chat.Create, Teamwork.Migrate.All, Files.ReadWrite.All',
  },
  teamApps: { backup: '–', restore: 'TeamsAppInstallation.ReadWriteForTeam.All' },
  drill: { backup: '–', restore: 'Channel.Delete.All' },
} as const;
