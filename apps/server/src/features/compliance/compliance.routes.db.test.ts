import type { compliance } from '@holdfast/contract/compliance';
import type { ManagedNode, ManagedSite } from '@holdfast/contract/compliance-values';
import type { Run, RunAccount } from '@holdfast/contract/monitoring';
import type { Page } from '@holdfast/contract/paging';
import type { ResponseOf } from '@holdfast/contract/route';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { createHttpsClient } from '@holdfast/m365-simulator/testing/https-client';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { cleanUp, runScript, type Doomed } from './testing/clean-up.ts';
import { expectTruth } from './testing/expect-truth.ts';
import { scanTenant } from './testing/scan-tenant.ts';
import { trueContents } from './testing/true-files.ts';

/** What scans say of a tenant that was really backed up, over HTTP, beside what the simulator itself says it has. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let server: TestServer;
let owner: Awaited<ReturnType<TestServer['owner']>>;
let tenant: SimulatedTenant;
let jobs: string[] = [];

type Answer<Name extends keyof typeof compliance> = ResponseOf<(typeof compliance)[Name]>;
const read = <Name extends keyof typeof compliance>(_name: Name, to: string): Promise<Answer<Name>> =>
  tenant.call<Answer<Name>>(`${tenant.tenantId}/${to}`);
const sites = async (): Promise<ManagedSite[]> => (await read('sites', 'data-management/sites?limit=200')).items;

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  ({ server } = running);
  owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator: running.simulator, testing, vault: path.join(running.folder, 'vault') });
  for (const workload of ['onedrive', 'sharepoint']) {
    const jobId = await tenant.job({ name: `All ${workload}`, type: 'backup', workload, source: everyone });
    await tenant.finish(jobId);
    jobs = [...jobs, jobId];
  }
  await scanTenant(tenant);
}, 240_000);
afterAll(() => running.close());

test('every report equals what the tenant has', async () => {
  const { files, shares } = await expectTruth(tenant, running.simulator);
  expect(files.some((file) => file.earlier.length > 0)).toBe(true);
  expect(shares.length).toBeGreaterThan(0);
});

test('a report by file adds up to that by site, and a hold frees nothing', async () => {
  const waste = (more: string): Promise<Answer<'waste'>> => read('waste', `data-management/version-waste?limit=200&newest=0&days=1${more}`);
  const [worst] = (await waste('')).items;
  if (!worst) throw new Error('No file has an earlier version.');
  const byFile = await waste(`&by=file&siteId=${worst.siteId}`);
  expect(byFile.totals.freedBytes).toBe(worst.freedBytes);
  expect(byFile.items.every((row) => row.nodeId !== null && row.folderId !== null && row.path !== '')).toBe(true);
  await tenant.call(`${tenant.tenantId}/holds`, { name: 'Lawsuit', reason: 'Case 1', resourceId: worst.siteId });
  const held = await waste(`&siteId=${worst.siteId}`);
  expect(held.totals).toMatchObject({ freedVersions: 0, freedBytes: 0, heldBytes: worst.versionBytes });
});

test('what somebody shares, changes and deletes is in the next report, and only that is read', async () => {
  const before = await sites();
  const held = new Set(before.filter((site) => site.isHeld).map((site) => site.url));
  const seen = new Set((await trueContents(running.simulator)).files.map((file) => file.id));
  const [shared, changed, deleted] = (await trueContents(running.simulator)).files.filter((file) => file.sizeBytes > 0);
  if (!shared || !changed || !deleted) throw new Error('There are fewer than three files.');
  act(running.simulator, 'drives.share', { drive: shared.drive, id: shared.id, link: 'anonymous' });
  act(running.simulator, 'drives.share', { drive: shared.drive, id: shared.id, people: ['guest@elsewhere.example'] });
  act(running.simulator, 'drives.edit', { drive: changed.drive, id: changed.id });
  act(running.simulator, 'drives.delete', { drive: deleted.drive, id: deleted.id });
  for (const jobId of jobs) expect((await tenant.finish(jobId)).status).toBe('successful');
  await scanTenant(tenant);
  await expectTruth(tenant, running.simulator, { held, seen });
  const after = await sites();
  const sum = (of: readonly ManagedSite[], name: 'files' | 'versions' | 'deleted'): number => of.reduce((all, site) => all + site[name], 0);
  expect(sum(after, 'files')).toBe(sum(before, 'files') - 1);
  expect(sum(after, 'deleted')).toBe(sum(before, 'deleted') + 1);
  expect(sum(after, 'versions')).toBe(sum(before, 'versions') + 1 - deleted.earlier.length);
  const { items, totals } = await read('exposure', 'data-management/exposure?limit=200');
  const mine = items.filter((row) => row.nodeId.endsWith(`:${shared.id}`));
  expect(mine.map((row) => [row.audience, row.who, row.expiresAt])).toEqual(
    expect.arrayContaining([
      ['anyone', '', null],
      ['guest', 'guest@elsewhere.example', null],
    ]),
  );
  expect(totals.endless).toBe(items.filter((row) => row.expiresAt === null).length);
  const { items: scans } = await tenant.call<Page<Run>>(`${tenant.tenantId}/monitoring?type=scan`);
  expect(scans[0]).toMatchObject({ status: 'successful', trigger: 'manual', workload: null, stage: 'finished' });
  expect(scans[0]?.processed).toBeLessThan(20);
  const { items: accounts } = await tenant.call<Page<RunAccount>>(`${tenant.tenantId}/monitoring/${scans[0]?.reportId ?? ''}/accounts`);
  expect(accounts.length).toBeGreaterThan(0);
  expect(accounts.every((account) => account.status === 'successful' && ['drive', 'site'].includes(account.kind))).toBe(true);
});

test('the dashboard counts the restore points that an approved deletion job would take, and those of no other', async () => {
  const due = async (): Promise<number | null> => {
    await scanTenant(tenant);
    return (await read('dashboard', 'dashboard/sharepoint-data-management')).due;
  };
  const { locationId } = tenant;
  const common = { type: 'deletion', workload: 'onedrive', source: everyone, schedule: { mode: 'disabled' }, locationId };
  const body = { ...common, name: 'The newest alone', retention: { mode: 'count', count: 1 } };
  const held = new Set((await sites()).filter((site) => site.isHeld).map((site) => site.url));
  const free = (await trueContents(running.simulator)).files.find((file) => file.site.includes('@') && !held.has(file.site));
  if (!free) throw new Error('Every OneDrive is on hold.');
  act(running.simulator, 'drives.edit', { drive: free.drive, id: free.id });
  for (const job of jobs) await tenant.finish(job);
  expect(await due()).toBeNull();
  const { jobId } = await tenant.call<{ jobId: string }>(`${tenant.tenantId}/jobs`, body);
  expect(await due()).toBeNull();
  const second = await server.member(owner.organisationId, 'owner');
  const approvals = `/apollo/api/${tenant.tenantId}/approvals`;
  const token = second.tokens.main;
  const { items } = (await (await server.send(approvals, { token })).json()) as { items: { approvalId: string; subjectId: string }[] };
  const request = items.find(({ subjectId }) => subjectId === jobId);
  expect((await server.send(`${approvals}/${request?.approvalId}/approve`, { method: 'POST', token })).status).toBe(200);
  const { pointsToDelete } = await tenant.call<{ pointsToDelete: number }>(`${tenant.tenantId}/jobs/preview`, body);
  expect(pointsToDelete).toBeGreaterThan(0);
  expect(await due()).toBe(pointsToDelete);
}, 120_000);

test('mail with personal numbers is counted beside the files, and mail without is not', async () => {
  const sensitive = async () => (await read('sensitive', 'data-management/sensitive-files?limit=1')).totals;
  const [contoso] = running.simulator.simulation.tenants.values();
  const user = contoso?.directory.users().find((person) => person.kind === 'member')?.id ?? '';
  for (const body of ['<p>Pay to DE89 3704 0044 0532 0130 00, please.</p>', '<p>Order no. 4711081547110815</p>'])
    act(running.simulator, 'mail.deliver', { user, subject: 'Transfer', body });
  const before = (await sensitive()).mails;
  await tenant.finish(await tenant.job({ name: 'Mail', type: 'backup', workload: 'exchange', source: everyone }));
  await expect.poll(async () => (await sensitive()).mails, { timeout: 150_000, interval: 1_000 }).toBe(before + 1);
  expect((await sensitive()).chats).toBe(0);
}, 240_000);

test('a file with personal numbers is found, with who can open it through its folder', async () => {
  const [drive = ''] = (await trueContents(running.simulator)).files.map((file) => file.drive);
  const client = await createHttpsClient(running.simulator);
  onTestFinished(() => client.close());
  const put = (name: string, body: string) => client.send('PUT', `/drives/${drive}/root:/Salaries/${name}:/content`, { body });
  const { json } = await put('Staff.txt', 'Adele: DE89 3704 0044 0532 0130 00 and AT61 1904 3002 3457 3201, tax ID 86095742719');
  await put('Orders.txt', 'Order no. 4711081547110815, ISBN 978-3-16-148410-0');
  const above = json['parentReference'] as { readonly id: string };
  act(running.simulator, 'drives.share', { drive, id: above.id, link: 'anonymous' });
  for (const jobId of jobs) await tenant.finish(jobId);
  await scanTenant(tenant);
  // The index reads what is new in the background.
  const sensitive = (): Promise<Answer<'sensitive'>> => read('sensitive', 'data-management/sensitive-files?limit=200');
  await expect.poll(async () => (await sensitive()).totals.unread, { timeout: 150_000, interval: 1_000 }).toBe(0);
  const { items, totals } = await sensitive();
  expect(items.map((row) => [row.name, row.path.split('/').at(-1), row.audience, row.found])).toEqual([
    [
      'Staff.txt',
      'Salaries',
      'anyone',
      [
        { kind: 'iban', count: 2, sample: 'DE…00' },
        { kind: 'taxId', count: 1, sample: '86…19' },
      ],
    ],
  ]);
  expect(totals).toMatchObject({ files: 1, exposed: 1 });
  expect((await read('sensitive', 'data-management/sensitive-files?exposed=false')).total).toBe(0);
  expect((await read('sensitive', 'data-management/sensitive-files?kind=card')).total).toBe(0);
  expect((await read('dashboard', 'dashboard/sharepoint-data-management')).sensitive).toBe(1);
}, 240_000);

test('the file manager shows what is there and, on request, what is gone; every version can be named', async () => {
  const all = await sites();
  const site = all.find((one) => one.deleted > 0);
  if (!site) throw new Error('No site has a deleted file.');
  const nodes = (more: string): Promise<Answer<'nodes'>> =>
    read('nodes', `data-management/nodes?sourceId=${site.sourceId}&limit=200${more}`);
  const gone: string[] = [];
  const lookAt = async (node: ManagedNode): Promise<void> => {
    const place = `sourceId=${site.sourceId}&nodeId=${encodeURIComponent(node.nodeId)}`;
    const { items } = await read('versions', `data-management/versions?${place}`);
    expect(items.length).toBeGreaterThanOrEqual(node.state === 'deleted' ? 1 : Math.min(node.versions, 11));
    expect(items.filter((version) => version.isCurrent)).toHaveLength(node.state === 'deleted' ? 0 : 1);
    expect((await read('kept', `data-management/kept?${place}`)).points).toBeGreaterThan(0);
  };
  const look = async (folder: string): Promise<void> => {
    const live = await nodes(folder);
    const ever = await nodes(`${folder}&deleted=true`);
    expect(live.items.every((node) => node.state === 'live')).toBe(true);
    const lost = ever.items.filter((node) => !live.items.some((other) => other.nodeId === node.nodeId));
    expect(lost.every((node) => node.state === 'deleted')).toBe(true);
    gone.push(...lost.map((node) => node.nodeId));
    for (const node of ever.items.filter((one) => one.kind === 'file')) await lookAt(node);
    for (const node of ever.items.filter((one) => one.isContainer)) await look(`&nodeId=${encodeURIComponent(node.nodeId)}`);
  };
  await look('');
  expect(gone.length).toBeGreaterThan(0);
});

test('a report keeps its figures, and the dashboard shows those of the newest', async () => {
  const { items } = await read('reports', 'reporting/data-management-reports');
  const runs = await tenant.call<Page<Run>>(`${tenant.tenantId}/monitoring?type=scan`);
  expect(items.map((report) => report.reportNumber)).toEqual(runs.items.map((_run, place) => runs.items.length - place));
  expect(items.map((report) => report.reportId).sort()).toEqual(runs.items.map((run) => run.reportId).sort());
  for (const report of items) {
    const accounts = await read('accounts', `reporting/${report.reportId}/data-management-accounts?limit=200`);
    expect(accounts.total).toBe(report.accounts);
    expect(accounts.items.reduce((sum, account) => sum + account.items, 0)).toBe(report.counts.files);
    expect(accounts.items.reduce((sum, account) => sum + account.versionBytes, 0)).toBe(report.counts.versionBytes);
  }
  const pdf = await server.send(`/apollo/api/${tenant.tenantId}/printed-reports/data-management/${items[0]?.reportId ?? ''}?language=de`, {
    token: owner.tokens.main,
  });
  expect([
    pdf.status,
    Buffer.from(await pdf.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ]).toEqual([200, '%PDF-']);
  const figures = await read('dashboard', 'dashboard/sharepoint-data-management');
  const { sites: count, files, versionBytes, deleted, exposed, duplicates } = items[0]?.counts ?? {};
  expect(figures).toMatchObject({ sites: count, files, versionBytes, deleted, exposed, duplicates, held: 1 });
  expect(figures.ageBuckets.reduce((sum, bucket) => sum + bucket.files, 0)).toBe(files);
  expect(figures.days).toHaveLength(30);
  expect(figures.days.at(-1)?.removed).toBeGreaterThan(0);
});

test('nobody sees another organisation, a reader sees no names of files, and both realms are served', async () => {
  const stranger = await server.owner();
  const reader = await server.member(owner.organisationId, 'reader');
  const status = async (token: string, to: string): Promise<number> =>
    (await server.send(`/apollo/api/${tenant.tenantId}/${to}`, { token })).status;
  expect(await status(stranger.tokens.main, 'dashboard/sharepoint-data-management')).toBe(404);
  expect(await status(reader.tokens.main, 'reporting/data-management-reports')).toBe(200);
  expect(await status(reader.tokens.main, 'data-management/exposure')).toBe(403);
  const staging = await server.send(`/apollo-beta/api/${tenant.tenantId}/reporting/data-management-reports`, {
    audience: 'staging',
    token: owner.tokens.staging,
  });
  expect(staging.status).toBe(404);
});

const asOwner = () => ({ tenant, server, token: owner.tokens.main });

const sizeOfEarlier = async (): Promise<number> =>
  (await trueContents(running.simulator)).files.flatMap((file) => file.earlier).reduce((sum, version) => sum + version.sizeBytes, 0);

test('two versions of a file are compared word by word, each opened with a reason; a picture has no words', async () => {
  const [drive = ''] = (await trueContents(running.simulator)).files.map((file) => file.drive);
  const client = await createHttpsClient(running.simulator);
  onTestFinished(() => client.close());
  const put = (name: string, body: string) => client.send('PUT', `/drives/${drive}/root:/${name}:/content`, { body });
  await put('Lease.txt', 'The rent is 900 euros a month.');
  const { json } = await put('Lease.txt', 'The rent is 950 euros a month.');
  const picture = await put('Logo.png', '\u0089PNG\r\n\u001a\n');
  for (const jobId of jobs) await tenant.finish(jobId);
  const ticketFor = async (nodeId: string) => {
    for (const { sourceId, locationId } of await sites()) {
      const { items } = await read('versions', `data-management/versions?sourceId=${sourceId}&nodeId=${encodeURIComponent(nodeId)}`);
      const [newest] = items;
      if (newest === undefined) continue;
      const place = { locationId, sourceId, nodeId, sequence: newest.sequence, reason: 'What has changed' };
      const { ticket } = await tenant.call<{ ticket: string }>(`${tenant.tenantId}/content-tickets`, place);
      return { ticket, labels: items.map(({ label }) => label) };
    }
    throw new Error(`${nodeId} is in no site.`);
  };
  const compare = (body: object) =>
    server.send(`/apollo/api/${tenant.tenantId}/data-management/comparisons`, { token: owner.tokens.main, body });
  const newer = await ticketFor(`${drive}:${String(json['id'])}`);
  const older = await ticketFor(`${drive}:${String(json['id'])}`);
  const answer = await compare({ older: { ticket: older.ticket, version: older.labels.at(-1) }, newer: { ticket: newer.ticket } });
  expect(await answer.json()).toEqual({
    isCut: false,
    parts: [
      { change: 'same', text: 'The rent is ' },
      { change: 'removed', text: '900' },
      { change: 'added', text: '950' },
      { change: 'same', text: ' euros a month.' },
    ],
  });
  const { ticket } = await ticketFor(`${drive}:${String(picture.json['id'])}`);
  const refused = await compare({ older: { ticket }, newer: { ticket } });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([422, 'compliance.no-words']);
  const other = await server.member(owner.organisationId, 'owner');
  const foreign = await server.send(`/apollo/api/${tenant.tenantId}/data-management/comparisons`, {
    token: other.tokens.main,
    body: { older: { ticket }, newer: { ticket } },
  });
  expect(((await foreign.json()) as { code: string }).code).toBe('content.ticket-expired');
}, 120_000);

test('A34: a clean-up reads every version back, spares holds, and its script frees exactly what was predicted', async () => {
  const rule = { newest: 1, days: 36_500 };
  const { totals } = await read('waste', 'data-management/version-waste?newest=1&days=36500');
  expect(totals.freedBytes).toBeGreaterThan(0);
  const { plan, script } = await cleanUp(asOwner(), rule);
  const ready = totals.freedVersions - totals.notKept;
  expect(plan).toMatchObject({ ...rule, status: 'successful', versions: ready, read: ready, code: null });
  const { files } = await trueContents(running.simulator);
  const before = await sizeOfEarlier();
  const doomed = runScript(running.simulator, await script.text());
  expect(doomed).toHaveLength(ready);
  expect(before - (await sizeOfEarlier())).toBe(plan?.bytes);
  expect(plan?.bytes).toBeLessThanOrEqual(totals.freedBytes);
  // No delta names what was trimmed: the next scan asks for it, and counts what is left.
  await scanTenant(tenant);
  expect((await read('waste', 'data-management/version-waste?newest=1&days=36500')).totals.versionBytes).toBe(await sizeOfEarlier());
  // The catalog still lists them: what is read from it again leaves them out, too.
  await testing.asSuperuser('update compliance_sources set scanned_through = 0, target = null, position = null');
  await scanTenant(tenant);
  expect((await read('waste', 'data-management/version-waste?newest=1&days=36500')).totals.versionBytes).toBe(await sizeOfEarlier());
  expect((await read('cleanUps', 'data-management/clean-ups')).items[0]).toMatchObject({ versions: ready, gone: ready });
  expect((await read('dashboard', 'dashboard/sharepoint-data-management')).versionBytes).toBe(await sizeOfEarlier());
  const were = doomed.slice(0, 10).map((one) => {
    const file = files.find(({ drive, id }) => drive === one.drive && id === one.id);
    return file?.earlier.find(({ label }) => label === one.version)?.sha256;
  });
  const back = await Promise.all(doomed.slice(0, 10).map(bytesKept));
  expect(back.map((bytes) => bytes && createHash('sha256').update(bytes).digest('hex'))).toEqual(were);
}, 120_000);

test("a run that no job has planned has a name in the language of the organisation's reports", async () => {
  const nameOf = async (): Promise<unknown> => {
    await cleanUp(asOwner(), { newest: 500, days: 36_500 });
    const [run] = await testing.asSuperuser("select job_name from runs where type = 'cleanUp' order by queued_at desc limit 1");
    return run?.['job_name'];
  };
  expect(await nameOf()).toBe('Version clean-up');
  await testing.asSuperuser("update organisations set report_language = 'de'");
  expect(await nameOf()).toBe('Versionsbereinigung');
}, 120_000);

/** A version as the file manager downloads it; undefined when none of the restore points has it. */
async function bytesKept({ drive, id, version }: Doomed): Promise<Buffer | undefined> {
  const nodeId = `${drive}:${id}`;
  for (const { sourceId, locationId } of await sites()) {
    const { items } = await read('versions', `data-management/versions?sourceId=${sourceId}&nodeId=${encodeURIComponent(nodeId)}`);
    const kept = items.find(({ label }) => label === version);
    if (!kept) continue;
    const place = { locationId, sourceId, nodeId, sequence: kept.sequence, reason: 'Trimmed by mistake' };
    const { ticket } = await tenant.call<{ ticket: string }>(`${tenant.tenantId}/content-tickets`, place);
    const to = `/apollo/api/${tenant.tenantId}/content-tickets/${ticket}/file${kept.isWhole ? '' : `?version=${version}`}`;
    return Buffer.from(await (await server.send(to, { token: owner.tokens.main })).arrayBuffer());
  }
  return undefined;
}

test('A34: one damaged pack stops the plan, and there is no script', async () => {
  const packs = path.join(running.folder, 'vault');
  const files = (await readdir(packs, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && entry.parentPath.includes('packs'),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const { parentPath, name } of files) {
    const file = path.join(parentPath, name);
    const bytes = await readFile(file);
    bytes.fill(0, 0, Math.floor(bytes.byteLength / 2));
    await writeFile(file, bytes);
  }
  const { plan, script } = await cleanUp(asOwner(), { newest: 0, days: 36_500 });
  expect(plan).toMatchObject({ status: 'failed', code: 'compliance.plan-stopped' });
  expect([script.status, ((await script.json()) as { code: string }).code]).toEqual([409, 'compliance.plan-stopped']);
}, 120_000);
