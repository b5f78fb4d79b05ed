import type { Approval } from '@holdfast/contract/approvals';
import type { CaseDetails, CasePerson } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGround, testIds } from '../../testing/rows.ts';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn, TestServer } from '../../testing/test-server.ts';

/** What removes bytes, over data that a case holds. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let server: TestServer;
let tenant: SimulatedTenant;
let owner: SignedIn;
let second: SignedIn;
let held: CaseDetails;
let heldId = '';

interface Preview {
  readonly pointsToDelete: number;
  readonly pointsHeld: number;
  readonly heldBy: string[];
}

async function remove(to: string): Promise<{ status: number; message: string; code: string }> {
  const answer = await server.send(`/apollo/api/${to}`, { method: 'DELETE', token: owner.tokens.main });
  const text = await answer.text();
  return { message: '', code: '', ...(text === '' ? {} : (JSON.parse(text) as object)), status: answer.status };
}

async function approve(subjectId: string): Promise<void> {
  const { items } = await tenant.call<{ items: Approval[] }>(`${tenant.tenantId}/approvals`);
  const request = items.find((one) => one.subjectId === subjectId && one.status === 'waiting');
  const to = `/apollo/api/${tenant.tenantId}/approvals/${request?.approvalId ?? ''}/approve`;
  expect((await server.send(to, { token: second.tokens.main, body: {} })).status).toBe(200);
}

/** How many restore points there are: of the held mailbox, and of all others. */
async function points(): Promise<{ held: number; others: number }> {
  const rows = await testing.asSuperuser(
    `select resource_id, count(*)::int as many from catalog_points join catalog_sources using (organisation_id, realm, source_id) group by 1`,
  );
  const sum = (isHeld: boolean): number =>
    rows.filter((row) => (row['resource_id'] === heldId) === isHeld).reduce((all, row) => all + Number(row['many']), 0);
  return { held: sum(true), others: sum(false) };
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  ({ server } = running);
  const first = await server.owner();
  owner = first;
  second = await server.member(first.organisationId, 'owner');
  tenant = await connectSimulated({ server, owner, simulator: running.simulator, testing, vault: path.join(running.folder, 'vault') });
  const backup = await tenant.job({ name: 'All mail', type: 'backup', workload: 'exchange', source: everyone });
  await tenant.finish(backup);
  const users = await testing.asSuperuser("select graph_id from resources where kind = 'mailbox' order by name");
  for (const subject of ['First news', 'Second news']) {
    for (const row of users) act(running.simulator, 'mail.deliver', { user: row['graph_id'], subject });
    await tenant.finish(backup);
  }
  const made = await tenant.call<CaseDetails>(`${tenant.tenantId}/archive/cases`, { matter: 'Falcon' });
  const place = `${tenant.tenantId}/archive/cases/${made.caseId}`;
  const { items } = await tenant.call<Page<CasePerson>>(`${place}/people`);
  const person = items.find(({ mailboxes }) => mailboxes > 0);
  await tenant.call(`${place}/custodians`, { keys: [person?.key] });
  held = await tenant.call<CaseDetails>(`${place}/holds`, { name: 'Falcon', reason: 'Court order' });
  heldId = held.holds[0]?.resourceId ?? '';
}, 240_000);
afterAll(() => running.close());

test('A20: a deletion job names the hold of the case and takes nothing that it guards', async () => {
  const before = await points();
  expect([before.held, held.holds[0]?.points]).toEqual([3, 3]);
  const retention = { mode: 'count', count: 1 };
  const body = { type: 'deletion', workload: 'exchange', source: everyone, name: 'All but one', retention, locationId: tenant.locationId };
  const preview = await tenant.call<Preview>(`${tenant.tenantId}/jobs/preview`, { ...body, schedule: { mode: 'disabled' } });
  expect(preview).toMatchObject({ pointsHeld: 2, heldBy: ['Falcon'] });
  const jobId = await tenant.job(body);
  await approve(jobId);
  expect(await tenant.finish(jobId)).toMatchObject({ status: 'successful', removed: preview.pointsToDelete });
  const after = await points();
  expect(after.held).toBe(3);
  expect(after.others).toBe(before.others - preview.pointsToDelete);
  expect(preview.pointsToDelete).toBeGreaterThan(0);
});

test('A20: neither the location nor the tenant goes while the hold of a case is in force, and the tenant names it', async () => {
  const before = await points();
  expect((await remove(`${tenant.tenantId}/locations/${tenant.locationId}`)).code).toBe('locations.in-use');
  const refused = await remove(`Tenants/${tenant.tenantId}`);
  expect([refused.status, refused.code, refused.message]).toEqual([
    409,
    'tenants.in-use',
    'Data of this tenant is on hold (Falcon). It cannot be deleted.',
  ]);
  expect(await points()).toEqual(before);
});

test('A20: a hold of a case lasts when the case is closed and when its custodian is removed, until two people release it', async () => {
  const place = `${tenant.tenantId}/archive/cases/${held.caseId}`;
  await remove(`${place}/custodians/${held.custodians[0]?.custodianId ?? ''}`);
  await tenant.call(`${place}/close`, { reason: 'Over', keepHolds: true });
  const holdId = held.holds[0]?.holdId ?? '';
  expect((await remove(`Tenants/${tenant.tenantId}`)).code).toBe('tenants.in-use');
  await tenant.call(`${tenant.tenantId}/holds/${holdId}/release`, { reason: 'Settled' });
  expect((await remove(`Tenants/${tenant.tenantId}`)).code).toBe('tenants.in-use');
  await approve(holdId);
  expect((await remove(`Tenants/${tenant.tenantId}`)).code).toBe('tenants.holds-restore-points');
});

test('a tenant with nothing in the backups goes with its cases and the holds that were released in them', async () => {
  const ground = await aGround(testing.database);
  const its = await server.member(ground.scope.organisationId, 'owner');
  const caseId = testIds.uuid();
  await testing.database.within(ground.scope, async (tx) => {
    const at = new Date();
    const common = { case_id: caseId, tenant_id: ground.tenantId };
    const made = { created_by: its.accountId, creator: its.email, created_at: at };
    await tx
      .insertInto('cases')
      .values({ ...common, matter: 'Falcon', reference: '', ...made })
      .execute();
    await tx.insertInto('case_members').values({ case_id: caseId, account_id: its.accountId, added_at: at }).execute();
    const text = { hold_id: testIds.uuid(), name: 'Falcon', reason: 'Court order', from_at: at, released_at: at };
    const placer = { placed_by: its.accountId, placer: its.email, placed_at: at };
    await tx
      .insertInto('holds')
      .values({ ...common, ...text, ...placer })
      .execute();
    await tx.updateTable('tenants').set({ status: 'connected' }).execute();
  });
  const answer = await server.send(`/apollo/api/Tenants/${ground.tenantId}`, { method: 'DELETE', token: its.tokens.main });
  expect(answer.status).toBe(204);
  expect(await testing.asSuperuser('select 1 from cases where case_id = $1', [caseId])).toEqual([]);
});
