import { expect, test, vi } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createRenewal } from './renewal.ts';
import { createSessions } from './sessions.ts';
import type { CookieJar } from './sessions.ts';
import { createSignIn } from './sign-in-state.ts';
import type { StoredUser } from './sign-in-state.ts';
import type { Kept } from './storage.ts';

function createJar(): CookieJar {
  const kept = new Map<string, string>();
  return {
    get cookie() {
      return [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set cookie(written: string) {
      const pair = written.split('; ')[0] ?? '';
      const equals = pair.indexOf('=');
      if (written.includes('Max-Age=0')) kept.delete(pair.slice(0, equals));
      else kept.set(pair.slice(0, equals), pair.slice(equals + 1));
    },
  };
}

function createMemory(initial: StoredUser | null = null): Kept<StoredUser> {
  let kept = initial;
  return {
    read: () => kept,
    write: (value) => {
      kept = value;
    },
  };
}

const user = { id: 'u1', email: 'a@b.c', role: 'owner' as const };
const granted = { main: { token: 'm', expiresIn: 900 }, staging: { token: 's', expiresIn: 900 }, legacy: { token: 'l', expiresIn: 900 } };
const answer = { token: 'l', expiresIn: 900, user, sessions: granted };

test('isAuthenticated starts false, and true with a stored user that has a token', () => {
  const clock = createFakeClock();
  const sessions = createSessions(createJar(), clock, true);
  expect(createSignIn({ sessions, clock, kept: createMemory() }).state.get().isAuthenticated).toBe(false);
  expect(createSignIn({ sessions, clock, kept: createMemory({ token: 'l', user }) }).state.get()).toEqual({
    isAuthenticated: true,
    token: 'l',
    user,
  });
});

test('logging in sets authenticated, user, token and three cookies with their life', () => {
  const clock = createFakeClock();
  const written: string[] = [];
  const jar = createJar();
  const watched: CookieJar = {
    get cookie() {
      return jar.cookie;
    },
    set cookie(text: string) {
      written.push(text);
      jar.cookie = text;
    },
  };
  const sessions = createSessions(watched, clock, true);
  createSignIn({ sessions, clock, kept: createMemory() }).complete(answer);
  expect(written).toHaveLength(3);
  expect(written.every((text) => text.endsWith('; Max-Age=900; Path=/; SameSite=Strict; Secure'))).toBe(true);
  expect(sessions.read('staging')).toEqual({ token: 's', expiresAt: '2026-11-21T09:45:00.000Z' });
});

test('signing out in one tab is noticed in the other within 300 milliseconds', () => {
  const clock = createFakeClock();
  const jar = createJar();
  const kept = createMemory();
  const tab = (): ReturnType<typeof createSignIn> => createSignIn({ sessions: createSessions(jar, clock, true), clock, kept });
  const first = tab();
  first.complete(answer);
  const second = tab();
  const changes: string[] = [];
  second.watch((change) => changes.push(change));
  clock.advance(300);
  expect(changes).toEqual([]);
  first.forget();
  clock.advance(300);
  expect(changes).toEqual(['gone']);
  expect(second.state.get().isAuthenticated).toBe(false);
});

test('signing out is noticed as well when the storage of the other tab hears of it after its cookies', () => {
  const clock = createFakeClock();
  const jar = createJar();
  const [kept, late] = [createMemory(), createMemory()];
  const first = createSignIn({ sessions: createSessions(jar, clock, true), clock, kept });
  first.complete(answer);
  late.write(kept.read());
  const second = createSignIn({ sessions: createSessions(jar, clock, true), clock, kept: late });
  const changes: string[] = [];
  second.watch((change) => changes.push(change));
  first.forget();
  clock.advance(300);
  expect(changes).toEqual([]);
  late.write(kept.read());
  clock.advance(300);
  expect(changes).toEqual(['gone']);
});

test('another user in one tab makes the other start over; a new token of the same user is adopted', () => {
  const clock = createFakeClock();
  const jar = createJar();
  const kept = createMemory();
  const tab = (): ReturnType<typeof createSignIn> => createSignIn({ sessions: createSessions(jar, clock, true), clock, kept });
  const first = tab();
  first.complete(answer);
  const second = tab();
  const changes: string[] = [];
  second.watch((change) => changes.push(change));
  first.renewed({ ...granted, legacy: { token: 'l2', expiresIn: 900 } });
  clock.advance(300);
  expect([changes, second.state.get().token]).toEqual([[], 'l2']);
  first.complete({ ...answer, user: { ...user, id: 'u2' } });
  clock.advance(300);
  expect(changes).toEqual(['other-user']);
});

test('ten calls that fail together share one renewal, and a token that another tab renewed is taken', async () => {
  const clock = createFakeClock();
  const sessions = createSessions(createJar(), clock, true);
  sessions.write(granted);
  let refreshes = 0;
  const renew = createRenewal({
    sessions,
    exclusive: (work) => work(),
    isSignedIn: () => true,
    refresh: () => {
      refreshes += 1;
      return Promise.resolve({ ...granted, main: { token: 'm2', expiresIn: 900 } });
    },
    adopt: (fresh) => sessions.write(fresh),
  });
  expect(await Promise.all(Array.from({ length: 10 }, () => renew('m')))).toEqual(Array.from({ length: 10 }, () => true));
  expect(refreshes).toBe(1);
  expect(await renew('m')).toBe(true);
  expect(refreshes).toBe(1);
});

test.each([
  ['the server refuses', true, 1],
  ['nobody is signed in any more when its turn comes', false, 0],
])('a renewal is not worth repeating the call when %s', async (_why, signedIn, asked) => {
  const sessions = createSessions(createJar(), createFakeClock(), true);
  const refresh = vi.fn(() => Promise.resolve(null));
  const renew = createRenewal({ sessions, exclusive: (work) => work(), isSignedIn: () => signedIn, refresh, adopt: () => undefined });
  expect(await renew('')).toBe(false);
  expect(refresh).toHaveBeenCalledTimes(asked);
});
