import { mostPasskeys, type MadePasskey, type PasskeyCreation } from '@holdfast/contract/passkeys';
import { sha256 } from '@holdfast/foundation/bytes';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { accountById, countRecoveryCodes, type Account, type AnyTx } from './accounts.store.ts';
import type { AuditEntry } from '../audit/index.ts';
import { homeOf, type Caller, type IdentityParts } from './identity-parts.ts';
import type { Occasion, PasskeyCeremony } from './passkey-ceremony.ts';
import { addPasskey, lockAccount, passkeysOf, removePasskey, type Passkey } from './passkeys.store.ts';
import type { Owner } from './profile.service.ts';
import { notAuthenticated } from './refusal.ts';
import { isSecondFactorDue, newRecoveryCodes } from './second-factor.ts';
import { upgradeSession } from './sessions.store.ts';
import { changeWithStamp } from './stamp.ts';
import type { Proof, StepUp } from './step-up.ts';

/** The passkeys of one's own account. */
export interface PasskeyService {
  list(
    owner: Owner,
  ): Promise<{ readonly isPossible: boolean; readonly items: readonly (Passkey & { readonly isOfOtherAddress: boolean })[] }>;
  /** What a device needs to make one, for this session and a few minutes. */
  begin(owner: Owner, proof: Proof, caller: Caller): Promise<PasskeyCreation>;
  /** Recovery codes where the account had none: whoever loses the device would be locked out. */
  add(owner: Owner, wish: { readonly name: string; readonly made: MadePasskey }, caller: Caller): Promise<string[] | null>;
  remove(owner: Owner, passkeyId: string, proof: Proof, caller: Caller): Promise<void>;
}

const occasionOf = ({ sessionId, accountId }: Owner): Occasion => ({ purpose: 'register', boundTo: sha256(sessionId), accountId });

function entryOf(event: AuditEntry['event'], account: Account, name: string, caller: Caller): AuditEntry {
  return {
    event,
    actor: { kind: 'account', id: account.id, name: account.email, address: caller.address, requestId: caller.requestId },
    subject: { kind: 'account', id: account.id, name: account.email },
    details: { passkey: name },
  };
}

async function load(tx: AnyTx, { accountId }: Owner): Promise<Account> {
  const account = await accountById(tx, accountId);
  if (!account) throw notAuthenticated();
  return account;
}

/** Making a passkey and adding it. */
function createAdding(parts: IdentityParts, ceremony: PasskeyCeremony, stepUp: StepUp): Pick<PasskeyService, 'begin' | 'add'> {
  const { database, clock } = parts;
  return {
    async begin(owner, proof, caller) {
      ceremony.party();
      const { account, known } = await database.installation(async (tx) => ({
        account: await load(tx, owner),
        known: await passkeysOf(tx, owner.accountId),
      }));
      await stepUp(account, proof, caller);
      if (known.length >= mostPasskeys) throw new AppError('passkeys.too-many');
      return ceremony.askToMake(occasionOf(owner), account, known);
    },
    async add(owner, { name, made }, caller) {
      const right = await ceremony.made(occasionOf(owner), made);
      if (!right) throw new AppError('passkeys.not-accepted');
      const account = await database.within(await homeOf(parts, owner.accountId), async (tx) => {
        await lockAccount(tx, owner.accountId);
        const own = await load(tx, owner);
        if ((await passkeysOf(tx, own.id)).length >= mostPasskeys) throw new AppError('passkeys.too-many');
        const isNew = await addPasskey(tx, {
          id: parts.ids.uuid(),
          account_id: own.id,
          rp_id: ceremony.party().id,
          credential_id: right.credentialId,
          public_key: right.publicKey,
          counter: right.counter,
          transports: made.response.transports ?? [],
          name,
          created_at: now(clock),
          last_used_at: null,
        });
        if (!isNew) throw new AppError('passkeys.not-accepted');
        await changeWithStamp(parts, tx, own, { keepSession: owner.sessionId, why: 'a passkey was added' });
        await upgradeSession(tx, owner.sessionId, 'mfa');
        await parts.audit.record(tx, entryOf('identity.passkey-added', own, name, caller));
        return own;
      });
      const left = await database.installation((tx) => countRecoveryCodes(tx, account.id));
      return left === 0 ? newRecoveryCodes(parts, account) : null;
    },
  };
}

/** Whether nothing would let this person in any more: no password, or a second factor that is asked for and that they have no other of. */
async function isLastWayIn(
  parts: IdentityParts,
  ceremony: PasskeyCeremony,
  account: Account,
  { passkey, rest }: { readonly passkey: Passkey; readonly rest: readonly Passkey[] },
): Promise<boolean> {
  const isOfUse = ({ rp_id }: Passkey): boolean => ceremony.isPossible() && rp_id === ceremony.party().id;
  if (rest.some(isOfUse)) return false;
  if (account.password_hash === null) return true;
  if (account.totp_enabled) return false;
  // Passkeys of another address still ask for a second factor, and answer nowhere.
  if (rest.length > 0) return isOfUse(passkey);
  return !parts.hasMailTransport && (await isSecondFactorDue(parts, account.id));
}

/** Taking one away. */
function createRemoving(parts: IdentityParts, ceremony: PasskeyCeremony, stepUp: StepUp): Pick<PasskeyService, 'remove'> {
  const { database } = parts;
  return {
    async remove(owner, passkeyId, proof, caller) {
      const known = await database.installation((tx) => load(tx, owner));
      await stepUp(known, proof, caller);
      await database.within(await homeOf(parts, owner.accountId), async (tx) => {
        await lockAccount(tx, owner.accountId);
        const account = await load(tx, owner);
        const all = await passkeysOf(tx, account.id);
        const passkey = all.find(({ id }) => id === passkeyId);
        if (!passkey) throw new AppError('not-found');
        if (await isLastWayIn(parts, ceremony, account, { passkey, rest: all.filter((other) => other !== passkey) }))
          throw new AppError('passkeys.last-way-in');
        await removePasskey(tx, account.id, passkey.id);
        await changeWithStamp(parts, tx, account, { keepSession: owner.sessionId, why: 'a passkey was removed' });
        await parts.audit.record(tx, entryOf('identity.passkey-removed', account, passkey.name, caller));
      });
    },
  };
}

export function createPasskeyService(parts: IdentityParts, ceremony: PasskeyCeremony, stepUp: StepUp): PasskeyService {
  return Object.freeze<PasskeyService>({
    async list(owner) {
      const isPossible = ceremony.isPossible();
      const own = await parts.database.installation((tx) => passkeysOf(tx, owner.accountId));
      const items = own.map((passkey) => ({ ...passkey, isOfOtherAddress: !isPossible || passkey.rp_id !== ceremony.party().id }));
      return { isPossible, items };
    },
    ...createAdding(parts, ceremony, stepUp),
    ...createRemoving(parts, ceremony, stepUp),
  });
}
