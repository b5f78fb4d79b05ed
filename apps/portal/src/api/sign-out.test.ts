import { expect, test } from 'vitest';
import type { SignInState, SignOutReason } from './sign-in-state.ts';
import { createSignOut } from './sign-out.ts';
import type { SignOut } from './sign-out.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

const signedIn: SignInState = { isAuthenticated: true, token: 'l', user: { id: 'u1', email: 'a@b.c', role: 'owner' } };
const nobody: SignInState = { isAuthenticated: false, token: '', user: null };

interface Tab {
  readonly signOut: SignOut;
  readonly state: Store<SignInState>;
  readonly left: (SignOutReason | null)[];
}

interface Browser {
  readonly tab: () => Tab;
  /** A tab that is none of `tab` says that it signs out, and takes the lock for it. */
  readonly announce: (reason: SignOutReason) => void;
  /** That tab is no more: the browser gives its lock back. */
  readonly die: () => void;
  /** Calls of the server that wait for their answer. */
  readonly asked: (() => void)[];
}

/** Tabs over one store, one lock and one channel, as a browser has them. */
function createBrowser(): Browser {
  const listeners: ((reason: SignOutReason) => void)[] = [];
  const asked: (() => void)[] = [];
  let isSignedIn = true;
  let queue: Promise<unknown> = Promise.resolve();
  const exclusive = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(work);
    queue = result;
    return result;
  };
  const tab = (): Tab => {
    const state = createStore(signedIn);
    const left: (SignOutReason | null)[] = [];
    let ownListener: ((reason: SignOutReason) => void) | undefined;
    const signOut = createSignOut({
      exclusive,
      state,
      channel: {
        tell: (reason) => listeners.filter((listener) => listener !== ownListener).forEach((listener) => listener(reason)),
        listen(hear) {
          ownListener = hear;
          listeners.push(hear);
          return () => undefined;
        },
      },
      isSignedIn: () => isSignedIn,
      async end() {
        await new Promise<void>((resolve) => {
          asked.push(resolve);
        });
        isSignedIn = false;
        state.set(nobody);
      },
      leave: (reason) => left.push(reason),
    });
    return { signOut, state, left };
  };
  const life = Promise.withResolvers<void>();
  const announce = (reason: SignOutReason): void => {
    void exclusive(() => life.promise);
    listeners.forEach((listener) => listener(reason));
  };
  return { tab, announce, die: () => life.resolve(), asked };
}

test('no tab makes a call between the announcement of a sign-out and its end', async () => {
  const { tab, asked } = createBrowser();
  const [first, second] = [tab(), tab()];
  const ending = first.signOut.begin('signedOut');
  const own = first.signOut.settled();
  await expect.poll(() => asked.length).toBe(1);
  const calls = [own, second.signOut.settled()];
  asked[0]?.();
  await ending;
  second.state.set(nobody);
  expect(await Promise.all(calls)).toEqual([false, false]);
  expect([first.left, second.signOut.heard()]).toEqual([['signedOut'], 'elsewhere']);
});

test('what any tab is reading is let go when a sign-out begins, and what comes after the next sign-in is not', async () => {
  const { tab, asked } = createBrowser();
  const [first, second] = [tab(), tab()];
  const before = [first.signOut.begins(), second.signOut.begins()];
  void first.signOut.begin('inactive');
  await expect.poll(() => asked.length).toBe(1);
  second.state.set(nobody);
  second.state.set(signedIn);
  expect([...before, second.signOut.begins()].map((signal) => signal.aborted)).toEqual([true, true, false]);
});

test('two tabs whose time is over at the same moment ask the server once, and both know why', async () => {
  const { tab, asked } = createBrowser();
  const [first, second] = [tab(), tab()];
  const ending = [first.signOut.begin('inactive'), second.signOut.begin('inactive')];
  await expect.poll(() => asked.length).toBe(1);
  second.state.set(nobody);
  asked[0]?.();
  await Promise.all(ending);
  expect([asked.length, first.left, second.left]).toEqual([1, ['inactive'], ['inactive']]);
});

test('a tab that only hears of it says the reason of the other', async () => {
  const { tab, asked } = createBrowser();
  const [first, second] = [tab(), tab()];
  void first.signOut.begin('inactive');
  await expect.poll(() => asked.length).toBe(1);
  expect([second.signOut.isOwn(), second.signOut.heard()]).toEqual([false, 'inactive']);
});

test('a tab that announced a sign-out and died holds the others no longer than the lock that it had', async () => {
  const { announce, die, tab } = createBrowser();
  const second = tab();
  announce('signedOut');
  const call = second.signOut.settled();
  die();
  expect([await call, await second.signOut.settled()]).toEqual([true, true]);
});

test('a call waits for the whole sign-out of another tab, however long the server takes', async () => {
  const { tab, asked } = createBrowser();
  const [first, second] = [tab(), tab()];
  void first.signOut.begin('signedOut');
  await expect.poll(() => asked.length).toBe(1);
  let isSettled = false;
  const call = second.signOut.settled().finally(() => (isSettled = true));
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  expect(isSettled).toBe(false);
  asked[0]?.();
  await expect.poll(() => first.left).toEqual(['signedOut']);
  expect(isSettled).toBe(false);
  second.state.set(nobody);
  expect(await call).toBe(false);
});

test('signing in again takes nothing along from the sign-out before', async () => {
  const { tab, asked } = createBrowser();
  const [first, second] = [tab(), tab()];
  void first.signOut.begin('inactive');
  await expect.poll(() => asked.length).toBe(1);
  second.state.set(nobody);
  second.state.set(signedIn);
  expect([await second.signOut.settled(), second.signOut.heard()]).toEqual([true, 'elsewhere']);
});
