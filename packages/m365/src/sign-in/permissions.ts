import permissions from '../../data/permissions.json' with { type: 'json' };

interface PermissionData {
  readonly paths: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly implies: Readonly<Record<string, readonly string[]>>;
  readonly sets: Readonly<
    Record<'read' | 'restore' | 'fullFidelityMail' | 'betaImportMime' | 'drillChannels' | 'teamApps' | 'notUsed', readonly string[]>
  >;
  readonly roleIds: Readonly<Record<string, string | null>>;
}

const known = permissions as unknown as PermissionData;

export const roleSets = known.sets;

/** Id of a role for the application manifest. */
export function roleId(role: string): string | undefined {
  return known.roleIds[role] ?? undefined;
}

/** Roles that open a request, least privileged first. Empty for what needs none. */
export function rolesThatOpen(method: string, path: string): readonly string[] {
  return known.paths[path]?.[method] ?? [];
}

/** Everything that granted roles contain, themselves included: a write role contains its read role. */
export function closeRoles(granted: readonly string[]): ReadonlySet<string> {
  const closed = new Set<string>();
  const open = [...granted];
  for (let role = open.pop(); role !== undefined; role = open.pop()) {
    if (closed.has(role)) continue;
    closed.add(role);
    open.push(...(known.implies[role] ?? []));
  }
  return closed;
}

/** The granted role that contains `role`, if another one does. */
export function containerOf(role: string, granted: readonly string[]): string | undefined {
  return granted.find((candidate) => candidate !== role && closeRoles([candidate]).has(role));
}
