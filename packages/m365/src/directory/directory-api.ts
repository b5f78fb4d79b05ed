import type { Group, LicenseDetails, Organization, SubscribedSku, User } from '@microsoft/microsoft-graph-types';
import type { Known } from '../client/calls.ts';
import type { Delta, DeltaCursor, Listing } from '../client/paging/paging-types.ts';

export interface UserRef {
  readonly userId: string;
}
export interface GroupRef {
  readonly groupId: string;
}

/** Who and what exists in the tenant. */
export interface DirectoryCalls {
  organization(): Promise<Known<Organization>>;
  /** Sold licences. `countLicences` turns them into the step of the SharePoint budgets. */
  subscribedSkus(): Promise<readonly Known<SubscribedSku>[]>;
  users(): Listing<Known<User>>;
  /** Accounts that were deleted in the last 30 days, with the time of that. After these Microsoft forgets them. */
  deletedUsers(): Listing<Known<User>>;
  userDelta(cursor?: DeltaCursor): Delta<Known<User>>;
  /** By id or user principal name. */
  user(user: UserRef): Promise<Known<User>>;
  licenseDetails(user: UserRef): Promise<readonly LicenseDetails[]>;
  /** `undefined` when there is none. */
  photo(user: UserRef): Promise<Uint8Array | undefined>;
  setPhoto(user: UserRef, photo: { readonly bytes: Uint8Array; readonly contentType: string }): Promise<void>;
  groups(options?: { readonly teamsOnly?: boolean }): Listing<Known<Group>>;
  groupDelta(cursor?: DeltaCursor): Delta<Known<Group>>;
  /** Everything in the group and in the groups in it, each once: people, and those groups, devices and apps too. */
  groupMembers(group: GroupRef): Listing<Known<User>>;
  /** Lists the owners of a group. Microsoft leaves out apps, and all owners of groups that were made in Exchange or come from a local directory. */
  groupOwners(group: GroupRef): Listing<Known<User>>;
}

export type UsageReport = 'mailbox' | 'oneDrive' | 'sharePoint' | 'teams';

export interface ReportCalls {
  /** The rows of a usage report: column heading → text. */
  usage(report: UsageReport, period: 'D7' | 'D30' | 'D90' | 'D180'): Promise<readonly Readonly<Record<string, string>>[]>;
  /** True when reports hide the names of users and sites, so that rows can't be matched. */
  namesAreConcealed(): Promise<boolean>;
}
