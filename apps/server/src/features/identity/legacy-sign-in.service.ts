import { createHmac } from 'node:crypto';
import { equalBytes } from '@holdfast/foundation/bytes';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { verificationCodeDigits } from '@holdfast/contract/limits';
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
import { isRecoveryCodeRight, isTotpRight } from './second-factor.ts';
import type { Amr, IssuedSession } from './session.service.ts';
import type { Doors, SignInService } from './sign-in.service.ts';
import { createSecretText, tokenHash } from './tokens.ts';

type Audience = 'main' | 'staging' | 'legacy';

export interface PortalSession {
  readonly account: Account;
  readonly session: IssuedSession;
  readonly audiences: readonly Audience[];
}

export type SignInStep =
  | { readonly kind: 'signedIn'; readonly portal: PortalSession }
  | { readonly kind: 'challenge'; readonly challengeId: string; readonly channel: 'totp' | 'email' };

/** The sign-in of the portal: a password, then a code where one is due. */
export interface LegacySignInService {
  signIn(request: { email: string; password: string; audiences: readonly Audience[] }, caller: Caller): Promise<SignInStep>;
  sendCode(challengeId: string, caller: Caller): Promise<void>;
  verifyCode(challengeId: string, code: string, caller: Caller): Promise<PortalSession>;
}

const CHALLENGE_MS = 10 * 60_000;
const CODE_MS = 10 * 60_000;
const ATTEMPTS = 5;
const SENDS = 3;
const SENDS_WINDOW_MS = 15 * 60_000;
const UNSUCCESSFUL_A_DAY = 10;
const DAY_MS = 86_400_000;

/** What follows the last step. */
function createSessions(parts: IdentityParts, signIns: SignInService) {
  const { options } = parts;

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

  async function isFactorDue(account: Account): Promise<boolean> {
    if (options.secondFactor === 'required') return true;
    return (await parts.memberships.of(account.id, 'production')).some(({ rules }) => rules.secondFactor);
  }

  async function channelFor(account: Account): Promise<'totp' | 'email' | undefined> {
    if (account.totp_enabled) return 'totp';
    return parts.hasMailTransport && (await isFactorDue(account)) ? 'email' : undefined;
  }

  return { begin, channelFor };
}

/** Challenges and their codes. */
function createChallenges(parts: IdentityParts, signIns: SignInService, { attemptsOf }: Doors) {
  const { database } = parts;

  async function challenge(account: Account, channel: 'totp' | 'email', audiences: readonly Audience[], caller: Caller): Promise<string> {
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

  async function find(challengeId: string, caller: Caller): Promise<{ hash: Buffer; found: Challenge; account: Account }> {
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
    if (found.channel === 'totp') return (await isTotpRight(parts, account, code)) || isRecoveryCodeRight(parts, account, code);
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
  const { begin, channelFor } = sessions;
  const { challenge } = challenges;
  return {
    async signIn(request, caller) {
      const check = await signIns.checkPassword(request.email, request.password, caller);
      if (check.kind === 'notAllowed') throw new AppError('identity.email-not-confirmed');
      if (check.kind !== 'right') throw new AppError('identity.invalid-credentials');
      const audiences = [...new Set(request.audiences)];
      const channel = await channelFor(check.account);
      if (channel === undefined) return { kind: 'signedIn', portal: await begin(check.account, audiences, 'pwd', caller) };
      return { kind: 'challenge', challengeId: await challenge(check.account, channel, audiences, caller), channel };
    },
  };
}

/** The code. */
function createSecondStep(
  parts: IdentityParts,
  signIns: SignInService,
  sessions: ReturnType<typeof createSessions>,
  challenges: ReturnType<typeof createChallenges>,
): Pick<LegacySignInService, 'sendCode' | 'verifyCode'> {
  const { database } = parts;
  const { begin } = sessions;
  const { find, macOf, isRight, wrong, isLockedFor } = challenges;
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
      const { hash, found, account } = await find(challengeId, caller);
      const isLocked = await isLockedFor(account, caller);
      const attempts = await database.installation((tx) => reserveChallengeAttempt(tx, hash, ATTEMPTS));
      if (attempts === undefined) throw new AppError('identity.verification-failed');
      if (!(await isRight(hash, found, account, code))) throw await wrong(hash, account, attempts, caller);
      if (isLocked) throw new AppError('identity.verification-failed');
      const isFirst = await database.installation((tx) => completeChallenge(tx, hash, now(parts.clock)));
      if (!isFirst) throw new AppError('identity.verification-failed');
      return begin(account, found.audiences, 'mfa', caller);
    },
  };
}

export function createLegacySignInService(parts: IdentityParts, signIns: SignInService, doors: Doors): LegacySignInService {
  const sessions = createSessions(parts, signIns);
  const challenges = createChallenges(parts, signIns, doors);
  return Object.freeze<LegacySignInService>({
    ...createFirstStep(parts, signIns, sessions, challenges),
    ...createSecondStep(parts, signIns, sessions, challenges),
  });
}
