import type { Tenant } from '../state/tenant.ts';
import { appsOf } from './apps.ts';
import { readJwt } from './jwt.ts';
import { createPublicKey, verify } from 'node:crypto';
import type { SigningKey } from './sign-in.ts';

/** What an access token opens, once it was verified. */
export interface Session {
  readonly tenant: Tenant;
  readonly appId: string;
  /** Closed under what they imply. */
  readonly roles: ReadonlySet<string>;
  readonly expiresMs: number;
  readonly revocations: number;
  /** False for a token that was issued for another service. */
  readonly isForGraph: boolean;
}

export interface Sessions {
  /** The session of a bearer token; `undefined` when it is wrong, expired or revoked. */
  open(token: string): Session | undefined;
}

export interface SessionsOptions {
  readonly key: SigningKey;
  readonly tenants: ReadonlyMap<string, Tenant>;
  readonly closure: (roles: Iterable<string>) => ReadonlySet<string>;
}

const KEPT = 5000;
/** Graph by address, and by the id of its application. */
const AUDIENCES: readonly unknown[] = [
  'https://graph.microsoft.com',
  'https://graph.microsoft.com/',
  '00000003-0000-0000-c000-000000000000',
];

/** Verifies each token once and remembers it: the same token comes with every request of an hour. */
export function createSessions(options: SessionsOptions): Sessions {
  const publicKey = createPublicKey(options.key.privateKey);
  const known = new Map<string, Session>();

  function verified(text: string): Session | undefined {
    const token = readJwt(text);
    if (!token || !verify('sha256', Buffer.from(token.signed), publicKey, token.signature)) return undefined;
    const { tid, appid, aud, exp, roles, uti } = token.claims;
    const tenant = typeof tid === 'string' ? options.tenants.get(tid) : undefined;
    if (!tenant || typeof appid !== 'string' || typeof exp !== 'number' || !Array.isArray(roles)) return undefined;
    const granted = roles.filter((role): role is string => typeof role === 'string');
    const revocations = Number.parseInt(typeof uti === 'string' ? uti : '0', 36);
    const isForGraph = AUDIENCES.includes(aud);
    return { tenant, appId: appid, roles: options.closure(granted), expiresMs: exp * 1000, revocations, isForGraph };
  }

  return Object.freeze({
    open(token: string) {
      let session = known.get(token);
      if (!session) {
        session = verified(token);
        if (!session) return undefined;
        if (known.size >= KEPT) known.clear();
        known.set(token, session);
      }
      const app = appsOf(session.tenant.store).get(session.appId);
      const isAlive = app?.isEnabled === true && app.revocations === session.revocations;
      return isAlive && session.expiresMs > session.tenant.clock.nowMs() ? session : undefined;
    },
  });
}
