import type { Audience, Granted, Sessions } from './sessions.ts';

/** How often one tab renews, well within the life of an access token. */
export const renewalEveryMs = 300_000;

export type RenewedSessions = Readonly<Record<Audience, Granted>>;

/** One renewal or sign-out at a time over all tabs: `navigator.locks` in the browser. */
export type Exclusive = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface RenewalParts {
  readonly sessions: Sessions;
  readonly exclusive: Exclusive;
  /** Nobody is: then there is nothing to renew, whatever waited for the lock. */
  readonly isSignedIn: () => boolean;
  /** Posts the refresh call; null when the server refuses. */
  readonly refresh: () => Promise<RenewedSessions | null>;
  readonly adopt: (sessions: RenewedSessions) => void;
}

/**
 * One shared renewal: calls that fail together wait for the same one, and a tab that finds a newer
 * token than the one that failed takes that. True when the call is worth repeating.
 */
export function createRenewal(parts: RenewalParts): (failedToken: string) => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  const renew = (failedToken: string): Promise<boolean> =>
    parts.exclusive(async () => {
      if (!parts.isSignedIn()) return false;
      const current = parts.sessions.snapshot();
      const known = (['main', 'staging', 'legacy'] as const).map((audience) => parts.sessions.read(audience)?.token);
      if (current.replaceAll('|', '') !== '' && failedToken !== '' && !known.includes(failedToken)) return true;
      const granted = await parts.refresh();
      if (granted === null) return false;
      parts.adopt(granted);
      return true;
    });
  return (failedToken) => {
    running ??= renew(failedToken).finally(() => {
      running = null;
    });
    return running;
  };
}

/** Web Locks where the browser has them; otherwise each tab for itself. */
export function exclusiveOver(locks: LockManager | undefined): Exclusive {
  if (locks === undefined) return (work) => work();
  return async (work) => await locks.request('holdfast-session', work);
}
