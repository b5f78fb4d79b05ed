import { roles } from '@holdfast/contract/actions';
import { cookiePollMs } from '@holdfast/contract/limits';
import { z } from 'zod';
import type { Clock } from './clock.ts';
import type { Audience, Granted, Sessions } from './sessions.ts';
import type { Kept } from './storage.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

/** `user` of the client state: kept persistently, with the short-lived legacy token in it. */
export const storedUser = z.object({
  token: z.string(),
  user: z.object({ id: z.string(), email: z.string(), role: z.enum(roles).nullable().catch(null) }),
});
export type StoredUser = z.infer<typeof storedUser>;

/** Why the visitor is on the sign-in page. */
export const signOutReasons = ['signedOut', 'inactive', 'expired', 'elsewhere', 'everywhere'] as const;
export type SignOutReason = (typeof signOutReasons)[number];

export interface SignInState {
  readonly isAuthenticated: boolean;
  readonly token: string;
  readonly user: StoredUser['user'] | null;
}

/** The answer that completes a sign-in. */
export interface SignedInAnswer {
  readonly token: string;
  readonly expiresIn: number;
  readonly user: { readonly id: string; readonly email: string; readonly role: StoredUser['user']['role'] };
  readonly sessions?: Readonly<Partial<Record<Audience, Granted>>> | undefined;
}

/** Who is signed in, and the changes of that: one of these a tab. */
export interface SignIn {
  readonly state: Store<SignInState>;
  /** Whether somebody is signed in for all tabs, the ones that have not looked yet among them. */
  isKept(): boolean;
  complete(answer: SignedInAnswer): void;
  /** New tokens after a renewal; the user stays who he is. */
  renewed(sessions: Readonly<Record<Audience, Granted>>): void;
  /** Clears the stored user and every cookie. */
  forget(): void;
  /** Watches what is kept for all tabs for what others do; the answer stops it. */
  watch(onChange: (change: 'gone' | 'other-user') => void): () => void;
}

export interface SignInParts {
  readonly sessions: Sessions;
  readonly kept: Kept<StoredUser>;
  readonly clock: Clock;
}

const nobody: SignInState = { isAuthenticated: false, token: '', user: null };

function stateOf(stored: StoredUser | null): SignInState {
  return stored === null || stored.token === '' ? nobody : { isAuthenticated: true, token: stored.token, user: stored.user };
}

/** A stored user with a token makes the session authenticated from the start. */
export function createSignIn({ sessions, kept, clock }: SignInParts): SignIn {
  const state = createStore(stateOf(kept.read()));
  // Cookies and storage reach other tabs each in its own time: what came last must not be missed.
  const look = (): string => `${sessions.snapshot()} ${JSON.stringify(kept.read())}`;
  let seen = look();
  const store = (stored: StoredUser | null): void => {
    kept.write(stored);
    seen = look();
    state.set(stateOf(stored));
  };
  const adopt = (): void => {
    const legacy = sessions.read('legacy');
    const { user } = state.get();
    if (legacy !== null && user !== null) state.set({ isAuthenticated: true, token: legacy.token, user });
  };
  return {
    state,
    isKept: () => kept.read() !== null,
    complete(answer) {
      sessions.write(answer.sessions ?? { legacy: { token: answer.token, expiresIn: answer.expiresIn } });
      store({ token: answer.token, user: { ...answer.user } });
    },
    renewed(granted) {
      const { user } = state.get();
      sessions.write(granted);
      if (user !== null) store({ token: granted.legacy.token, user });
    },
    forget() {
      sessions.clear();
      store(null);
    },
    watch(onChange) {
      return clock.every(cookiePollMs, () => {
        const now = look();
        if (now === seen) return;
        seen = now;
        const { user } = state.get();
        const stored = kept.read();
        if (stored === null) {
          if (user === null) return;
          state.set(nobody);
          onChange('gone');
        } else if (stored.user.id !== user?.id) {
          state.set(stateOf(stored));
          onChange('other-user');
        } else adopt();
      });
    },
  };
}
