import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Location } from '@holdfast/contract/locations';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openMasterKey } from '../../keys/master-key.ts';
import { readConfig } from '../../settings/config.ts';
import { killedDuring, prepareKills } from '../../testing/killed-during.ts';
import { startRole } from '../../testing/processes.ts';
import { aRunRow, aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type TestServer } from '../../testing/test-server.ts';

/** A server that is killed with SIGKILL while it makes, mails or stores the report of a month. */
const testing = testDatabase(import.meta.url);
const common = { HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'), HOLDFAST_IDENTITY_PROFILE: 'conformance' };
/** As if the worker had been dead for long: what it had is taken up at once. */
const LONG_DEAD = `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`;
let folder: string;
let server: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-killed-months-'));
  const settings = { ...common, HOLDFAST_DATA_DIR: path.join(folder, 'here'), HOLDFAST_LOCATION_ROOTS: folder };
  server = await testServer(testing, { masterKey: await openMasterKey(readConfig(settings), testing.database), settings });
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

test.each([
  ['is counted', 'insert on period_reports', 'Tenant-counted'],
  ['is mailed', 'update on period_reports', 'Tenant-mailed'],
  ['is stored', 'update on documents', 'Tenant-stored'],
])(
  'a month whose server is killed while its report %s has one report, one mail and one file',
  async (_step, written, name) => {
    const tenantId = await aTenant(name);
    await killedDuring({ testing, folder, settings: common }, written);
    await testing.asSuperuser(LONG_DEAD);
    const successor = await startRole('all', 'successor', {
      ...common,
      HOLDFAST_DATA_DIR: path.join(folder, `successor-${name}`),
      HOLDFAST_PORT: '0',
      HOLDFAST_LOCATION_ROOTS: folder,
      HOLDFAST_DATABASE_URL: testing.ownerUrl,
      HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
      HOLDFAST_DATABASE_POOL: '4',
    });
    onTestFinished(() => successor.kill());
    const runs = () =>
      testing.asSuperuser("select status, result from runs where tenant_id = $1 and type = 'monthlyReport' order by number", [tenantId]);
    await expect.poll(runs, { timeout: 120_000, interval: 500 }).toMatchObject([{ status: 'successful' }]);
    const reports = await testing.asSuperuser(
      `select report.kind, report.mailed_at is not null as mailed, document.state, document.file_name from period_reports report
     left join documents document on document.document_id = report.document_id where report.tenant_id = $1`,
      [tenantId],
    );
    expect(reports).toEqual([{ kind: 'monthly', mailed: true, state: 'stored', file_name: expect.stringContaining(name) as unknown }]);
    await expect.poll(() => mailsAbout(name), { timeout: 60_000 }).toBe(1);
  },
  300_000,
);
