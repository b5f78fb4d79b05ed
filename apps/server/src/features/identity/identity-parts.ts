import type { BasePaths } from '@holdfast/contract/limits';
import type { Database, Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Random } from '@holdfast/foundation/random';
import type { HeldMembership } from '../../access/actor.ts';
import type { Language } from '../../http/language.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { IdentityOptions } from './options.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** Who belongs to what. The organisations feature answers it; identity never looks into its tables. */
export interface MembershipReader {
  of(accountId: string, realm: 'production' | 'staging'): Promise<readonly HeldMembership[]>;
}

/** What every service of this feature works with. */
export interface IdentityParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly options: IdentityOptions;
  readonly hasher: PasswordHasher;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly mail: MailQueue;
  /** Whether mails reach people. Without, no code is offered by mail and links are shown to who invites. */
  readonly hasMailTransport: boolean;
  readonly memberships: MembershipReader;
  /** What links in mails start with; never taken from a request. */
  readonly publicUrl: () => string;
  /** Where the API is served: the refresh cookie goes to one of its calls. */
  readonly basePaths: BasePaths;
}

/** What a service may know of the request. */
export interface Caller {
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
  readonly language: Language;
  /** The cookie of devices that somebody has signed in with before; unchecked. */
  readonly device?: string | undefined;
}

/** Events of accounts that belong to no organisation are kept under this one, which nobody is a member of. */
export const nobodysScope: Scope = {
  organisationId: '00000000-0000-0000-0000-000000000000' as Scope['organisationId'],
  realm: 'production',
};

/** Where the audit events of an account belong: an organisation whose owners and auditors should see them. */
export async function homeOf(parts: IdentityParts, accountId: string): Promise<Scope> {
  const [first] = await parts.memberships.of(accountId, 'production');
  return first ? { organisationId: first.organisationId, realm: 'production' } : nobodysScope;
}

/** The present plus a while. */
export function later(parts: Pick<IdentityParts, 'clock'>, ms: number): Date {
  return new Date(parts.clock.nowMs() + ms);
}
