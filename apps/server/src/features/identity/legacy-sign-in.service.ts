import { createHmac } from 'node:crypto';
import { equalBytes } from '@holdfast/foundation/bytes';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { channels } from '@holdfast/contract/legacy/auth';
import { verificationCodeDigits } from '@holdfast/contract/limits';
import type { PasskeyAnswer, PasskeyRequest } from '@holdfast/contract/passkeys';
import { accountById, type Account } from './accounts.store.ts';
import {
  addChallenge,
  completeChallenge,
  failChallenge,
  noteSend,
  openChallenge,
  reserveChallengeAttempt,
  setCode,
  unsuccessfulSince,
  type Challenge,
} from './challenges.store.ts';
import { queueMail } from './identity-mails.ts';
import { later, type Caller, type IdentityParts } from './identity-parts.ts';
import { agentFamily } from './normalise.ts';
import { isRecoveryCodeRight, isSecondFactorDue, isTotpRight } from './second-factor.ts';
import type { PasskeySignInService } from './passkey-sign-in.service.ts';
import { accountsWithPasskeys } from './passkeys.store.ts';
import type { Amr, PortalSession } from './session.service.ts';
import type { Doors, SignInService } from './sign-in.service.ts';
import { createSecretText, tokenHash } from './tokens.ts';

type Audience = 'main' | 'staging' | 'legacy';
type Channel = (typeof channels)[number];

export type SignInStep =
  | { readonly kind: 'signedIn'; readonly portal: PortalSession }
  | { readonly kind: 'challenge'; readonly challengeId: string; readonly channels: readonly Channel[] };

/** The sign-in of the portal: a password, then a code where one is due. */
export interface LegacySignInService {
  signIn(request: { email: string; password: string; audiences: readonly Audience[] }, caller: Caller): Promise<SignInStep>;
  sendCode(challengeId: string, caller: Caller): Promise<void>;
  verifyCode(challengeId: string, code: string, caller: Caller): Promise<PortalSession>;
  passkeyOptions(challengeId: string, caller: Caller): Promise<PasskeyRequest>;
  verifyPasskey(challengeId: string, answer: PasskeyAnswer, caller: Caller): Promise<PortalSession>;
}

const CHALLENGE_MS = 10 * 60_000;
const CODE_MS = 10 * 60_000;
const ATTEMPTS = 5;
const SENDS = 3;
const SENDS_WINDOW_MS = 15 * 60_000;
const UNSUCCESSFUL_A_DAY = 10;
const DAY_MS = 86_400_000;

/** A sign-in that waits for its second factor. */
interface Asked {
  readonly hash: Buffer;
  readonly found: Challenge;
  readonly account: Account;
}

/** What follows the last step. */
function createSessions(parts: IdentityParts, signIns: SignInService) {
  async function begin(account: Account, audiences: readonly Audience[], amr: Amr, caller: Caller): Promise<PortalSession> {
    const isLegacyAlone = audiences.length === 1 && audiences[0] === 'legacy';
    const session = await signIns.complete(account, {
      kind: isLegacyAlone ? 'bearer' : 'portal',
      audiences,
      amr,
      persistent: false,
      caller,
    });
    return { account, session, audiences };
  }

  /** What may complete the sign-in, the strongest first. A code by mail is for accounts that have nothing better. */
  async function channelsFor(account: Account): Promise<readonly Channel[]> {
    const withPasskeys = await parts.database.installation((tx) => accountsWithPasskeys(tx, [account.id]));
    const own: Channel[] = [
      ...(withPasskeys.has(account.id) ? ['passkey' as const] : []),
      ...(account.totp_enabled ? ['totp' as const] : []),
    ];
    if (own.length > 0) return own;
    return parts.hasMailTransport && (await isSecondFactorDue(parts, account.id)) ? ['email'] : [];
  }

  return { begin, channelsFor };
}

/** Challenges and their codes. */
function createChallenges(parts: IdentityParts, signIns: SignInService, { attemptsOf }: Doors) {
  const { database } = parts;

  async function challenge(account: Account, channel: Channel, audiences: readonly Audience[], caller: Caller): Promise<string> {
    const challengeId = createSecretText(parts.random);
    await database.installation(async (tx) => {
      const failed = await unsuccessfulSince(tx, account.id, new Date(parts.clock.nowMs() - DAY_MS));
      if (failed >= UNSUCCESSFUL_A_DAY) throw new AppError('identity.invalid-credentials');
      await addChallenge(tx, {
        challenge_hash: tokenHash(challengeId),
        account_id: account.id,
        channel,
        audiences: [...audiences],
        agent_family: agentFamily(caller.userAgent),
        code_mac: null,
        code_expires_at: null,
        created_at: now(parts.clock),
        expires_at: later(parts, CHALLENGE_MS),
        completed_at: null,
        failed_at: null,
      });
    });
    return challengeId;
  }

  async function find(challengeId: string, caller: Caller): Promise<Asked> {
    const hash = tokenHash(challengeId);
    const answer = await database.installation(async (tx) => {
      const found = await openChallenge(tx, hash, now(parts.clock));
      const account = found && (await accountById(tx, found.account_id));
      return found && account && { hash, found, account };
    });
    const isSameBrowser = answer?.found.agent_family === agentFamily(caller.userAgent);
    if (!answer || !isSameBrowser || answer.account.disabled_at !== null) throw new AppError('identity.verification-failed');
    return answer;
  }

  async function macOf(challengeHash: Buffer, code: string): Promise<Buffer> {
    const key = await parts.sealing.installationSecret('sign-in-code');
    return createHmac('sha256', key).update(challengeHash).update(code).digest();
  }

  async function isRight(hash: Buffer, found: Challenge, account: Account, code: string): Promise<boolean> {
    if (found.channel !== 'email') {
      return (account.totp_enabled && (await isTotpRight(parts, account, code))) || isRecoveryCodeRight(parts, account, code);
    }
    if (found.code_mac === null || found.code_expires_at === null || found.code_expires_at <= now(parts.clock)) return false;
    return equalBytes(await macOf(hash, code), found.code_mac);
  }

  /** A wrong code: counted for the lockout too; the fifth ends the challenge. */
  async function wrong(hash: Buffer, account: Account, attempts: number, caller: Caller): Promise<AppError> {
    await signIns.countWrongFactor(account, caller);
    if (attempts >= ATTEMPTS) await database.installation((tx) => failChallenge(tx, hash, now(parts.clock)));
    const attemptsLeft = ATTEMPTS - attempts;
    return new AppError('identity.invalid-code', { details: { count: attempts, attempts, attemptsLeft } });
  }

  const isLockedFor = async (account: Account, caller: Caller): Promise<boolean> => (await attemptsOf(account, caller)).isLocked();

  return { challenge, find, macOf, isRight, wrong, isLockedFor };
}

/** The password. */
function createFirstStep(
  parts: IdentityParts,
  signIns: SignInService,
  sessions: ReturnType<typeof createSessions>,
  challenges: ReturnType<typeof createChallenges>,
): Pick<LegacySignInService, 'signIn'> {
  const { begin, channelsFor } = sessions;
  const { challenge } = challenges;
  return {
    async signIn(request, caller) {
      const check = await signIns.checkPassword(request.email, request.password, caller);
      if (check.kind === 'notAllowed') throw new AppError('identity.email-not-confirmed');
      if (check.kind !== 'right') throw new AppError('identity.invalid-credentials');
      const audiences = [...new Set(request.audiences)];
      const channels = await channelsFor(check.account);
      const [channel] = channels;
      if (channel === undefined) return { kind: 'signedIn', portal: await begin(check.account, audiences, 'pwd', caller) };
      return { kind: 'challenge', challengeId: await challenge(check.account, channel, audiences, caller), channels };
    },
  };
}

/** The code, or a passkey. */
function createSecondStep(
  parts: IdentityParts,
  passkeys: PasskeySignInService,
  sessions: ReturnType<typeof createSessions>,
  challenges: ReturnType<typeof createChallenges>,
): Omit<LegacySignInService, 'signIn'> {
  const { database } = parts;
  const { begin } = sessions;
  const { find, macOf, isRight, wrong, isLockedFor } = challenges;

  /** One attempt at the second factor, counted before it is looked at. */
  async function attempt(
    challengeId: string,
    caller: Caller,
    proves: (asked: Asked) => Promise<boolean>,
  ): Promise<PortalSession | AppError> {
    const asked = await find(challengeId, caller);
    const { hash, found, account } = asked;
    const isLocked = await isLockedFor(account, caller);
    const attempts = await database.installation((tx) => reserveChallengeAttempt(tx, hash, ATTEMPTS));
    if (attempts === undefined) throw new AppError('identity.verification-failed');
    if (!(await proves(asked))) return wrong(hash, account, attempts, caller);
    if (isLocked) throw new AppError('identity.verification-failed');
    const isFirst = await database.installation((tx) => completeChallenge(tx, hash, now(parts.clock)));
    if (!isFirst) throw new AppError('identity.verification-failed');
    return begin(account, found.audiences, 'mfa', caller);
  }

  return {
    async sendCode(challengeId, caller) {
      const { hash, found, account } = await find(challengeId, caller);
      if (found.channel !== 'email') throw new AppError('identity.verification-failed');
      const code = String(parts.random.below(10 ** verificationCodeDigits)).padStart(verificationCodeDigits, '0');
      const mac = await macOf(hash, code);
      await database.installation(async (tx) => {
        const send = { id: parts.ids.uuid(), accountId: account.id, at: now(parts.clock), limit: SENDS };
        if (!(await noteSend(tx, { ...send, since: new Date(parts.clock.nowMs() - SENDS_WINDOW_MS) }))) {
          throw new AppError('identity.code-send-limit', { details: { retryAfterSeconds: SENDS_WINDOW_MS / 1_000 } });
        }
        await setCode(tx, hash, { mac, expiresAt: later(parts, CODE_MS) });
        await queueMail(parts, tx, { to: account.email, language: account.language, kind: 'signInCode', values: { code } });
      });
    },
    async verifyCode(challengeId, code, caller) {
      const result = await attempt(challengeId, caller, ({ hash, found, account }) => isRight(hash, found, account, code));
      if (result instanceof AppError) throw result;
      return result;
    },
    async passkeyOptions(challengeId, caller) {
      const { hash, account } = await find(challengeId, caller);
      return passkeys.askFor(account, hash);
    },
    async verifyPasskey(challengeId, answer, caller) {
      const result = await attempt(challengeId, caller, ({ hash, account }) => passkeys.isRight(account, hash, answer, caller));
      if (result instanceof AppError) throw new AppError('passkeys.refused');
      return result;
    },
  };
}

export function createLegacySignInService(
  parts: IdentityParts,
  signIns: SignInService,
  doors: Doors,
  passkeys: PasskeySignInService,
): LegacySignInService {
  const sessions = createSessions(parts, signIns);
  const challenges = createChallenges(parts, signIns, doors);
  return Object.freeze<LegacySignInService>({
    ...createFirstStep(parts, signIns, sessions, challenges),
    ...createSecondStep(parts, passkeys, sessions, challenges),
  });
}
