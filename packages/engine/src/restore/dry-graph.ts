import { AppError } from '@holdfast/foundation/errors';
import { isGraphError, type GraphClient } from '@holdfast/m365';

/** What a dry run meets where the run would write. */
export const WOULD_WRITE = 'restore.would-write';

export function wouldWrite(): Promise<never> {
  return Promise.reject(new AppError(WOULD_WRITE));
}

/** Calls of a group that read, and calls that only change what is there, which a dry run passes over. */
interface Allowed<Calls> {
  readonly reads: readonly (keyof Calls & string)[];
  readonly passes?: readonly (keyof Calls & string)[];
}

function guarded<Calls extends object>(calls: Calls, { reads, passes = [] }: Allowed<Calls>): Calls {
  const allowed = new Set<string>(reads);
  const passed = new Set<string>(passes);
  const guard = ([name, call]: readonly [string, unknown]): readonly [string, unknown] => {
    if (allowed.has(name)) return [name, call];
    return [name, passed.has(name) ? (): Promise<readonly unknown[]> => Promise.resolve([]) : wouldWrite];
  };
  return Object.fromEntries(Object.entries(calls).map(guard)) as Calls;
}

function dryExchange({ mail, settings, calendar, contacts, todo, ...others }: GraphClient['exchange']): GraphClient['exchange'] {
  return {
    ...others,
    mail: guarded(mail, { reads: ['folders', 'folder', 'messages', 'message'] }),
    settings: guarded(settings, { reads: ['settings', 'rules', 'categories'] }),
    calendar: guarded(calendar, { reads: ['calendars', 'events', 'event', 'instances'] }),
    contacts: guarded(contacts, { reads: ['contactFolders', 'defaultContactFolderId', 'contacts', 'contact'] }),
    todo: guarded(todo, { reads: ['lists', 'tasks'] }),
    export: guarded(others.export, { reads: [] }),
  };
}

/** A folder that the service has still to make is one that the run would write into. */
function dryTeams(teams: GraphClient['teams']): GraphClient['teams'] {
  const reads = [
    'team',
    'members',
    'apps',
    'channels',
    'allChannels',
    'channel',
    'channelMembers',
    'tabs',
    'messages',
    'message',
    'replies',
  ] as const;
  const passes = [
    'updateTeam',
    'addMembers',
    'addChannelMember',
    'installApp',
    'createTab',
    'startMigration',
    'completeMigration',
  ] as const;
  return {
    ...guarded(teams, { reads, passes }),
    filesFolder: (channel) =>
      teams.filesFolder(channel).catch((error: unknown) => {
        if (isGraphError(error, 'graph.item-gone')) return wouldWrite();
        throw error;
      }),
  };
}

/**
 * The service for a dry run: it can be read, and whoever would make something there is told by `restore.would-write`
 * that the run would. A call that is not named here as one that reads is taken for one that writes.
 */
export function dryGraph(graph: GraphClient): GraphClient {
  return {
    ...graph,
    with: (scope) => dryGraph(graph.with(scope)),
    directory: guarded(graph.directory, { reads: ['organization', 'users', 'user', 'groups', 'groupMembers', 'groupOwners'] }),
    exchange: dryExchange(graph.exchange),
    drives: guarded(graph.drives, {
      reads: ['userDrive', 'groupDrives', 'siteDrives', 'drive', 'root', 'item', 'itemByPath', 'children', 'permissions'],
      passes: ['updateItem'],
    }),
    sites: guarded(graph.sites, {
      reads: ['site', 'lists', 'list', 'columns', 'siteColumns', 'siteContentTypes', 'listContentTypes', 'items', 'item', 'pages', 'page'],
      passes: ['createColumn', 'createSiteContentType', 'addContentTypeColumn', 'addContentTypeCopy'],
    }),
    teams: dryTeams(graph.teams),
    chats: guarded(graph.chats, { reads: ['chats', 'members', 'messages'], passes: ['startMigration', 'completeMigration'] }),
  };
}
