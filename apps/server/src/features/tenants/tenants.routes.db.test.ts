import { testDatabase } from '@holdfast/database/testing/test-database';
import type { Simulator } from '@holdfast/m365-simulator';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGround, aResource, aRunRow, type Ground } from '../../testing/rows.ts';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import type { SignedIn, TestServer } from '../../testing/test-server.ts';

/** Tenants, locations and configuration over HTTP, against a Microsoft 365 that runs here. */
const testing = testDatabase(import.meta.url);
let simulator: Simulator;
let running: SimulatedServer;
let server: TestServer;
let owner: SignedIn & { readonly organisationId: string };
let roots = '';
let tenantId = '';

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  ({ simulator, server, folder: roots } = running);
  owner = await server.owner();
}, 120_000);
afterAll(() => running.close());

const access = () => {
  const [first] = simulator.tenants;
  if (!first) throw new Error('The simulator has no tenant.');
  return first;
};

const main = (to: string, options: { method?: string; body?: unknown; headers?: Record<string, string> } = {}) =>
  server.send(`/apollo${to}`, { token: owner.tokens.main, ...options });
const legacy = (to: string, options: { method?: string; body?: unknown } = {}) =>
  server.send(`/api${to}`, { token: owner.tokens.legacy, audience: 'legacy', ...options });

async function told(answer: Response): Promise<Record<string, unknown>> {
  return (await answer.json()) as Record<string, unknown>;
}

const body = (more: Record<string, unknown> = {}) => ({
  name: 'Contoso',
  displayName: 'Contoso Ltd',
  clientId: access().clientId,
  microsoftTenantId: access().tenantId,
  clientSecret: access().clientSecret,
  ...more,
});

async function finished(taskId: string): Promise<Record<string, unknown>> {
  for (let turn = 0; turn < 200; turn += 1) {
    const task = await told(await main(`/api/Tenants/${tenantId}/${taskId}`));
    if (task['status'] === 'finished' || task['status'] === 'failed') return task;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The task did not end.');
}

test('a wrong secret, client or certificate is refused at its field, and nothing is saved', async () => {
  const refused = async (more: Record<string, unknown>): Promise<unknown[]> => {
    const answer = await told(await main('/api/Tenants', { body: body(more) }));
    return [answer['code'], Object.keys((answer['errors'] as object | undefined) ?? {})];
  };
  expect(await refused({ clientSecret: 'wrong' })).toEqual(['tenants.credential-refused', ['clientSecret']]);
  expect(await refused({ clientId: randomUUID() })).toEqual(['tenants.credential-refused', ['clientId']]);
  expect(await refused({ clientSecret: undefined, certificate: 'no certificate' })).toEqual([
    'tenants.certificate-invalid',
    ['certificate'],
  ]);
  expect(await refused({ clientSecret: undefined, certificate: access().certificate, thumbprint: 'AB'.repeat(20) })).toEqual([
    'tenants.thumbprint-mismatch',
    ['thumbprint'],
  ]);
  expect(await refused({ clientId: 'x' })).toEqual(['request.invalid', ['clientId']]);
  expect(await refused({ clientSecret: undefined })).toEqual(['request.invalid', ['clientSecret', 'certificate']]);
  expect((await told(await main('/api/Tenants')))['items']).toEqual([]);
});

test('a tenant is connected with a secret, which never comes back, and edited to a certificate', async () => {
  const connected = await main('/api/Tenants', { body: body() });
  const text = await connected.text();
  expect([connected.status, text.includes(access().clientSecret)]).toEqual([201, false]);
  const tenant = JSON.parse(text) as Record<string, unknown>;
  expect(tenant).toMatchObject({
    name: 'Contoso',
    active: true,
    status: 'connected',
    credential: 'secret',
    clientSecretSet: true,
    version: 1,
  });
  tenantId = String(tenant['tenantId']);
  expect((await told(await main('/api/Tenants', { body: body() })))['code']).toBe('tenants.name-taken');
  expect((await told(await main('/api/Tenants', { body: body({ name: 'Other' }) })))['code']).toBe('tenants.already-connected');
  const stale = await main(`/api/Tenants/${tenantId}`, { method: 'PUT', body: { displayName: 'X' }, headers: { 'if-match': '"7"' } });
  expect(stale.status).toBe(412);
  const edited = await told(await main(`/api/Tenants/${tenantId}`, { method: 'PUT', body: { certificate: access().certificate } }));
  expect(edited).toMatchObject({ credential: 'certificate', certificateSet: true, clientSecretSet: false, version: 2 });
  expect(String(edited['thumbprintEnd'])).toMatch(/^[0-9A-F]{8}$/);
  const dump = await testing.asSuperuser('select row_to_json(t)::text as text from tenants t');
  expect(JSON.stringify(dump)).not.toContain('PRIVATE KEY');
});

test('permissions are told granted or missing, by group and workload', async () => {
  const report = await told(await legacy('/test-onedrive-connection', { body: {} }));
  expect(report).toMatchObject({ ok: true, problem: null });
  const permissions = report['permissions'] as { permission: string; group: string; state: string }[];
  expect(permissions.find((one) => one.permission === 'Files.Read.All' || one.permission === 'Files.ReadWrite.All')).toMatchObject({
    group: 'files',
    workloads: ['onedrive', 'teams'],
  });
  expect(new Set(permissions.map((one) => one.state)).has('granted')).toBe(true);
  expect(await told(await main(`/api/Tenants/${tenantId}/permissions`))).toMatchObject({ problem: null });
});

test('provisioning discovers resources and sets up a location and jobs; deprovisioning lets them rest', async () => {
  const started = await main(`/api/Tenants/${tenantId}/provision`, { method: 'POST' });
  expect(started.status).toBe(202);
  const { taskId } = await told(started);
  expect((await told(await main(`/api/Tenants/${tenantId}/provision`, { method: 'POST' })))['code']).toBe('tenants.busy');
  // Whoever comes later finds the task with its tenant.
  expect(await told(await main(`/api/Tenants/${tenantId}`))).toMatchObject({ status: 'provisioning', taskId });
  expect(await finished(String(taskId))).toMatchObject({ status: 'finished', progress: 100 });
  expect(await told(await main(`/api/Tenants/${tenantId}`))).toMatchObject({ status: 'provisioned', taskId: null });
  expect((await told(await main(`/api/${tenantId}/locations`)))['items']).toHaveLength(1);
  expect((await told(await main(`/api/${tenantId}/jobs`)))['total']).toBe(4);
  expect(await told(await legacy('/backup-config'))).toMatchObject({
    tenantId,
    users: expect.any(Number),
    usersSynchronisedAt: expect.any(String),
  });
  expect((await told(await main(`/api/Tenants/${tenantId}`, { method: 'DELETE' })))['code']).toBe('tenants.still-provisioned');
  const ended = await told(await main(`/api/Tenants/${tenantId}/provision`, { method: 'DELETE' }));
  expect(await finished(String(ended['taskId']))).toMatchObject({ status: 'finished' });
  expect(await told(await main(`/api/Tenants/${tenantId}`))).toMatchObject({ status: 'connected' });
  const again = await told(await main(`/api/Tenants/${tenantId}/provision`, { method: 'POST' }));
  expect(await finished(String(again['taskId']))).toMatchObject({ status: 'finished' });
});

/** A resource with one restore point in the location. */
async function aSource(ground: Ground): Promise<void> {
  const resourceId = await aResource(testing.database, ground);
  await testing.database.within(ground.scope, (tx) =>
    tx
      .insertInto('catalog_sources')
      .values({
        source_id: randomUUID(),
        location_id: ground.locationId,
        resource_id: resourceId,
        head_sequence: 1,
        head_hash: '',
        head_cursor: '',
        points: 1,
        oldest_point_at: null,
        newest_point_at: null,
      })
      .execute(),
  );
}

test('a location stays while it holds a restore point, and goes when retention has given up the last one', async () => {
  const ground = await aGround(testing.database);
  const token = (await server.member(ground.scope.organisationId, 'owner')).tokens.main;
  const to = `/apollo/api/${ground.tenantId}/locations/${ground.locationId}`;
  await aSource(ground);
  expect(await told(await server.send(to, { token }))).toMatchObject({ inUse: true, restorePoints: 1 });
  expect((await told(await server.send(to, { method: 'DELETE', token })))['code']).toBe('locations.in-use');
  await testing.asSuperuser('update catalog_sources set points = 0 where location_id = $1', [ground.locationId]);
  expect(await told(await server.send(to, { token }))).toMatchObject({ inUse: false, restorePoints: 0 });
  expect((await server.send(to, { method: 'DELETE', token })).status).toBe(204);
  expect((await server.send(to, { token })).status).toBe(404);
});

test('a tenant goes with its jobs and locations, but not while they hold restore points or a run is stopping', async () => {
  const ground = await aGround(testing.database);
  const token = (await server.member(ground.scope.organisationId, 'owner')).tokens.main;
  const remove = async () => {
    const answer = await server.send(`/apollo/api/Tenants/${ground.tenantId}`, { method: 'DELETE', token });
    return answer.status === 204 ? 204 : (await told(answer))['code'];
  };
  expect(await remove()).toBe('tenants.still-provisioned');
  await testing.asSuperuser(`update tenants set status = 'connected' where tenant_id = $1`, [ground.tenantId]);
  await aSource(ground);
  expect(await remove()).toBe('tenants.holds-restore-points');
  await testing.asSuperuser('update catalog_sources set points = 0 where location_id = $1', [ground.locationId]);
  const job = {
    name: 'Mail',
    type: 'backup',
    workload: 'exchange',
    source: { everyone: true },
    locationId: ground.locationId,
    schedule: { mode: 'disabled' },
  };
  const made = await told(await server.send(`/apollo/api/${ground.tenantId}/jobs`, { token, body: job }));
  const run = aRunRow(ground, { job_id: String(made['jobId']), status: 'cancelling' });
  await testing.database.within(ground.scope, (tx) => tx.insertInto('runs').values(run).execute());
  expect(await remove()).toBe('tenants.busy');
  await testing.asSuperuser(`update runs set status = 'cancelled' where tenant_id = $1`, [ground.tenantId]);
  expect(await remove()).toBe(204);
  const left = await testing.database.within(ground.scope, async (tx) => [
    ...(await tx.selectFrom('jobs').select('job_id').execute()),
    ...(await tx.selectFrom('locations').select('location_id').execute()),
    ...(await tx.selectFrom('runs').select('run_id').execute()),
    ...(await tx.selectFrom('tenants').select('tenant_id').execute()),
  ]);
  expect(left).toEqual([]);
});

test('settings are versioned, users are synchronised as a task, and the active tenant is switched', async () => {
  const before = await told(await legacy('/backup-config'));
  const settings = before['settings'] as Record<string, Record<string, unknown>>;
  const change = { settings: { ...settings, teams: { ...settings['teams'], includeChats: true } }, version: before['version'] };
  const after = await told(await legacy('/backup-update-config', { body: change }));
  expect(after).toMatchObject({ settings: { teams: { includeChats: true } } });
  expect((await legacy('/backup-update-config', { body: change })).status).toBe(412);
  const sync = await told(await legacy('/sync-user-config', { body: {} }));
  expect(await finished(String(sync['taskId']))).toMatchObject({ status: 'finished' });
  expect(await told(await legacy('/v2/onedrive/switch-tenant', { body: { tenantId } }))).toMatchObject({ tenantId, active: true });
  expect((await legacy('/v2/onedrive/switch-tenant', { body: { tenantId: randomUUID() } })).status).toBe(404);
});

test('a folder is tried before it is saved; folders elsewhere and inward hosts are refused', async () => {
  const location = (more: Record<string, unknown>) => ({ kind: 'filesystem', name: 'Second', path: path.join(roots, 'second'), ...more });
  const tried = await told(await main(`/api/${tenantId}/locations/test`, { body: location({}) }));
  expect(tried).toMatchObject({ ok: true, steps: expect.arrayContaining([{ step: 'write', result: 'passed', message: null }]) });
  for (const outside of ['/etc', `${roots}/../elsewhere`, 'relative']) {
    const answer = await told(await main(`/api/${tenantId}/locations`, { body: location({ path: outside }) }));
    expect(answer['code']).toBe('locations.path-refused');
  }
  const bucket = { kind: 's3', name: 'Bucket', region: 'eu-central-1', bucket: 'backups', accessKeyId: 'k', secretAccessKey: 's' };
  for (const endpoint of [
    'http://127.0.0.1:9000',
    'https://169.254.169.254',
    'https://[::ffff:7f00:1]',
    'https://0x7f000001',
    'https://2130706433',
    'https://localhost',
  ]) {
    for (const to of ['locations/test', 'locations']) {
      const answer = await told(await main(`/api/${tenantId}/${to}`, { body: { ...bucket, endpoint } }));
      expect([to, endpoint, answer['code']]).toEqual([to, endpoint, 'locations.host-refused']);
    }
  }
  const made = await told(await main(`/api/${tenantId}/locations`, { body: location({}) }));
  expect(made).toMatchObject({ name: 'Second', kind: 'filesystem', inUse: false });
  expect((await told(await main(`/api/${tenantId}/locations`, { body: location({}) })))['code']).toBe('locations.name-taken');
  const id = String(made['locationId']);
  const again = await told(await main(`/api/${tenantId}/locations/${id}/test`, { method: 'POST', body: {} }));
  expect(again['ok']).toBe(true);
  expect((await told(await main(`/api/${tenantId}/locations/${id}`)))['lastTest']).toEqual(again);
  const update = { name: 'Renamed', use: 'archive', immutability: { mode: 'none', days: 0 }, retainDays: 30 };
  expect(await told(await main(`/api/${tenantId}/locations/${id}`, { method: 'PUT', body: update }))).toMatchObject({
    name: 'Renamed',
    use: 'archive',
  });
  expect((await main(`/api/${tenantId}/locations/${id}`, { method: 'DELETE' })).status).toBe(204);
  const [used] = (await told(await main(`/api/${tenantId}/locations`)))['items'] as { locationId: string }[];
  expect(used).toMatchObject({ inUse: true, restorePoints: 0 });
  expect((await told(await main(`/api/${tenantId}/locations/${used?.locationId}`, { method: 'DELETE' })))['code']).toBe('locations.in-use');
});

test('a worker joins with a token that works once, says that it is alive, and is chosen', async () => {
  const { token } = await told(await main('/api/workers/join-tokens', { method: 'POST' }));
  const join = (version = '0.1.0') =>
    server.send('/apollo/api/workers/join', {
      body: { joinToken: token, name: 'Second', ip: '192.0.2.10', indexIp: '192.0.2.11', version },
    });
  expect((await told(await join('0.2.0')))['code']).toBe('workers.version-refused');
  const joined = await join();
  expect(joined.status).toBe(201);
  const { workerId, heartbeatToken } = await told(joined);
  expect((await told(await join()))['code']).toBe('workers.join-refused');
  const beat = (given: unknown, version = '0.1.1') =>
    server.send('/apollo/api/workers/heartbeat', { body: { heartbeatToken: given, version, load: 0.5, runningRuns: 2 } });
  expect([(await beat(heartbeatToken)).status, (await beat('wrong')).status]).toEqual([204, 401]);
  expect((await told(await beat(heartbeatToken, '1.0.0')))['code']).toBe('workers.version-refused');
  const chosen = await told(await legacy('/client', { body: { clientId: owner.organisationId, workerId } }));
  expect(chosen['worker']).toMatchObject({ ip: '192.0.2.10', tenant_id: tenantId, load: 0.5 });
  expect((await told(await legacy('/client')))['worker']).toMatchObject({ workerId });
  expect((await told(await legacy('/client/teams')))['items']).toHaveLength(1);
  expect((await legacy('/worker/check/999.1.1.1')).status).toBe(400);
  expect((await legacy('/worker/check/198.51.100.1')).status).toBe(404);
  expect((await legacy('/worker/locations/192.0.2.10')).status).toBe(200);
});

test('join tokens are listed without the token and revoked; a worker leaves both realms, the one inside the server stays', async () => {
  const { token } = await told(await main('/api/workers/join-tokens', { method: 'POST' }));
  const listed = await told(await main('/api/workers/join-tokens'));
  const [entry, ...others] = listed['items'] as { joinTokenId: string }[];
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ createdBy: owner.email });
  expect(JSON.stringify(listed)).not.toContain(String(token));
  const revoke = () => main(`/api/workers/join-tokens/${entry?.joinTokenId}`, { method: 'DELETE' });
  expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 404]);
  const join = (joinToken: unknown) =>
    server.send('/apollo/api/workers/join', {
      body: { joinToken, name: 'Third', ip: '192.0.2.30', indexIp: '192.0.2.30', version: '0.1.0' },
    });
  expect((await told(await join(token)))['code']).toBe('workers.join-refused');
  const fresh = await told(await main('/api/workers/join-tokens', { method: 'POST' }));
  const workerId = String((await told(await join(fresh['token'])))['workerId']);
  expect((await main(`/api/workers/${workerId}`, { method: 'DELETE' })).status).toBe(204);
  expect(await testing.asSuperuser(`select realm from workers where worker_id = '${workerId}'`)).toEqual([]);
  const local = randomUUID();
  await testing.asSuperuser(
    `insert into workers (organisation_id, realm, worker_id, name, ip, index_ip, is_local, created_at)
     values ($1, 'production', $2, 'Server 1', '127.0.0.9', '127.0.0.9', true, now())`,
    [owner.organisationId, local],
  );
  expect((await told(await main(`/api/workers/${local}`, { method: 'DELETE' })))['code']).toBe('workers.local-stays');
  await testing.asSuperuser('delete from workers where worker_id = $1', [local]);
});

test('the audit log has each of these, and proves them', async () => {
  const page = await told(await main(`/api/${tenantId}/audit?limit=200`));
  const events = (page['items'] as { event: string; sequence: number; leafHash: string }[]).map((item) => item.event);
  for (const event of [
    'tenants.connected',
    'tenants.changed',
    'tenants.provision-started',
    'configuration.changed',
    'locations.created',
    'locations.deleted',
    'workers.joined',
    'workers.join-token-revoked',
    'workers.removed',
  ]) {
    expect(events).toContain(event);
  }
  const [newest] = page['items'] as { sequence: number; leafHash: string }[];
  expect(await told(await main(`/api/${tenantId}/audit/proofs/${newest?.sequence}`))).toMatchObject({ leafHash: newest?.leafHash });
  expect(await told(await main(`/api/${tenantId}/audit/verify`, { method: 'POST' }))).toMatchObject({ ok: true, problems: [] });
  const exported = await (await main(`/api/${tenantId}/audit/export?format=csv`)).text();
  expect(exported.split('\r\n')[0]).toBe(
    'sequence,at,event,outcome,actor,address,requestId,subjectKind,subjectId,subjectName,reason,leafHash',
  );
  for (const secret of [access().clientSecret, 'PRIVATE KEY', owner.tokens.main]) expect(exported).not.toContain(secret);
});
