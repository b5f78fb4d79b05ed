import type { Feed } from './feed.ts';

export type PersonKind = 'member' | 'guest' | 'shared' | 'room';
export type Language = 'en' | 'de';

/** A user account: a person, a guest, or the disabled account behind a shared mailbox or a room. */
export interface Person {
  readonly id: string;
  readonly kind: PersonKind;
  readonly displayName: string;
  readonly givenName: string;
  readonly surname: string;
  readonly userPrincipalName: string;
  readonly mail: string;
  readonly language: Language;
  readonly department: string;
  readonly jobTitle: string;
  /** Where it is not what the language says. */
  readonly officeLocation?: string;
  readonly country?: string;
  readonly companyName?: string;
  /** `extensionAttribute1` to `15`; those that are not here are empty. */
  readonly extensionAttributes?: Readonly<Record<string, string>>;
  readonly timeZone: string;
  readonly accountEnabled: boolean;
  /** False: no licence for Exchange; calls answer MailboxNotEnabledForRESTAPI. */
  readonly hasMailbox: boolean;
  readonly hasDrive: boolean;
  /** Closed by an application access policy: 403 on this mailbox alone. */
  readonly isClosed: boolean;
  readonly createdMs: number;
}

/** An account that was deleted and can be restored for a while. */
export interface DeletedPerson {
  readonly person: Person;
  readonly deletedMs: number;
}

/** A Microsoft 365 group, with or without a team, or a security group. */
export interface Group {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly mailNickname: string;
  readonly kind: 'unified' | 'security';
  readonly isTeam: boolean;
  readonly visibility: 'Private' | 'Public';
  readonly ownerIds: readonly string[];
  /** Owners are members too. A security group can have groups in it. */
  readonly memberIds: readonly string[];
  readonly createdMs: number;
}

/** The users and groups of a tenant, in the order in which they were made. */
export interface Directory {
  readonly domain: string;
  /** `contoso`: what the names of SharePoint hosts begin with. */
  readonly label: string;
  users(): readonly Person[];
  groups(): readonly Group[];
  /** The accounts as recipe and seed made them, whatever happened since: generated content refers to these. */
  generated(): readonly Person[];
  /** By id or user principal name, without case. */
  user(idOrName: string): Person | undefined;
  group(id: string): Group | undefined;
  /** Creates or replaces. */
  putUser(person: Person): void;
  putGroup(group: Group): void;
  /** Deletes an account; without a time it can not be restored and leaves no trace. */
  removeUser(id: string, deletedMs?: number): void;
  /** Accounts that can be restored. */
  deletedUsers(): readonly DeletedPerson[];
  removeGroup(id: string): void;
  /** For lists and deltas: accounts in a lasting order, with the log of changes. */
  userFeed(): Feed<Person>;
  groupFeed(): Feed<Group>;
}
