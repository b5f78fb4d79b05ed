import { testDatabase, type TestDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, afterEach, expect, test } from 'vitest';
import { identityApp, type IdentityApp, type IdentityAppOptions, type Received, type Sent } from './identity-app.ts';

/** Good by upstream's rules. */
export const password = 'Good-Password-1';
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}

/** The calls of one prefix. */
export function client(made: IdentityApp, base: string) {
  const post = (path: string, body: unknown, more: Sent = {}): Promise<Received> => made.send(`${base}${path}`, { body, ...more });
  return {
    post,
    get: (path: string, more: Sent = {}) => made.send(`${base}${path}`, more),
    register: (email: string, secret = password) => post('/register', { email, password: secret }),
    login: (email: string, secret = password, more: Record<string, unknown> = {}) => post('/login', { email, password: secret, ...more }),
    async tokens(email: string, secret = password): Promise<Tokens> {
      return (await post('/login', { email, password: secret })).json as unknown as Tokens;
    },
    probe: (bearer?: string) => made.send(`${base}/probe`, bearer === undefined ? {} : { bearer }),
    refresh: (refreshToken: unknown) => post('/refresh', { refreshToken }),
    follow: (link: string) => made.send(link.replace('http://127.0.0.1:8080', '')),
  };
}

export function expectEmpty(answer: Received, status: number): void {
  expect([answer.status, answer.text, String(answer.headers['content-length'])]).toEqual([status, '', '0']);
}

export function expectProblem(answer: Received, detail: string): void {
  expect([answer.status, answer.headers['content-type'], answer.json['detail']]).toEqual([401, 'application/problem+json', detail]);
}

export function expectInvalid(answer: Received, key: string): void {
  expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/problem+json']);
  expect(answer.json['title']).toBe('One or more validation errors occurred.');
  expect(Object.keys(answer.json['errors'] as object)).toEqual([key]);
}

/** A suite of upstream's cases over a database of its own; prints how many of the 45 passed. */
export interface UpstreamSuite {
  readonly db: TestDatabase;
  /** An application that answers as upstream does; closed after the test. */
  readonly app: (given?: IdentityAppOptions, store?: TestDatabase) => Promise<IdentityApp>;
  /** An address that nobody in this suite has. */
  readonly address: () => string;
  /** Events of a kind that were noted for an address. */
  readonly counted: (event: string, email: string) => Promise<number>;
  /** Runs a case against both prefixes. */
  readonly upstreamCase: (name: string, run: (given: { base: string }) => Promise<void>) => void;
}

export function upstreamSuite(fileUrl: string): UpstreamSuite {
  const db = testDatabase(fileUrl);
  const passed = new Set<string>();
  const open: IdentityApp[] = [];
  let turn = 0;
  afterEach(async () => {
    for (const made of open.splice(0)) await made.close();
  });
  afterAll(() => {
    const cases = new Set([...passed].flatMap((name) => name.match(/C\d+/g) ?? []));
    process.stdout.write(`identity conformance: ${cases.size} of the 45 upstream cases passed here, each under /apollo and /apollo-beta\n`);
  });
  return {
    db,
    address: () => `person${(turn += 1)}@example.com`,
    async app(given = {}, store = db) {
      const made = await identityApp(store, { profile: 'conformance', ...given });
      open.push(made);
      return made;
    },
    async counted(event, email) {
      const sql = `select count(*)::int as n from audit_inbox where event = $1 and payload ->> 'actor' = $2`;
      return (await db.asSuperuser(sql, [event, email]))[0]?.['n'] as number;
    },
    upstreamCase(name, run) {
      test.each([{ base: '/apollo' }, { base: '/apollo-beta' }])(`${name} under $base`, async (given) => {
        await run(given);
        passed.add(name);
      });
    },
  };
}
