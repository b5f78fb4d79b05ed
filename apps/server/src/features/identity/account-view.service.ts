import type { account } from '@holdfast/contract/identity';
import { AppError } from '@holdfast/foundation/errors';
import type { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import { accountById, changeAccount, chosenBy } from './accounts.store.ts';
import { homeOf, type Caller, type IdentityParts } from './identity-parts.ts';
import { accountsWithPasskeys } from './passkeys.store.ts';

type AccountView = z.input<typeof account>;

export interface ProfileUpdate {
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly language: 'en' | 'de';
  readonly summaryMails?: boolean | undefined;
}

/** The names of organisations, told by the feature that owns them. */
export interface OrganisationNames {
  nameOf(organisationId: string, realm: 'production' | 'staging'): Promise<string>;
}

/** What a person sees of their own account. */
export interface AccountViewService {
  read(actor: Actor): Promise<AccountView>;
  update(actor: Actor, update: ProfileUpdate, caller: Caller): Promise<AccountView>;
}

export function createAccountViewService(parts: IdentityParts, names: OrganisationNames): AccountViewService {
  const { database } = parts;

  async function read(actor: Actor): Promise<AccountView> {
    const found = await database.installation(async (tx) => ({
      own: await accountById(tx, actor.accountId),
      chosen: await chosenBy(tx, actor.accountId, actor.realm),
      withPasskeys: await accountsWithPasskeys(tx, [actor.accountId]),
    }));
    const { own, chosen, withPasskeys } = found;
    if (!own) throw new AppError('unauthorized');
    const memberships = await Promise.all(
      actor.memberships.map(async ({ organisationId, role }) => ({
        organisationId,
        role,
        organisationName: await names.nameOf(organisationId, actor.realm),
      })),
    );
    const withheld = await Promise.all(
      (actor.withheld ?? []).map(async ({ organisationId, because }) => ({
        organisationId,
        because,
        organisationName: await names.nameOf(organisationId, actor.realm),
      })),
    );
    const current = memberships.find((membership) => membership.organisationId === chosen?.organisationId) ?? memberships[0];
    return {
      userId: own.id,
      email: own.email,
      isEmailConfirmed: own.email_confirmed,
      isVouched: own.vouched_at !== null,
      firstName: own.first_name,
      lastName: own.last_name,
      phoneNumber: own.phone_number,
      language: own.language,
      summaryMails: own.summary_mails,
      isTwoFactorEnabled: own.totp_enabled || withPasskeys.has(own.id),
      organisationId: current?.organisationId ?? null,
      role: current?.role ?? null,
      memberships,
      withheld,
    };
  }

  return Object.freeze<AccountViewService>({
    read,
    async update(actor, update, caller) {
      await database.within(await homeOf(parts, actor.accountId), async (tx) => {
        await changeAccount(tx, actor.accountId, {
          first_name: update.firstName,
          last_name: update.lastName,
          phone_number: update.phoneNumber,
          language: update.language,
          ...(update.summaryMails === undefined ? {} : { summary_mails: update.summaryMails }),
        });
        await parts.audit.record(tx, {
          event: 'identity.profile-changed',
          actor: { kind: 'account', id: actor.accountId, name: actor.email, address: caller.address, requestId: caller.requestId },
          subject: { kind: 'account', id: actor.accountId, name: actor.email },
        });
      });
      return read(actor);
    },
  });
}
