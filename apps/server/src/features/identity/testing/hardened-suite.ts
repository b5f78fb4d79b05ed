import { testDatabase, type TestDatabase } from '@holdfast/database/testing/test-database';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { afterAll, afterEach, expect, test } from 'vitest';
import { totpCode } from '../totp.ts';
import { identityApp, type IdentityApp, type IdentityAppOptions, type Received } from './identity-app.ts';
import { keyFromBase32 } from './reading.ts';

/** The password of everybody in these suites. */
export const password = 'Sturdy-Heron-Wanders-47';

export type Sessions = Record<'main' | 'staging' | 'legacy', { token: string; expiresIn: number }>;

/** A suite of our own cases over a database of its own; prints which of them passed. */
export interface HardenedSuite {
  readonly db: TestDatabase;
  /** An application in the product's profile; closed after the test. */
  readonly app: (given?: IdentityAppOptions) => Promise<IdentityApp>;
  /** A new owner of a new organisation; their address. */
  readonly owner: (made: IdentityApp) => Promise<string>;
  /** A number that no other address of this suite has. */
  readonly next: () => number;
  readonly count: (sql: string, values?: unknown[]) => Promise<number>;
  readonly hardenedCase: (name: string, run: () => Promise<void>, timeoutMs?: number) => void;
}

export function hardenedSuite(fileUrl: string): HardenedSuite {
  const db = testDatabase(fileUrl);
  const passed = new Set<string>();
  const open: IdentityApp[] = [];
  let turn = 0;
  afterEach(async () => {
    for (const made of open.splice(0)) await made.close();
  });
  afterAll(() => {
    if (passed.size > 0) process.stdout.write(`identity hardening: ${passed.size} own cases passed (${[...passed].sort().join(' ')})\n`);
  });
  return {
    db,
    next: () => (turn += 1),
    async app(given = {}) {
      const clock = given.clock ?? createFakeClock(Date.UTC(2026, 5, 1, 8) + (turn += 1) * 86_400_000);
      const override = { secondFactor: 'optional', emailCharacters: 'upstream', ...given.override } as const;
      const made = await identityApp(db, { profile: 'hardened', clock, ...given, override });
      open.push(made);
      return made;
    },
    async owner(made) {
      const email = `owner${(turn += 1)}@example.com`;
      await made.access.identity.bootstrap.createOwner({ email, password, organisation: `Organisation ${turn}` }, false);
      return email;
    },
    async count(sql, values = []) {
      return (await db.asSuperuser(sql, values))[0]?.['n'] as number;
    },
    hardenedCase(name: string, run: () => Promise<void>, timeoutMs = 60_000) {
      test(
        // oxlint-disable-next-line vitest/valid-title -- the title is this function's argument, a string
        name,
        async () => {
          await run();
          for (const found of name.match(/[AH]\d+/g) ?? []) passed.add(found);
        },
        timeoutMs,
      );
    },
  };
}

/** Signs in as the portal does: three tokens and a refresh cookie. */
export async function signIn(
  made: IdentityApp,
  email: string,
  secret = password,
): Promise<{ sessions: Sessions; cookie: string; answer: Received }> {
  const answer = await made.send('/api/auth/signin', { body: { email, password: secret, audiences: ['main', 'staging', 'legacy'] } });
  return { answer, sessions: answer.json['sessions'] as Sessions, cookie: (answer.cookies[0] ?? '').split(';')[0] ?? '' };
}

/** Sets up an authenticator for the account of a session. */
export async function enrol(made: IdentityApp, bearer: string): Promise<{ code: () => string; key: Buffer; recoveryCodes: string[] }> {
  const start = await made.send('/apollo/manage/2fa', { body: {}, bearer });
  const key = keyFromBase32(start.json['sharedKey'] as string);
  const code = (): string => totpCode(key, made.clock.nowMs());
  const enabled = await made.send('/apollo/manage/2fa', { body: { enable: true, twoFactorCode: code() }, bearer });
  expect(enabled.status).toBe(200);
  return { code, key, recoveryCodes: enabled.json['recoveryCodes'] as string[] };
}
