import type { Clock } from '@holdfast/foundation/clock';
import type { Random } from '@holdfast/foundation/random';
import { retry } from '@holdfast/foundation/retry';
import { isGraphError, type GraphErrorCode } from '../errors/errors.ts';
import type { RawToken } from './token-request.ts';

export interface AccessToken {
  readonly value: string;
  /** Application roles the token lists. Used to explain refusals, never to decide. */
  readonly roles: readonly string[];
  /** Delegated permissions the token lists. The product uses none; a token of another kind of app may carry some. */
  readonly scopes: readonly string[];
}

/** The tenant's current token. One request for a new one at a time, however many wait for it. */
export interface TokenSource {
  /** A token that holds for a while yet. A refusal is remembered: it is not asked for again. */
  current(): Promise<AccessToken>;
  /** After 401: a token other than the refused one. */
  renewed(refused: AccessToken): Promise<AccessToken>;
  /** A token asked for just now, whatever was refused before. */
  fresh(): Promise<AccessToken>;
}

const RENEW_EARLY_MS = 5 * 60 * 1000;
const TRIES = 5;
const TRANSIENT: readonly GraphErrorCode[] = ['graph.sign-in-unavailable', 'graph.network', 'graph.truncated'];

/** The permissions in a token's payload. The token is opaque to everything else. */
export function permissionsOf(accessToken: string): Pick<AccessToken, 'roles' | 'scopes'> {
  try {
    const text = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString('utf8');
    const { roles, scp } = JSON.parse(text) as { roles?: unknown; scp?: unknown };
    return {
      roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
      scopes: typeof scp === 'string' ? scp.split(' ').filter((scope) => scope !== '') : [],
    };
  } catch {
    return { roles: [], scopes: [] };
  }
}

export function createTokenSource(options: {
  readonly request: () => Promise<RawToken>;
  readonly clock: Clock;
  readonly random: Random;
}): TokenSource {
  const { clock, random } = options;
  let held: { readonly token: AccessToken; readonly renewAtMs: number } | undefined;
  let refusal: unknown;
  let pending: Promise<AccessToken> | undefined;

  async function acquire(): Promise<AccessToken> {
    try {
      const raw = await retry(() => options.request(), {
        clock,
        random,
        tries: TRIES,
        firstDelayMs: 2_000,
        maxDelayMs: 60_000,
        shouldRetry: (error) => isGraphError(error, ...TRANSIENT),
      });
      const token = { value: raw.accessToken, ...permissionsOf(raw.accessToken) };
      // Short-lived tokens are renewed at half of their life.
      const earlyMs = Math.min(RENEW_EARLY_MS, raw.lifetimeMs / 2);
      held = { token, renewAtMs: clock.monotonicMs() + raw.lifetimeMs - earlyMs };
      refusal = undefined;
      return token;
    } catch (error) {
      held = undefined;
      refusal = isGraphError(error, ...TRANSIENT) ? undefined : error;
      throw error;
    } finally {
      pending = undefined;
    }
  }

  function request(): Promise<AccessToken> {
    pending ??= acquire();
    return pending;
  }

  return Object.freeze({
    current() {
      if (held && clock.monotonicMs() < held.renewAtMs) return Promise.resolve(held.token);
      if (refusal !== undefined) return Promise.reject(refusal as Error);
      return request();
    },
    renewed(refused: AccessToken) {
      if (held && held.token.value !== refused.value) return Promise.resolve(held.token);
      if (refusal !== undefined) return Promise.reject(refusal as Error);
      return request();
    },
    fresh: request,
  });
}
