import { testDatabase } from '@holdfast/database/testing/test-database';
import { unzip } from '@holdfast/engine/testing/unzip';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aRunRow, testIds as ids } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

const testing = testDatabase(import.meta.url);
const { database } = testing;
/** Stands for everything that must not leave: planted wherever a row takes text. */
const canary = 'CANARY-7f3a91';
let server: TestServer;
let owner: SignedIn & { readonly organisationId: Parameters<TestServer['member']>[0] };
const tenantId = ids.uuid();
const locationId = ids.uuid();

async function plantRuns(count: number): Promise<void> {
  const at = new Date();
  await database.within({ organisationId: owner.organisationId, realm: 'production' }, async (tx) => {
    for (let number = 1; number <= count; number += 1) {
      const row = aRunRow(
        { tenantId, locationId },
        {
          number,
          job_name: canary,
          body: JSON.stringify({ name: canary }),
          status: 'failed',
          started_by: canary,
          queued_at: at,
          ended_at: at,
          code: 'graph.access-denied',
          worker: canary,
          result: JSON.stringify({ fileName: canary }),
        },
      );
      await tx.insertInto('runs').values(row).execute();
    }
  });
}

async function plantTenant(): Promise<void> {
  const created_at = new Date();
  await database.within({ organisationId: owner.organisationId, realm: 'production' }, async (tx) => {
    await tx
      .insertInto('tenants')
      .values({
        tenant_id: tenantId,
        name: canary,
        display_name: canary,
        status: 'provisioned',
        active: true,
        client_id: ids.uuid(),
        microsoft_tenant_id: ids.uuid(),
        credential: 'secret',
        sealed_secret: Buffer.from(canary),
        sealed_certificate: null,
        thumbprint: canary,
        last_error: canary,
        created_at,
      })
      .execute();
    await tx
      .insertInto('locations')
      .values({
        location_id: locationId,
        tenant_id: tenantId,
        name: canary,
        kind: 'filesystem',
        use: 'both',
        target: JSON.stringify({ kind: 'filesystem', path: `/${canary}` }),
        sealed_keys: Buffer.from(canary),
        immutability: JSON.stringify({ mode: 'none', days: 0 }),
        created_at,
      })
      .execute();
    await tx
      .insertInto('resources')
      .values({
        resource_id: ids.uuid(),
        tenant_id: tenantId,
        workload: 'exchange',
        kind: 'mailbox',
        graph_id: canary,
        name: canary,
        address: canary,
        last_code: 'graph.locked',
        last_status: 'failed',
      })
      .execute();
  });
}

beforeAll(async () => {
  server = await testServer(testing, {
    settings: {
      HOLDFAST_SMTP_URL: `smtp://user:${canary}@mail.invalid:25`,
      HOLDFAST_METRICS_TOKEN: canary,
      HOLDFAST_SUPPORT_PHONE: canary,
    },
  });
  owner = await server.owner();
  await plantTenant();
  await plantRuns(205);
}, 60_000);
afterAll(() => server.close());

const ask = (token: string) => server.send(`/apollo/api/${tenantId}/support/bundle`, { token });

test('the bundle tells what support needs, with the last 200 runs', async () => {
  const answer = await ask(owner.tokens.main);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  expect(answer.headers.get('content-disposition')).toMatch(/filename="holdfast-support-[\dT-]+\.zip"/u);
  const files = unzip(Buffer.from(await answer.arrayBuffer()));
  const told = (name: string): unknown => JSON.parse(files.get(name)?.toString('utf8') ?? 'null');
  expect([...files.keys()].toSorted()).toEqual([
    'about.json',
    'counts.json',
    'migrations.json',
    'runs.json',
    'settings.json',
    'workers.json',
  ]);
  expect(told('about.json')).toMatchObject({ version: '0.0.0', tenantId, realm: 'production' });
  expect(told('runs.json')).toHaveLength(200);
  expect((told('runs.json') as object[])[0]).toMatchObject({ status: 'failed', code: 'graph.access-denied' });
  expect(told('counts.json')).toMatchObject({ runsByStatus: { failed: 205 }, resourcesByCode: { 'graph.locked': 1 }, locations: 1 });
  expect(told('settings.json')).toContainEqual({ name: 'HOLDFAST_METRICS_TOKEN', hasValue: true });
  expect((told('migrations.json') as object[])[0]).toMatchObject({ number: 1, name: '0001-ground' });
});

test('no secret, name or content that was planted is in it', async () => {
  const files = unzip(Buffer.from(await (await ask(owner.tokens.main)).arrayBuffer()));
  const everything = [...files.values()].map((bytes) => bytes.toString('utf8')).join('\n');
  expect(everything).not.toContain(canary);
  expect(everything).not.toContain(Buffer.from(canary).toString('base64'));
  expect(everything).not.toContain(Buffer.from(canary).toString('hex'));
  expect(everything).not.toContain(owner.email);
});

test('only who administers gets one, and the audit log has it', async () => {
  const operator = await server.member(owner.organisationId, 'operator');
  expect((await ask(operator.tokens.main)).status).toBe(403);
  const stranger = await server.owner();
  expect((await ask(stranger.tokens.main)).status).toBe(404);
  const rows = await testing.asSuperuser("select count(*)::int as many from audit_inbox where event = 'support.bundle-made'");
  expect(rows[0]?.['many']).toBeGreaterThanOrEqual(2);
});
