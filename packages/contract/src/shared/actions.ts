/**
 * Who may do what: the matrix of roles, once. The server's policies and the portal's buttons read
 * this table; a route names one of its rows, so a route without a policy does not compile.
 */
export const roles = ['owner', 'administrator', 'operator', 'auditor', 'reader'] as const;
export type Role = (typeof roles)[number];

const everyone: readonly Role[] = roles;
const operating: readonly Role[] = ['owner', 'administrator', 'operator'];
const administering: readonly Role[] = ['owner', 'administrator'];
const owning: readonly Role[] = ['owner'];

export const rolesByAction = {
  'members.read': administering,
  'members.manage': administering,
  'sessions.endOthers': administering,
  'tenants.read': everyone,
  'tenants.manage': administering,
  'locations.read': everyone,
  'locations.manage': administering,
  'configuration.read': everyone,
  'configuration.manage': administering,
  'workers.read': everyone,
  'workers.manage': administering,
  'discovery.read': everyone,
  'jobs.read': everyone,
  'jobs.manage': operating,
  'jobs.run': operating,
  'monitoring.read': everyone,
  'reporting.read': everyone,
  'documents.read': everyone,
  'documents.manage': administering,
  'dashboard.read': everyone,
  'events.read': everyone,
  'content.browse': operating,
  /** Whether it may be this content is decided by the rule of the organisation: a role, one's own mailbox or a proxy right. */
  'content.read': everyone,
  /** Finds only what the reader may open. */
  'search.run': everyone,
  'search.save': administering,
  /** What a member of a case may do in it; whether somebody is one is asked by the service. */
  'cases.work': ['owner', 'administrator', 'auditor'],
  'cases.manage': administering,
  'restore.run': operating,
  'restore.elsewhere': operating,
  'deletion.manage': administering,
  'dataRequests.manage': administering,
  'receivers.manage': administering,
  'proxyRights.manage': administering,
  /** What was frozen for an auditor; whether it is theirs and still open is asked by the service. */
  'auditorAccess.read': ['auditor'],
  'audit.read': ['owner', 'auditor', 'administrator'],
  'audit.export': ['owner', 'auditor'],
  'apiKeys.manage': administering,
  'forwarding.manage': owning,
  'keys.manage': owning,
  'organisation.manage': owning,
  'support.bundle': administering,
} as const satisfies Record<string, readonly Role[]>;

/** A row of the matrix. */
export type Action = keyof typeof rolesByAction;

/** Whether a role may do this at all. Services add what depends on the object. */
export function mayDo(role: Role, action: Action): boolean {
  return (rolesByAction[action] as readonly Role[]).includes(role);
}

/** The roles that an API key may have: no key owns an organisation. */
export const keyRoles = ['administrator', 'operator', 'auditor', 'reader'] as const satisfies readonly Role[];

/**
 * What an API key may do, if its role allows it: look at the state of things and start jobs that exist. Content, members,
 * rights, approvals and settings are for people who have signed in.
 */
const actionsOfKeys: ReadonlySet<Action> = new Set<Action>([
  'tenants.read',
  'locations.read',
  'configuration.read',
  'workers.read',
  'jobs.read',
  'jobs.run',
  'monitoring.read',
  'reporting.read',
  'dashboard.read',
  'events.read',
  'audit.read',
  'audit.export',
]);

/** Whether an API key may do this at all, whatever its role. */
export function mayKey(action: Action): boolean {
  return actionsOfKeys.has(action);
}

/** Nobody gives, takes or touches a role above their own: the highest comes first. */
export function mayHandleRole(own: Role, other: Role): boolean {
  return roles.indexOf(own) <= roles.indexOf(other);
}

/** The roles that somebody may give, highest first. */
export function rolesToGive(own: Role): readonly Role[] {
  return roles.filter((role) => mayHandleRole(own, role));
}
