export type Workload = 'directory' | 'reports' | 'exchange' | 'exchangeFullFidelity' | 'drives' | 'sites' | 'teams' | 'chats';

/**
 * - `granted`: in the token, for all mailboxes.
 * - `scoped`: Exchange grants it for some mailboxes (RBAC for Applications), as reading one of them has shown.
 * - `unproven`: a write role beside a scoped read role. Only a write can show whether Exchange grants it.
 */
export type RoleGrant = 'granted' | 'scoped' | 'unproven' | 'missing';

export interface RoleState {
  readonly role: string;
  /** Id for the application manifest, when known. */
  readonly roleId?: string;
  readonly workload: Workload;
  readonly purpose: 'backup' | 'restore';
  /** Optional roles open more (mailbox export, beta import, channels that a drill has made); the product works without them. */
  readonly optional: boolean;
  readonly state: RoleGrant;
  /** The granted role that contains this one, when it is not granted itself. */
  readonly grantedBy?: string;
}

/** A role to ask for when an app is registered. */
export interface NeededRole extends Pick<RoleState, 'role' | 'workload' | 'purpose'> {
  readonly roleId: string;
}

/** What the token says about the application's permissions. */
export interface Diagnosis {
  readonly tenantId: string;
  readonly clientId: string;
  readonly roles: readonly RoleState[];
  /** Granted, but the product never uses them. */
  readonly unneeded: readonly string[];
  /** Delegated permissions of the token. The product signs in as itself and needs none. */
  readonly delegated: readonly string[];
  /** Workloads that can be backed up, and those that can be restored, with what is granted. */
  readonly canBackUp: readonly Workload[];
  readonly canRestore: readonly Workload[];
}
