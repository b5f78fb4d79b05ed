import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Location } from '@holdfast/contract/locations';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openMasterKey } from '../../keys/master-key.ts';
import type { Role } from '../../platform/feature.ts';
import { readConfig } from '../../settings/config.ts';
import { killedDuring, prepareKills } from '../../testing/killed-during.ts';
import { aRunRow, aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type TestServer } from '../../testing/test-server.ts';

/** Workers that are killed with SIGKILL while they make, mail or store the report of a month. */
const testing = testDatabase(import.meta.url);
const common = { HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'), HOLDFAST_IDENTITY_PROFILE: 'conformance' };
/** As if the worker had been dead for long: whoever watches looks at once, and what it had is taken up. */
const LONG_DEAD = [
  `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`,
  `update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 hour'`,
];
let folder: string;
let server: TestServer;

async function startedWith(roles: readonly Role[], name: string): Promise<TestServer> {
  const settings = { ...common, HOLDFAST_DATA_DIR: path.join(folder, name), HOLDFAST_LOCATION_ROOTS: folder };
  return testServer(testing, { roles, masterKey: await openMasterKey(readConfig(settings), testing.database), settings });
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-killed-months-'));
  // Its scheduler finds that the month has ended; the work is for workers that come and go.
  server = await startedWith(['api', 'scheduler'], 'here');
  await prepareKills(testing);
}, 120_000);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** An organisation with a tenant and a location, in which something ran in the month before this one. */
async function aTenant(name: string): Promise<string> {
  const owner = await server.owner();
  await testing.asSuperuser('update accounts set email_confirmed = true where id = $1', [owner.accountId]);
  const tenantId = testIds.uuid();
  const scope = { organisationId: owner.organisationId, realm: 'production' } as const;
  await testing.database.within(scope, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name, status: 'connected' }))
      .execute(),
  );
  const body = { kind: 'filesystem', name: 'Vault', path: path.join(folder, name) };
  const made = await server.send(`/apollo/api/${tenantId}/locations`, { token: owner.tokens.main, body });
  const { locationId } = (await made.json()) as Location;
  const now = new Date();
  const ended = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15)).toISOString();
  await testing.database.within(scope, (tx) =>
    tx
      .insertInto('runs')
      .values(aRunRow({ tenantId, locationId }, { status: 'successful', queued_at: ended, ended_at: ended }))
      .execute(),
  );
  return tenantId;
}

/** Mails with a report that any of the servers has sent about a tenant. */
async function mailsAbout(name: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /outbox.*\.json$/.test(file));
  const mails = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return mails.filter((mail) => mail.includes(name) && mail.includes('application/pdf')).length;
}

/** What is there of the report of a tenant. */
const reportsOf = (tenantId: string) =>
  testing.asSuperuser(
    `select report.kind, report.mailed_at is not null as mailed, document.state, document.file_name from period_reports report
     left join documents document on document.document_id = report.document_id where report.tenant_id = $1`,
    [tenantId],
  );

async function killed(written: string): Promise<void> {
  await killedDuring({ testing, folder, settings: common }, written);
  for (const statement of LONG_DEAD) await testing.asSuperuser(statement);
}

test('a month whose workers are killed while its report is counted, mailed and stored has one report, one mail and one file', async () => {
  const name = 'Contoso-of-the-killed';
  const tenantId = await aTenant(name);
  await killed('insert on period_reports');
  expect(await reportsOf(tenantId), 'killed while it counted').toEqual([]);
  await killed('update on period_reports');
  expect(await reportsOf(tenantId), 'killed while it mailed').toMatchObject([{ kind: 'monthly', mailed: false, state: null }]);
  expect(await mailsAbout(name)).toBe(0);
  await killed('update on documents');
  expect(await reportsOf(tenantId), 'killed while it stored').toMatchObject([{ kind: 'monthly', mailed: true, state: null }]);
  const successor = await startedWith(['worker'], 'successor');
  onTestFinished(() => successor.close());
  const runs = () =>
    testing.asSuperuser("select status, result from runs where tenant_id = $1 and type = 'monthlyReport' order by number", [tenantId]);
  await expect.poll(runs, { timeout: 120_000, interval: 250 }).toMatchObject([{ status: 'successful' }]);
  const file = expect.stringContaining(name) as unknown;
  expect(await reportsOf(tenantId)).toEqual([{ kind: 'monthly', mailed: true, state: 'stored', file_name: file }]);
  await expect.poll(() => mailsAbout(name), { timeout: 60_000 }).toBe(1);
}, 300_000);
