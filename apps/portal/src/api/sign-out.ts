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
  /**
   * The lock of the renewal: new tokens must not arrive after the last ones were cleared. A tab that dies gives it back,
   * so whoever heard of a sign-out knows by it when that is over, however it went.
   */
  readonly exclusive: Exclusive;
  readonly state: Store<SignInState>;
  /** Whether no tab has yet cleared what all of them keep. */
  readonly isSignedIn: () => boolean;
  /** Ends the session on the server and clears what the browser keeps of it. */
  readonly end: () => Promise<void>;
  /** Goes to the sign-in page, which says why; null for one who was not signed in. */
  readonly leave: (reason: SignOutReason | null) => void;
}

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
  const holdCalls = (): void => {
    hold ??= newHold();
    beginning.abort();
  };
  const release = (): void => {
    hold?.release();
    hold = undefined;
    if (beginning.signal.aborted) beginning = new AbortController();
  };
  parts.channel.listen((reason) => {
    if (!state.get().isAuthenticated) return;
    heard = reason;
    holdCalls();
    // Over, and somebody is still signed in: it did not come about. Otherwise this tab sees by itself that it is over.
    void parts.exclusive(async () => {
      if (own === undefined && parts.isSignedIn()) release();
    });
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
      await parts.exclusive(async () => {
        if (!parts.isSignedIn()) return;
        // With the lock in hand: whoever hears of it waits for the same lock, and so for the end.
        parts.channel.tell(reason);
        await parts.end();
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
