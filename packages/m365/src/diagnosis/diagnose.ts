import type { Diagnosis, NeededRole, RoleGrant, RoleState, Workload } from './diagnosis.ts';
import { closeRoles, containerOf, roleId, roleSets } from '../sign-in/permissions.ts';

/** Workload → beginnings of role names. The first that fits decides. */
const WORKLOADS: readonly (readonly [prefix: string, workload: Workload])[] = [
  ['Reports.', 'reports'],
  ['ReportSettings.', 'reports'],
  ['MailboxSettings.', 'exchange'],
  ['MailboxFolder.', 'exchangeFullFidelity'],
  ['MailboxItem.', 'exchangeFullFidelity'],
  ['Mail-Advanced.', 'exchangeFullFidelity'],
  ['Mail.', 'exchange'],
  ['Calendars.', 'exchange'],
  ['Contacts.', 'exchange'],
  ['Tasks.', 'exchange'],
  ['Files.', 'drives'],
  ['Sites.', 'sites'],
  ['Chat.', 'chats'],
  ['Team', 'teams'],
  ['Channel', 'teams'],
];

/** The workload a role belongs to. */
export function workloadOf(role: string): Workload {
  return WORKLOADS.find(([prefix]) => role.startsWith(prefix))?.[1] ?? 'directory';
}

const OPTIONAL: ReadonlySet<string> = new Set([
  ...roleSets.fullFidelityMail,
  ...roleSets.betaImportMime,
  ...roleSets.drillChannels,
  ...roleSets.teamApps,
]);
const RESTORE_ONLY: ReadonlySet<string> = new Set([
  ...roleSets.restore,
  'MailboxItem.ImportExport.All',
  ...roleSets.betaImportMime,
  ...roleSets.drillChannels,
  ...roleSets.teamApps,
]);
/** No restore waits for these: with the second a drill can take channels away, with the third a team gets its apps back. */
const NEVER_NEEDED: ReadonlySet<string> = new Set([...roleSets.betaImportMime, ...roleSets.drillChannels, ...roleSets.teamApps]);
const ALL_ROLES = [
  ...roleSets.read,
  ...roleSets.restore,
  ...roleSets.fullFidelityMail,
  ...roleSets.betaImportMime,
  ...roleSets.drillChannels,
  ...roleSets.teamApps,
];

/** Reading could be tried, writing could not: nothing is written for a test. */
function grantOf(role: string, closed: ReadonlySet<string>, scoped: ReadonlySet<string>): RoleGrant {
  if (closed.has(role)) return 'granted';
  if (scoped.has(role)) return 'scoped';
  return scoped.has(role.replace(/\.ReadWrite$/u, '.Read')) ? 'unproven' : 'missing';
}

interface Granted {
  readonly token: readonly string[];
  readonly closed: ReadonlySet<string>;
  readonly scoped: ReadonlySet<string>;
}

function stateOf(role: string, { token: granted, closed, scoped }: Granted): RoleState {
  const id = roleId(role);
  const container = granted.includes(role) ? undefined : containerOf(role, granted);
  return {
    role,
    ...(id === undefined ? {} : { roleId: id }),
    workload: workloadOf(role),
    purpose: RESTORE_ONLY.has(role) ? 'restore' : 'backup',
    optional: OPTIONAL.has(role),
    state: grantOf(role, closed, scoped),
    ...(container === undefined ? {} : { grantedBy: container }),
  };
}

const EVERY_WORKLOAD: readonly Workload[] = [
  'directory',
  'reports',
  'exchange',
  'exchangeFullFidelity',
  'drives',
  'sites',
  'teams',
  'chats',
];

/** The roles that an app needs for `workloads`: none that another of them contains, none that is optional. */
export function neededRoles(workloads: readonly Workload[], restores: boolean): readonly NeededRole[] {
  const wanted = ALL_ROLES.filter(
    (role) => !OPTIONAL.has(role) && workloads.includes(workloadOf(role)) && (restores || !RESTORE_ONLY.has(role)),
  );
  return wanted.flatMap((role) => {
    const id = roleId(role);
    if (id === undefined || containerOf(role, wanted) !== undefined) return [];
    return [{ role, roleId: id, workload: workloadOf(role), purpose: RESTORE_ONLY.has(role) ? 'restore' : 'backup' }];
  });
}

function workloadsWithAll(roles: readonly RoleState[], purposes: readonly RoleState['purpose'][]): Workload[] {
  return EVERY_WORKLOAD.filter((workload) => {
    const needed = roles.filter((role) => role.workload === workload && purposes.includes(role.purpose) && !NEVER_NEEDED.has(role.role));
    return needed.every((role) => role.state !== 'missing');
  });
}

/** Compares the roles of a token, and those that Exchange grants beside it, with those each workload needs. */
export function diagnoseRoles(
  who: { readonly tenantId: string; readonly clientId: string },
  granted: readonly string[],
  scoped: ReadonlySet<string> = new Set(),
  delegated: readonly string[] = [],
): Diagnosis {
  const closed = closeRoles(granted);
  const roles = ALL_ROLES.map((role) => stateOf(role, { token: granted, closed, scoped }));
  const useful = new Set([...roleSets.read, ...roleSets.restore, ...roleSets.drillChannels, ...roleSets.teamApps]);
  return {
    ...who,
    roles,
    unneeded: granted.filter((role) => !useful.has(role) && !roles.some((state) => state.grantedBy === role)),
    delegated,
    canBackUp: workloadsWithAll(roles, ['backup']),
    canRestore: workloadsWithAll(roles, ['backup', 'restore']),
  };
}
