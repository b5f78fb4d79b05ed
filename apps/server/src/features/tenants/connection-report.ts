import type { AskedPermission } from '@holdfast/contract/app-setups';
import type { ConnectionReport, permissionGroups } from '@holdfast/contract/tenants';
import type { Workload } from '@holdfast/contract/values';
import { neededRoles, type Diagnosis, type NeededRole, type RoleState } from '@holdfast/m365';

type Group = (typeof permissionGroups)[number];
type PermissionState = ConnectionReport['permissions'][number];
type GraphWorkload = RoleState['workload'];

/** The groups of spec section 6, by how Microsoft names its permissions. The first that fits counts. */
const GROUPS: readonly (readonly [RegExp, Group])[] = [
  [/^AccessReview/, 'accessReview'],
  [/^Application\./, 'application'],
  [/^Domain/, 'domain'],
  [/Member/, 'member'],
  [/^Group/, 'group'],
  [/^People/, 'people'],
  [/^Presence/, 'presence'],
  [/^Reports/, 'reports'],
  [/^User/, 'user'],
  [/^(Directory|Organization|LicenseAssignment|RoleManagement)/, 'directoryRead'],
  [/^Files/, 'files'],
  [/^Sites/, 'sites'],
  [/^(Team|Channel|Chat)/, 'teamwork'],
  [/^(Mail|Calendars|Contacts|Tasks|full_access)/, 'mail'],
];

const WORKLOADS: Readonly<Record<GraphWorkload, readonly Workload[]>> = {
  directory: ['exchange', 'onedrive', 'sharepoint', 'teams'],
  reports: ['exchange', 'onedrive', 'sharepoint', 'teams'],
  exchange: ['exchange'],
  exchangeFullFidelity: ['exchange'],
  // Channels keep their files in libraries.
  drives: ['onedrive', 'teams'],
  sites: ['sharepoint'],
  teams: ['teams'],
  chats: ['teams'],
};

const NEEDED: Readonly<Record<Workload, readonly GraphWorkload[]>> = {
  exchange: ['exchange'],
  onedrive: ['drives'],
  sharepoint: ['sites'],
  teams: ['teams', 'drives'],
};

/** The group a permission is shown under; one that fits nowhere is named by its kind. */
export function groupOf(permission: string, kind: PermissionState['kind'] = 'application'): Group {
  return GROUPS.find(([pattern]) => pattern.test(permission))?.[1] ?? kind;
}

function purposeOf(role: Pick<NeededRole, 'workload' | 'purpose'>): PermissionState['purpose'] {
  if (role.workload === 'directory') return 'discovery';
  return role.workload === 'reports' ? 'reports' : role.purpose;
}

/** What an app is to be granted for `workloads`. */
export function permissionsFor(workloads: readonly Workload[], restores: boolean): AskedPermission[] {
  const asked = (Object.keys(WORKLOADS) as GraphWorkload[]).filter((own) =>
    WORKLOADS[own].some((workload) => workloads.includes(workload)),
  );
  return neededRoles(asked, restores).map((role) => ({
    permission: role.role,
    roleId: role.roleId,
    group: groupOf(role.role),
    workloads: WORKLOADS[role.workload].filter((workload) => workloads.includes(workload)),
    purpose: purposeOf(role),
  }));
}

/** One line a permission, whatever number of workloads ask for it; granted wins over missing. */
function merged(roles: readonly RoleState[]): PermissionState[] {
  const lines = new Map<string, PermissionState>();
  for (const role of roles) {
    const known = lines.get(role.role);
    const workloads = [...new Set([...(known?.workloads ?? []), ...WORKLOADS[role.workload]])];
    lines.set(role.role, {
      permission: role.role,
      group: groupOf(role.role),
      kind: 'application',
      workloads,
      purpose: known?.purpose ?? purposeOf(role),
      state: known?.state === 'granted' ? 'granted' : role.state,
    });
  }
  return [...lines.values()];
}

/** What Microsoft granted, as the configuration page shows it. */
export function reportOf(diagnosis: Diagnosis, checkedAt: Date, organisationName: string | null): ConnectionReport {
  const unneeded = (permissions: readonly string[], kind: PermissionState['kind']): PermissionState[] =>
    permissions.map((permission) => ({
      permission,
      group: groupOf(permission, kind),
      kind,
      workloads: [],
      purpose: null,
      state: 'unneeded',
    }));
  const workloads = (['exchange', 'onedrive', 'sharepoint', 'teams'] as const).map((workload) => ({
    workload,
    canBackUp: NEEDED[workload].every((needed) => diagnosis.canBackUp.includes(needed)),
    canRestore: NEEDED[workload].every((needed) => diagnosis.canRestore.includes(needed)),
  }));
  const permissions = [
    // The product works without optional permissions: they are listed where they were granted.
    ...merged(diagnosis.roles.filter((role) => !role.optional || role.state === 'granted' || role.state === 'scoped')),
    ...unneeded(diagnosis.unneeded, 'application'),
    ...unneeded(diagnosis.delegated, 'delegated'),
  ];
  return {
    ok: workloads.every((workload) => workload.canBackUp),
    checkedAt: checkedAt.toISOString(),
    organisationName,
    problem: null,
    permissions,
    workloads,
  };
}

/** The same when the sign-in itself failed. */
export function failedReport(problem: string, checkedAt: Date): ConnectionReport {
  const workloads = (['exchange', 'onedrive', 'sharepoint', 'teams'] as const).map((workload) => ({
    workload,
    canBackUp: false,
    canRestore: false,
  }));
  return { ok: false, checkedAt: checkedAt.toISOString(), organisationName: null, problem, permissions: [], workloads };
}
