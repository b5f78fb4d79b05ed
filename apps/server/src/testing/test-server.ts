import type { TestDatabase } from '@holdfast/database/testing/test-database';
import { silentLogger } from '@holdfast/foundation/logger';
import { aesKey } from '@holdfast/foundation/secrets';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OrganisationId } from '@holdfast/database';
import type { Role } from '@holdfast/contract/actions';
import type { Role as ProcessRole } from '../platform/feature.ts';
import { startProduct } from '../product/start-product.ts';
import { readConfig } from '../settings/config.ts';
import type { MasterKey } from '../keys/master-key.ts';
import { patiently } from '@holdfast/foundation/testing/patiently';
import { testIds } from './rows.ts';

export type Audience = 'main' | 'staging' | 'legacy';

/** Somebody who is signed in on all three surfaces. */
export interface SignedIn {
  readonly email: string;
  readonly accountId: string;
  readonly tokens: Readonly<Record<Audience, string>>;
}

/** The whole product over a test's database, listening on a free port. Answers that the contract does not declare fail. */
export interface TestServer {
  readonly address: string;
  /** Signs an account in that owns an organisation of its own. */
  owner(): Promise<SignedIn & { readonly organisationId: OrganisationId }>;
  /** Signs an account in that has had one role in an organisation for long enough to approve with it. `email`: with this address, confirmed. */
  member(organisationId: OrganisationId, role: Role, email?: string): Promise<SignedIn>;
  send(
    path: string,
    options?: { method?: string; token?: string; audience?: Audience; body?: unknown; raw?: string; headers?: Record<string, string> },
  ): Promise<Response>;
  close(): Promise<void>;
}

export const testPassword = 'Correct-Horse-1!';

/** Where a test's files are; the caller's `close()` removes them. */
export async function testServer(
  test: Pick<TestDatabase, 'database'>,
  options: {
    readonly roles?: readonly ProcessRole[];
    readonly settings?: Readonly<Record<string, string>>;
    /** For tests that share the installation with processes of their own. */
    readonly masterKey?: MasterKey;
  } = {},
): Promise<TestServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-test-server-'));
  const settings = { HOLDFAST_DATA_DIR: folder, HOLDFAST_PORT: '0', HOLDFAST_IDENTITY_PROFILE: 'conformance', ...options.settings };
  const { database } = test;
  const installation = {
    database,
    masterKey: options.masterKey ?? { id: 'test', key: aesKey(Buffer.alloc(32, 1)) },
    vaultsFolder: path.join(folder, 'vaults'),
    workFolder: path.join(folder, 'work'),
    databaseRestarts: () => 0,
    databaseLost: new Promise<never>(() => undefined),
    close: () => Promise.resolve(),
  };
  const running = await startProduct({
    config: readConfig(settings),
    logger: silentLogger,
    installation,
    roles: options.roles ?? ['api'],
    version: '0.0.0',
    isStrict: true,
  });
  const address = running.address ?? '';

  const send: TestServer['send'] = (to, { method, token, audience = 'main', body, raw, headers } = {}) =>
    patiently(() =>
      fetch(`${address}${to}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(token === undefined ? {} : { authorization: audience === 'legacy' ? token : `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(raw === undefined ? {} : { body: raw }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );

  async function signIn(email: string): Promise<SignedIn> {
    const answer = await send('/api/auth/signin', { body: { email, password: testPassword, audiences: ['main', 'staging', 'legacy'] } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${email} could not sign in: ${answer.status} ${text}`);
    const { user, sessions } = JSON.parse(text) as { user: { id: string }; sessions: Record<Audience, { token: string }> };
    const { main, staging, legacy } = sessions;
    return { email, accountId: user.id, tokens: { main: main.token, staging: staging.token, legacy: legacy.token } };
  }

  function anAddress(): string {
    const name = testIds.token(9).toLowerCase();
    return `${name.replaceAll(/[^a-z0-9]/g, 'x')}@example.com`;
  }

  async function register(email = anAddress()): Promise<SignedIn> {
    const answer = await send('/apollo/register', { body: { email, password: testPassword } });
    if (answer.status !== 200) throw new Error(`${email} could not register: ${answer.status} ${await answer.text()}`);
    return signIn(email);
  }

  async function join(organisationId: OrganisationId, accountId: string, role: Role): Promise<void> {
    for (const realm of ['production', 'staging'] as const) {
      await database.within({ organisationId, realm }, async (tx) => {
        await tx
          .insertInto('organisations')
          .values({ name: 'Organisation', abbr: 'org', created_at: new Date() })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const since = new Date(Date.now() - 30 * 86_400_000);
        const member = { account_id: accountId, role, joined_at: since, entitled_since: since, confirmed_at: since };
        await tx.insertInto('memberships').values(member).execute();
      });
    }
  }

  async function joined(organisationId: OrganisationId, role: Role, email?: string): Promise<SignedIn> {
    const account = await register(email);
    if (email !== undefined)
      await database.installation((tx) => tx.updateTable('accounts').set({ email_confirmed: true }).where('email', '=', email).execute());
    await join(organisationId, account.accountId, role);
    return signIn(account.email);
  }

  return {
    address,
    send,
    member: joined,
    async owner() {
      const organisationId = testIds.uuid() as OrganisationId;
      return { ...(await joined(organisationId, 'owner')), organisationId };
    },
    async close() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
