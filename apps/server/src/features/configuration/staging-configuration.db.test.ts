import type { BackupConfig } from '@holdfast/contract/configuration';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type TestServer } from '../../testing/test-server.ts';

const testing = testDatabase(import.meta.url);
let server: TestServer;
let owner: Awaited<ReturnType<TestServer['owner']>>;
const ids = { production: testIds.uuid(), staging: testIds.uuid(), other: testIds.uuid() };

beforeAll(async () => {
  server = await testServer(testing);
  owner = await server.owner();
  const { organisationId } = owner;
  const add = (realm: 'production' | 'staging', tenantId: string, active: boolean) =>
    testing.database.within({ organisationId, realm }, (tx) =>
      tx
        .insertInto('tenants')
        .values(aTenantRow({ tenant_id: tenantId, name: `Tenant ${tenantId}`, active }))
        .execute(),
    );
  await add('production', ids.production, true);
  await add('staging', ids.staging, true);
  await add('staging', ids.other, false);
}, 120_000);
afterAll(() => server.close());

const staging = (to: string, body?: object) =>
  server.send(`/apollo-beta${to}`, { token: owner.tokens.staging, audience: 'staging', ...(body ? { body } : {}) });
const production = (to: string) => server.send(`/api${to}`, { token: owner.tokens.legacy, audience: 'legacy' });
const configOf = async (answer: Promise<Response>) => (await (await answer).json()) as BackupConfig;

test('the configuration of staging is read and written in staging alone', async () => {
  const before = await configOf(staging('/backup-config'));
  expect(before.tenantId).toBe(ids.staging);
  const settings = { ...before.settings, excludedFolders: ['Only in staging'] };
  expect((await staging('/backup-update-config', { settings })).status).toBe(200);
  expect((await configOf(staging('/backup-config'))).settings.excludedFolders).toEqual(['Only in staging']);
  expect(await configOf(production('/backup-config'))).toMatchObject({ tenantId: ids.production, settings: { excludedFolders: [] } });
});

test('switching the tenant of staging leaves the active one of production', async () => {
  expect((await staging('/v2/onedrive/switch-tenant', { tenantId: ids.production })).status).toBe(404);
  expect((await staging('/v2/onedrive/switch-tenant', { tenantId: ids.other })).status).toBe(200);
  expect((await configOf(staging('/backup-config'))).tenantId).toBe(ids.other);
  expect((await configOf(production('/backup-config'))).tenantId).toBe(ids.production);
});

test('each credential opens its own realm', async () => {
  const asked = (to: string, audience: 'main' | 'staging' | 'legacy') => server.send(to, { token: owner.tokens[audience], audience });
  expect((await asked('/apollo-beta/backup-config', 'main')).status).toBe(401);
  expect((await asked('/apollo-beta/backup-config', 'legacy')).status).toBe(401);
  expect((await asked('/api/backup-config', 'staging')).status).toBe(401);
});
