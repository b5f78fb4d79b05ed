import { identity } from '@holdfast/contract/identity';
import { auth } from '@holdfast/contract/legacy/auth';
import type { PortalSettings } from '@holdfast/contract/portal-settings';
import type { QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import type { Languages } from '../i18n/languages.ts';
import type { Toasts } from '../toasts/toast.ts';
import { createInactivity } from './activity.ts';
import type { ActivityChannel, Inactivity } from './activity.ts';
import { ApiError } from './api-error.ts';
import { createClient } from './client.ts';
import type { ApiClient, Realm, SendForm } from './client.ts';
import type { Clock } from './clock.ts';
import { createQueryClient } from './query-client.ts';
import { createRenewal } from './renewal.ts';
import type { Exclusive, RenewedSessions } from './renewal.ts';
import { createSessions } from './sessions.ts';
import type { CookieJar } from './sessions.ts';
import { createSignIn, signOutReasons, storedUser } from './sign-in-state.ts';
import type { SignIn, SignOutReason } from './sign-in-state.ts';
import { createSignOut } from './sign-out.ts';
import type { SignOut, SignOutChannel } from './sign-out.ts';
import { createKept } from './storage.ts';
import type { Kept } from './storage.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';
import { chosenWorker, createWorkerStore } from './worker-choice.ts';
import type { ChosenWorker } from './worker-choice.ts';

/** Everything outside React that the pages work with, put together once in `main.tsx` and in tests. */
export interface Portal {
  readonly settings: PortalSettings;
  readonly clock: Clock;
  readonly languages: Languages;
  readonly toasts: Toasts;
  readonly client: ApiClient;
  readonly queries: QueryClient;
  readonly signIn: SignIn;
  readonly inactivity: Inactivity;
  readonly realm: Store<Realm>;
  readonly worker: Store<ChosenWorker | null>;
  readonly live: Store<LiveState>;
  /** Why the visitor is on the sign-in page, and where to go back to; read once. */
  readonly departure: Kept<Departure>;
  /** One renewal of the tokens, shared by all that wait for it. */
  readonly renew: (failedToken: string) => Promise<boolean>;
  chooseWorker(choice: ChosenWorker | null): void;
  chooseRealm(realm: Realm): void;
  readonly signOut: SignOut;
  goTo(path: string): void;
}

export type LiveState = 'connected' | 'reconnecting';

export const departure = z.object({ reason: z.enum(signOutReasons).nullable(), returnTo: z.string().nullable() });
export type Departure = z.infer<typeof departure>;

export interface PortalParts {
  readonly settings: PortalSettings;
  readonly clock: Clock;
  readonly languages: Languages;
  readonly toasts: Toasts;
  readonly jar: CookieJar;
  readonly local: Storage;
  readonly session: Storage;
  readonly secure: boolean;
  readonly fetch: typeof fetch;
  readonly sendForm: SendForm;
  readonly exclusive: Exclusive;
  readonly channel: ActivityChannel;
  readonly signOutChannel: SignOutChannel;
  readonly goTo: (path: string) => void;
  readonly here: () => string;
  /** Where a failed logout is noted: the console, and nowhere else. */
  readonly note: (message: string, error: unknown) => void;
}

const realmSchema = z.enum(['production', 'staging']);

/** Wires sessions, client, caches and inactivity together. */
export function createPortal(parts: PortalParts): Portal {
  const { clock, languages, settings, toasts } = parts;
  const sessions = createSessions(parts.jar, clock, parts.secure);
  const signIn = createSignIn({ sessions, clock, kept: createKept(parts.local, 'user', storedUser) });
  const keptRealm = createKept(parts.session, 'holdfast.realm', realmSchema);
  const keptDeparture = createKept(parts.session, 'holdfast.departure', departure);
  const realm = createStore<Realm>(keptRealm.read() ?? 'production');
  const { worker, setWorker } = createWorkerStore(createKept(parts.local, 'worker', chosenWorker), realm);
  const live = createStore<LiveState>('connected');
  const inactivity = createInactivity(clock, parts.channel);
  const leave = (reason: SignOutReason | null): void => {
    signIn.forget();
    queries.clear();
    if (reason !== null) keptDeparture.write({ reason, returnTo: reason === 'signedOut' ? null : parts.here() });
    parts.goTo('/logout');
  };
  const renew = createRenewal({
    sessions,
    exclusive: parts.exclusive,
    adopt: (granted) => signIn.renewed(granted),
    isSignedIn: () => signIn.isKept(),
    refresh: () => refresh(client, inactivity),
  });
  const client: ApiClient = createClient({
    settings,
    sessions,
    fetch: parts.fetch,
    sendForm: parts.sendForm,
    clock,
    realm: realm.get,
    language: languages.current,
    renew,
    settled: () => signOut.settled(),
    signOutBegins: () => signOut.begins(),
    onSessionLost: () => {
      if (signIn.state.get().isAuthenticated && !signOut.isOwn()) leave('expired');
    },
  });
  const queries = createQueryClient(client, {
    toasts,
    text: languages.text,
    language: languages.current,
    onUnreachable: () => live.set('reconnecting'),
  });
  const signOut = createSignOut({
    channel: parts.signOutChannel,
    exclusive: parts.exclusive,
    state: signIn.state,
    isSignedIn: () => signIn.isKept(),
    end: () => endSession(client, parts.note).finally(() => signIn.forget()),
    leave,
  });
  return {
    settings,
    clock,
    languages,
    toasts,
    client,
    queries,
    signIn,
    inactivity,
    realm,
    worker,
    live,
    departure: keptDeparture,
    renew,
    chooseWorker(choice) {
      setWorker(choice);
      queries.clear();
    },
    chooseRealm(chosen) {
      keptRealm.write(chosen);
      realm.set(chosen);
      setWorker(worker.get());
      queries.clear();
    },
    signOut,
    goTo: parts.goTo,
  };
}

async function endSession(client: ApiClient, note: PortalParts['note']): Promise<void> {
  try {
    await client.send(auth.logout, { quiet: true });
  } catch (error) {
    // A 401 means that there is nothing left to end.
    if (!(error instanceof ApiError) || error.status !== 401) note('The sign-out call failed.', error);
  }
}

async function refresh(client: ApiClient, inactivity: Inactivity): Promise<RenewedSessions | null> {
  try {
    const answer = await client.send(identity.refresh, { body: {}, background: !inactivity.takeTouched() });
    const { main, staging, legacy } = answer.sessions ?? {};
    return main && staging && legacy ? { main, staging, legacy } : null;
  } catch (error) {
    // The server could not be reached: the sign-in may well be good, so the caller's own failure stands.
    if (error instanceof ApiError && error.failure.kind === 'network') throw error;
    return null;
  }
}
