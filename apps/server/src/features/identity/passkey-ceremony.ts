import type { MadePasskey, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from '@holdfast/contract/passkeys';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { relyingPartyOf, type RelyingParty } from '../../settings/relying-party.ts';
import type { Account } from './accounts.store.ts';
import { later, type IdentityParts } from './identity-parts.ts';
import { addPasskeyChallenge, takePasskeyChallenge, type Passkey } from './passkeys.store.ts';
import { createSecretText, tokenHash } from './tokens.ts';

/** What a device is asked for, and what its answer has to come with: nobody else's answer counts. */
export interface Occasion {
  readonly purpose: 'register' | 'sign-in' | 'second-factor';
  readonly boundTo: Buffer;
  /** Null where it is not known yet who answers. */
  readonly accountId: string | null;
}

/** A passkey that a device has made. */
export interface Made {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
}

/** What passes between the server and a device, by WebAuthn level 3. */
export interface PasskeyCeremony {
  /** The installation as browsers know it; fails where they allow no passkeys. */
  party(): RelyingParty;
  isPossible(): boolean;
  askToMake(occasion: Occasion, account: Account, known: readonly Passkey[]): Promise<PasskeyCreation>;
  /** Undefined when the answer is none to what was asked. */
  made(occasion: Occasion, made: MadePasskey): Promise<Made | undefined>;
  askToSign(occasion: Occasion, among: readonly Passkey[]): Promise<PasskeyRequest>;
  /** The counter that a right signature carries; undefined when it is not right. */
  signed(occasion: Occasion, answer: PasskeyAnswer, passkey: Passkey): Promise<number | undefined>;
}

/** How long somebody looks for their device. */
export const PASSKEY_MS = 5 * 60_000;
/** ES256, EdDSA and RS256: what devices and systems make. */
const ALGORITHMS = [-7, -8, -257];

/** What a device keeps of whose passkey it is, and gives back: the id of the account, which says nothing to others. */
export function handleOf(accountId: string): string {
  return Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');
}

const descriptorOf = ({ credential_id, transports }: Passkey) => ({
  type: 'public-key' as const,
  id: credential_id.toString('base64url'),
  transports,
});

/** Challenges: made once, kept as hashes, taken with the first answer. */
function createChallenges(parts: IdentityParts) {
  const { database, clock } = parts;

  async function challenge({ purpose, boundTo, accountId }: Occasion): Promise<string> {
    const text = createSecretText(parts.random);
    const asked = {
      challenge_hash: tokenHash(text),
      purpose,
      bound_to: boundTo,
      account_id: accountId,
      expires_at: later(parts, PASSKEY_MS),
    };
    await database.installation((tx) => addPasskeyChallenge(tx, asked, now(clock)));
    return text;
  }

  const take =
    (occasion: Occasion) =>
    (challengeText: string): Promise<boolean> =>
      database.installation((tx) => takePasskeyChallenge(tx, { ...occasion, hash: tokenHash(challengeText) }, now(clock)));

  return { challenge, take };
}

/** What the library finds wrong in an answer is the caller's fault; that the database is away is not. */
async function rightOrNothing<T>(verify: () => Promise<T>, isOurs: () => unknown): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    if (isOurs() !== undefined) throw error;
    return undefined;
  }
}

/** Lets a check of the library ask the database, and remembers what went wrong there. */
function watched(take: (text: string) => Promise<boolean>) {
  let failure: unknown;
  return {
    failure: () => failure,
    take: async (text: string): Promise<boolean> => {
      try {
        return await take(text);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
  };
}

export function createPasskeyCeremony(parts: IdentityParts): PasskeyCeremony {
  const { challenge, take } = createChallenges(parts);

  function party(): RelyingParty {
    const found = relyingPartyOf(parts.publicUrl());
    if (!found) throw new AppError('passkeys.not-possible');
    return found;
  }

  return Object.freeze<PasskeyCeremony>({
    party,
    isPossible: () => relyingPartyOf(parts.publicUrl()) !== undefined,
    async askToMake(occasion, account, known) {
      const { id } = party();
      return {
        challenge: await challenge(occasion),
        rp: { id, name: 'Holdfast' },
        user: { id: handleOf(account.id), name: account.email, displayName: account.email },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
        timeout: PASSKEY_MS,
        attestation: 'none',
        excludeCredentials: known.map(descriptorOf),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      };
    },
    async made(occasion, answer) {
      const { id, origin } = party();
      const { response } = answer;
      const challenges = watched(take(occasion));
      const verified = await rightOrNothing(
        () =>
          verifyRegistrationResponse({
            response: { ...answer, response: { ...response, transports: [] }, clientExtensionResults: {} },
            expectedChallenge: challenges.take,
            expectedOrigin: origin,
            expectedRPID: id,
            requireUserVerification: true,
            supportedAlgorithmIDs: ALGORITHMS,
          }),
        challenges.failure,
      );
      if (!verified?.verified) return undefined;
      const { credential } = verified.registrationInfo;
      return {
        credentialId: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
      };
    },
    async askToSign(occasion, among) {
      const { id } = party();
      const allowCredentials = among.filter((passkey) => passkey.rp_id === id).map(descriptorOf);
      return { challenge: await challenge(occasion), rpId: id, timeout: PASSKEY_MS, userVerification: 'required', allowCredentials };
    },
    async signed(occasion, answer, passkey) {
      const { id, origin } = party();
      const challenges = watched(take(occasion));
      const { userHandle, ...response } = answer.response;
      const verified = await rightOrNothing(
        () =>
          verifyAuthenticationResponse({
            response: {
              ...answer,
              response: { ...response, ...(userHandle === undefined ? {} : { userHandle }) },
              clientExtensionResults: {},
            },
            expectedChallenge: challenges.take,
            expectedOrigin: origin,
            expectedRPID: id,
            requireUserVerification: true,
            // Counters are compared where they are stored, in one statement, so that of two copies at once one loses.
            credential: { id: passkey.credential_id.toString('base64url'), publicKey: Uint8Array.from(passkey.public_key), counter: 0 },
          }),
        challenges.failure,
      );
      return verified?.verified === true ? verified.authenticationInfo.newCounter : undefined;
    },
  });
}
