import type { PasskeyAnswer, PasskeyRequest } from '@holdfast/contract/passkeys';
import { audiences } from '@holdfast/contract/legacy/auth';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { accountById, type Account } from './accounts.store.ts';
import type { Caller, IdentityParts } from './identity-parts.ts';
import type { PortalSession } from './session.service.ts';
import { handleOf, PASSKEY_MS, type Occasion, type PasskeyCeremony } from './passkey-ceremony.ts';
import { moveCounter, passkeyByCredential, passkeysOf, type Passkey } from './passkeys.store.ts';
import { confirmationMissing, type Doors, type SignInService } from './sign-in.service.ts';
import { createSecretText, tokenHash } from './tokens.ts';

/** What the browser is given: what a passkey has to sign, and what comes back with the answer. */
export interface PasskeyDeparture {
  readonly request: PasskeyRequest;
  readonly keepsake: string;
  readonly seconds: number;
}

/** Signing in with a passkey: alone, or after the password. */
export interface PasskeySignInService {
  start(): Promise<PasskeyDeparture>;
  complete(answer: PasskeyAnswer, keepsake: string | undefined, caller: Caller): Promise<PortalSession>;
  /** What a passkey of the account has to sign to complete the sign-in with this challenge. */
  askFor(account: Account, challengeHash: Buffer): Promise<PasskeyRequest>;
  isRight(account: Account, challengeHash: Buffer, answer: PasskeyAnswer, caller: Caller): Promise<boolean>;
}

const refused = (): AppError => new AppError('passkeys.refused');

/** Whether an answer is the signature of this passkey to what was asked, and the passkey no copy. */
function createProving(parts: IdentityParts, ceremony: PasskeyCeremony, signIn: SignInService) {
  const { database, clock } = parts;

  return async (
    occasion: Occasion,
    answer: PasskeyAnswer,
    found: { passkey: Passkey; account: Account },
    caller: Caller,
  ): Promise<boolean> => {
    const { passkey, account } = found;
    const { userHandle } = answer.response;
    const counter = await ceremony.signed(occasion, answer, passkey);
    if (counter === undefined || (userHandle ?? (occasion.accountId && handleOf(account.id))) !== handleOf(account.id)) return false;
    if (await database.installation((tx) => moveCounter(tx, passkey.id, counter, now(clock)))) return true;
    await signIn.note(account, { event: 'identity.passkey-copied', outcome: 'denied', email: account.email }, caller);
    return false;
  };
}

export function createPasskeySignIn(
  parts: IdentityParts,
  ceremony: PasskeyCeremony,
  { signIn, doors }: { readonly signIn: SignInService; readonly doors: Doors },
): PasskeySignInService {
  const { database } = parts;
  const proves = createProving(parts, ceremony, signIn);
  const occasionOf = (keepsake: string): Occasion => ({ purpose: 'sign-in', boundTo: tokenHash(keepsake), accountId: null });
  const factorOf = (account: Account, boundTo: Buffer): Occasion => ({ purpose: 'second-factor', boundTo, accountId: account.id });

  async function find({ id }: PasskeyAnswer): Promise<{ passkey: Passkey; account: Account } | undefined> {
    return database.installation(async (tx) => {
      const passkey = await passkeyByCredential(tx, Buffer.from(id, 'base64url'));
      const account = passkey && (await accountById(tx, passkey.account_id));
      return passkey && account && { passkey, account };
    });
  }

  /** A right signature opens nothing that a right password would not. */
  async function mayEnter(account: Account, isLocked: boolean, caller: Caller): Promise<void> {
    const missing = confirmationMissing(parts, account);
    if (account.disabled_at === null && !isLocked && !missing) return;
    const event = missing ?? (isLocked ? 'identity.sign-in-while-locked' : 'identity.sign-in-failed');
    await signIn.note(account, { event, outcome: 'denied', email: account.email }, caller);
    throw missing ? new AppError('identity.email-not-confirmed') : refused();
  }

  return Object.freeze<PasskeySignInService>({
    async start() {
      const keepsake = createSecretText(parts.random);
      return { request: await ceremony.askToSign(occasionOf(keepsake), []), keepsake, seconds: PASSKEY_MS / 1_000 };
    },
    async complete(answer, keepsake, caller) {
      const found = await find(answer);
      if (!found || keepsake === undefined) {
        await signIn.note(found?.account, { event: 'identity.sign-in-failed', outcome: 'failed', email: '' }, caller);
        throw refused();
      }
      const { account } = found;
      const isLocked = await (await doors.attemptsOf(account, caller)).isLocked();
      if (!(await proves(occasionOf(keepsake), answer, found, caller))) {
        await signIn.countWrongFactor(account, caller);
        throw refused();
      }
      await mayEnter(account, isLocked, caller);
      const wish = { kind: 'portal', audiences, amr: 'mfa', persistent: false, caller, by: 'passkey' } as const;
      return { account, session: await signIn.complete(account, wish), audiences };
    },
    async askFor(account, challengeHash) {
      const own = await database.installation((tx) => passkeysOf(tx, account.id));
      if (own.length === 0) throw new AppError('identity.verification-failed');
      return ceremony.askToSign(factorOf(account, challengeHash), own);
    },
    async isRight(account, challengeHash, answer, caller) {
      const found = await find(answer);
      if (found?.account.id !== account.id) return false;
      return proves(factorOf(account, challengeHash), answer, found, caller);
    },
  });
}
