import { now } from '@holdfast/foundation/clock';
import { changeAccount, type Account, type AccountChange, type AnyTx } from './accounts.store.ts';
import type { IdentityParts } from './identity-parts.ts';
import { endSessions, restampSession } from './sessions.store.ts';
import { createSecretText } from './tokens.ts';

/**
 * Changes an account together with its security stamp: refresh tokens issued before die. In `hardened`
 * every session ends but the one that made the change, which goes on.
 */
export async function changeWithStamp(
  parts: IdentityParts,
  tx: AnyTx,
  account: Account,
  change: AccountChange & { readonly keepSession?: string | undefined; readonly why: string },
): Promise<void> {
  const { keepSession, why, ...columns } = change;
  const stamp = createSecretText(parts.random);
  await changeAccount(tx, account.id, { ...columns, security_stamp: stamp });
  if (parts.options.staleAccess === 'lives') return;
  await endSessions(tx, {
    accountId: account.id,
    at: now(parts.clock),
    why,
    ...(keepSession === undefined ? {} : { except: keepSession }),
  });
  if (keepSession !== undefined) await restampSession(tx, keepSession, stamp);
}
