import type { Clock } from './clock.ts';
import type { Exclusive } from './renewal.ts';
import type { SignInState, SignOutReason } from './sign-in-state.ts';
import type { Store } from './store.ts';
import type { TabChannel } from './tab-channel.ts';

/** Where tabs tell each other that one of them signs out, and why. */
export type SignOutChannel = TabChannel<SignOutReason>;

/** Ends the sign-in for all tabs of a browser at once. */
export interface SignOut {
  /** Ends it here and on the server, then leaves. The first reason counts. */
  begin(reason: SignOutReason): Promise<void>;
  /** A sign-out of this tab is under way: what other tabs do meanwhile changes nothing, nor why. */
  isOwn(): boolean;
  /** Why another tab ends the sign-in, as this tab says it. */
  heard(): SignOutReason;
  /** Calls wait here while a sign-out is under way; false when none is to be made any more. */
  settled(): Promise<boolean>;
  /** Aborts when the next sign-out begins, in whatever tab: what is being read is let go before the server refuses it. */
  begins(): AbortSignal;
}

export interface SignOutParts {
  readonly channel: SignOutChannel;
  readonly clock: Clock;
  /** The lock of the renewal: new tokens must not arrive after the last ones were cleared. */
  readonly exclusive: Exclusive;
  readonly state: Store<SignInState>;
  /** Whether no tab has yet cleared what all of them keep. */
  readonly isSignedIn: () => boolean;
  /** Ends the session on the server and clears what the browser keeps of it. */
  readonly end: () => Promise<void>;
  /** Goes to the sign-in page, which says why; null for one who was not signed in. */
  readonly leave: (reason: SignOutReason | null) => void;
}

/** A tab that announced a sign-out and died before it was done holds the others no longer than this. */
const patienceMs = 5_000;

interface Hold {
  readonly over: Promise<void>;
  readonly release: () => void;
}

/**
 * One tab tells the others before it asks the server: none of them makes a call that could only be
 * refused. Two tabs whose time is over at the same moment end the session once.
 */
export function createSignOut(parts: SignOutParts): SignOut {
  const { state } = parts;
  let own: SignOutReason | undefined;
  let heard: SignOutReason | undefined;
  let hold: Hold | undefined;
  let beginning = new AbortController();
  let stopWaiting = (): void => undefined;
  const holdCalls = (): void => {
    hold ??= newHold();
    beginning.abort();
  };
  const release = (): void => {
    stopWaiting();
    hold?.release();
    hold = undefined;
    if (beginning.signal.aborted) beginning = new AbortController();
  };
  parts.channel.listen((reason) => {
    if (!state.get().isAuthenticated) return;
    heard = reason;
    holdCalls();
    stopWaiting();
    stopWaiting = parts.clock.after(patienceMs, release);
  });
  state.subscribe(() => {
    if (own !== undefined) return;
    if (state.get().isAuthenticated) heard = undefined;
    else release();
  });
  return {
    async begin(reason) {
      if (own !== undefined) return;
      const wasSignedIn = state.get().isAuthenticated;
      own = reason;
      holdCalls();
      parts.channel.tell(reason);
      await parts.exclusive(async () => {
        if (parts.isSignedIn()) await parts.end();
      });
      parts.leave(wasSignedIn ? reason : null);
      own = undefined;
      release();
    },
    isOwn: () => own !== undefined,
    heard: () => (heard === undefined || heard === 'signedOut' ? 'elsewhere' : heard),
    async settled() {
      if (hold === undefined) return true;
      await hold.over;
      return parts.isSignedIn();
    },
    begins: () => beginning.signal,
  };
}

function newHold(): Hold {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { over: promise, release: resolve };
}
