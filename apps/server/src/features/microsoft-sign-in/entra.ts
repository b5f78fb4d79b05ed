import { AppError } from '@holdfast/foundation/errors';
import type { Secret } from '@holdfast/foundation/secrets';
import * as openid from 'openid-client';
import { Agent, fetch } from 'undici';
import { checkHost, lookupFor, type TargetRules } from '../locations/index.ts';

const TIMEOUT_SECONDS = 10;
/** More than any provider's keys and tokens take. */
const ANSWER_BYTES = 1_000_000;
const SCOPE = 'openid profile email';

/** The application of an organisation at its provider. */
export interface Application {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
}

/** What belongs to one attempt and is known to the browser alone. */
export interface AttemptSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Whom the provider vouches for. */
export interface ProvidedPerson {
  readonly subject: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Ids of groups and values of app roles. */
  readonly groups: readonly string[];
}

/** OpenID Connect with Microsoft Entra: code flow with PKCE. */
export interface Entra {
  /** Throws where there is no provider at the issuer. */
  check(application: Application): Promise<void>;
  addressFor(application: Application, secrets: AttemptSecrets, redirectAddress: string): Promise<string>;
  /** Exchanges the code and verifies what comes back. Throws `microsoft-sign-in.failed` for anything that does not fit. */
  personOf(application: Application, secrets: AttemptSecrets, answer: URL): Promise<ProvidedPerson>;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []);

/** What a provider says is stored and shown, so it must be a line of text. */
const line = (value: unknown, most: number): string => (/\p{C}|[\u2028\u2029]/u.test(text(value)) ? '' : text(value).slice(0, most));

function personIn(claims: openid.IDToken): ProvidedPerson {
  if (line(claims.sub, 255) !== claims.sub) throw new AppError('microsoft-sign-in.failed');
  return {
    subject: claims.sub,
    email: line(claims['email'], 254) || line(claims['preferred_username'], 254),
    firstName: line(claims['given_name'], 100),
    lastName: line(claims['family_name'], 100),
    groups: [...texts(claims['groups']), ...texts(claims['roles'])],
  };
}

export function createEntra(rules: Pick<TargetRules, 'allowedHosts'>): Entra {
  const allowed: TargetRules = { roots: [], ...rules };

  /** Each host the provider names is checked, and dialled at the address that was checked. */
  const fetchChecked = async (address: string, options: object): Promise<Response> => {
    await checkHost(address, allowed);
    const lookup = lookupFor(address, allowed);
    const dispatcher = new Agent({
      maxResponseSize: ANSWER_BYTES,
      connect: { timeout: TIMEOUT_SECONDS * 1_000, ...(lookup ? { lookup } : {}) },
    });
    const response = await fetch(address, { ...options, dispatcher, redirect: 'manual' });
    const body = await response.arrayBuffer();
    await dispatcher.close();
    return new Response(response.status === 204 || response.status === 304 ? null : body, {
      status: response.status,
      headers: Object.fromEntries(response.headers),
    });
  };

  async function discover({ issuer, clientId, clientSecret }: Application): Promise<openid.Configuration> {
    const secret = clientSecret.reveal();
    // Plain HTTP goes only to hosts that the operator allowed: `checkHost` refuses it elsewhere.
    const insecure = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [];
    // The library trusts what came by TLS; the signature is checked all the same.
    const execute = [openid.enableNonRepudiationChecks, ...insecure];
    const options = { timeout: TIMEOUT_SECONDS, execute, [openid.customFetch]: fetchChecked };
    try {
      await checkHost(issuer, allowed);
      return await openid.discovery(new URL(issuer), clientId, undefined, openid.ClientSecretPost(secret), options);
    } catch (error) {
      if (error instanceof AppError && error.code === 'locations.host-refused') {
        throw new AppError('microsoft-sign-in.issuer-refused', { details: { field: 'issuer' }, cause: error });
      }
      throw new AppError('microsoft-sign-in.unreachable', { details: { field: 'issuer' }, cause: error });
    }
  }

  return Object.freeze<Entra>({
    async check(application) {
      await discover(application);
    },
    async addressFor(application, { state, nonce, verifier }, redirectAddress) {
      const provider = await discover(application);
      const challenge = await openid.calculatePKCECodeChallenge(verifier);
      return openid.buildAuthorizationUrl(provider, {
        redirect_uri: redirectAddress,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).href;
    },
    async personOf(application, { state, nonce, verifier }, answer) {
      const provider = await discover(application);
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
        const claims = (await openid.authorizationCodeGrant(provider, answer, checks)).claims();
        if (!claims) throw new AppError('microsoft-sign-in.failed');
        return personIn(claims);
      } catch (error) {
        throw new AppError('microsoft-sign-in.failed', { cause: error });
      }
    },
  });
}
