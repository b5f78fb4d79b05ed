import { now } from '@holdfast/foundation/clock';
import type { AuditEvent } from '../audit/index.ts';
import { createCode } from './account.service.ts';
import { accountByEmail, changeAccount, type Account } from './accounts.store.ts';
import { homeOf, type IdentityParts } from './identity-parts.ts';
import { normaliseEmail } from './normalise.ts';
import { removePasskeys } from './passkeys.store.ts';
import { endSessions } from './sessions.store.ts';
import { changeWithStamp } from './stamp.ts';

/** What an operator does at the console for somebody who can't get in. Each is an event of the actor `console`. */
export interface RecoveryService {
  /** A link with which the password can be set once; undefined when nobody has the address. */
  resetPassword(email: string): Promise<string | undefined>;
  /** Turns the second factor off and unlocks; false when nobody has the address. */
  resetTwoFactor(email: string): Promise<boolean>;
  /** How many sessions were ended; undefined when nobody has the address. */
  endSessions(email: string): Promise<number | undefined>;
  /** Whose address this is. */
  accountOf(email: string): Promise<string | undefined>;
}

export function createRecoveryService(parts: IdentityParts): RecoveryService {
  const { database } = parts;

  async function act<T>(
    email: string,
    event: AuditEvent,
    work: (tx: Parameters<Parameters<typeof database.within>[1]>[0], account: Account) => Promise<T>,
  ): Promise<T | undefined> {
    const account = await database.installation((tx) => accountByEmail(tx, normaliseEmail(email)));
    if (!account) return undefined;
    return database.within(await homeOf(parts, account.id), async (tx) => {
      const result = await work(tx, account);
      await parts.audit.record(tx, {
        event,
        actor: { kind: 'console', name: 'console' },
        subject: { kind: 'account', id: account.id, name: account.email },
      });
      return result;
    });
  }

  return Object.freeze<RecoveryService>({
    accountOf: async (email) => (await database.installation((tx) => accountByEmail(tx, normaliseEmail(email))))?.id,
    resetPassword: (email) =>
      act(email, 'identity.password-reset-by-console', async (tx, account) => {
        const code = await createCode(parts, tx, account, { purpose: 'link', lifetimeMs: parts.options.resetLifetimeMs });
        return `${parts.publicUrl()}/reset-password/${code}`;
      }),
    resetTwoFactor: async (email) =>
      (await act(email, 'identity.second-factor-reset-by-console', async (tx, account) => {
        await changeWithStamp(parts, tx, account, {
          totp_enabled: false,
          totp_key: null,
          failed_count: 0,
          locked_until: null,
          why: 'the second factor was reset at the console',
        });
        await removePasskeys(tx, account.id);
        await changeAccount(tx, account.id, { recovery_salt: null });
        return true;
      })) ?? false,
    endSessions: (email) =>
      act(email, 'identity.sessions-ended-by-console', (tx, account) =>
        endSessions(tx, { accountId: account.id, at: now(parts.clock), why: 'ended at the console' }),
      ),
  });
}
