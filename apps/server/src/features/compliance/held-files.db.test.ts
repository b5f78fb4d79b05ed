import type { Approval } from '@holdfast/contract/approvals';
import type { compliance } from '@holdfast/contract/compliance';
import type { ManagedSite } from '@holdfast/contract/compliance-values';
import type { Hold } from '@holdfast/contract/holds';
import type { Policy } from '@holdfast/contract/retention';
import type { ResponseOf } from '@holdfast/contract/route';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { unzip } from '@holdfast/engine/testing/unzip';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { cleanUp } from './testing/clean-up.ts';
import { scanTenant } from './testing/scan-tenant.ts';
import { trueContents } from './testing/true-files.ts';

/** Files and folders on hold, in a tenant that was really backed up: what clean-ups and deletion jobs leave of them. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let server: TestServer;
let owner: Awaited<ReturnType<TestServer['owner']>>;
let tenant: SimulatedTenant;
let onedrive = '';

type Answer<Name extends keyof typeof compliance> = ResponseOf<(typeof compliance)[Name]>;
const read = <Name extends keyof typeof compliance>(_name: Name, to: string): Promise<Answer<Name>> =>
  tenant.call<Answer<Name>>(`${tenant.tenantId}/${to}`);
const sites = async (): Promise<ManagedSite[]> => (await read('sites', 'data-management/sites?limit=200')).items;
const asOwner = () => ({ tenant, server, token: owner.tokens.main });

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  ({ server } = running);
  owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator: running.simulator, testing, vault: path.join(running.folder, 'vault') });
  for (const workload of ['sharepoint', 'onedrive']) {
    onedrive = await tenant.job({ name: `All ${workload}`, type: 'backup', workload, source: everyone });
    await tenant.finish(onedrive);
  }
  await scanTenant(tenant);
}, 240_000);
afterAll(() => running.close());

/** A job that keeps nothing of OneDrives but their newest restore points, approved by a second person. */
async function deletionJob(): Promise<string> {
  const jobId = await tenant.job({
    name: 'The newest alone',
    type: 'deletion',
    workload: 'onedrive',
    source: everyone,
    retention: { mode: 'count', count: 1 },
  });
  const { tokens } = await server.member(owner.organisationId, 'owner');
  const approvals = `/apollo/api/${tenant.tenantId}/approvals`;
  const { items } = (await (await server.send(approvals, { token: tokens.main })).json()) as { items: Approval[] };
  const request = items.find(({ subjectId }) => subjectId === jobId);
  const approved = await server.send(`${approvals}/${request?.approvalId}/approve`, { method: 'POST', token: tokens.main });
  expect(approved.status).toBe(200);
  return jobId;
}

/** Puts files and folders of a site on hold; answers how the hold ends. */
async function holdItems(resourceId: string, items: readonly string[]): Promise<() => Promise<unknown>> {
  const { holdId } = await tenant.call<Hold>(`${tenant.tenantId}/holds`, { name: 'Contracts', reason: 'Case 2', resourceId, items });
  return () => testing.asSuperuser('update holds set released_at = now() where hold_id = $1', [holdId]);
}

test('a hold on a file or its folder keeps versions out of plans and scripts, and marks them in the file manager', async () => {
  const everything = 'data-management/version-waste?newest=0&days=36500&limit=200';
  const rows = (await read('waste', `${everything}&by=file`)).items;
  const held = rows.find((row) => rows.some((other) => other.siteId === row.siteId && other.folderId !== row.folderId)) ?? rows[0];
  if (!held?.nodeId || !held.folderId) throw new Error('No file has earlier versions.');
  const { siteId, sourceId, nodeId, folderId } = held;
  const totals = async () => (await read('waste', `${everything}&siteId=${siteId}`)).totals;
  const before = await totals();
  const { plan } = await cleanUp(asOwner(), { newest: 0, days: 36_500, siteId });
  const release = await holdItems(siteId, [nodeId]);
  expect(await totals()).toMatchObject({ heldBytes: held.versionBytes, freedBytes: before.freedBytes - held.versionBytes });
  // The plan is older than the hold: its script is not.
  const script = await server.send(`/apollo/api/${tenant.tenantId}/data-management/clean-ups/${plan?.reportId ?? ''}/script`, {
    token: owner.tokens.main,
  });
  const item = nodeId.split(':').at(-1) ?? '';
  const lines = await script.text();
  expect([script.status, lines.includes(`'${item}'`)]).toEqual([200, false]);
  expect((await cleanUp(asOwner(), { newest: 0, days: 36_500, siteId })).plan?.versions).toBe(
    before.freedVersions - before.notKept - (held.versions - held.notKept),
  );
  const marks = async (folder: string): Promise<readonly (readonly [string, boolean])[]> =>
    (await read('nodes', `data-management/nodes?sourceId=${sourceId}&nodeId=${encodeURIComponent(folder)}&limit=200`)).items.map(
      (node) => [node.nodeId, node.isHeld] as const,
    );
  expect((await marks(folderId)).filter(([, isHeld]) => isHeld)).toEqual([[nodeId, true]]);
  const whose = async (id: string) =>
    (await read('kept', `data-management/kept?sourceId=${sourceId}&nodeId=${encodeURIComponent(id)}`)).holds.map(({ name }) => name);
  expect([await whose(nodeId), await whose(folderId)]).toEqual([['Contracts'], []]);
  await release();
  const releaseFolder = await holdItems(siteId, [folderId]);
  const inFolder = rows.filter((row) => row.siteId === siteId && row.path.startsWith(held.path));
  expect((await totals()).heldBytes).toBe(inFolder.reduce((sum, row) => sum + row.versionBytes, 0));
  expect((await marks(folderId)).every(([, isHeld]) => isHeld)).toBe(true);
  expect(await whose(nodeId)).toEqual(['Contracts']);
  await releaseFolder();
  expect(await totals()).toEqual(before);
}, 120_000);

test('a policy keeps versions of a folder out of plans and scripts while their periods run', async () => {
  const everything = 'data-management/version-waste?newest=0&days=36500&limit=200';
  const rows = (await read('waste', `${everything}&by=file`)).items;
  const kept = rows.find((row) => rows.some((other) => other.siteId === row.siteId && other.folderId !== row.folderId)) ?? rows[0];
  if (!kept?.nodeId || !kept.folderId) throw new Error('No file has earlier versions.');
  const { siteId, folderId, path: folder } = kept;
  const totals = async () => (await read('waste', `${everything}&siteId=${siteId}`)).totals;
  const before = await totals();
  const { plan } = await cleanUp(asOwner(), { newest: 0, days: 36_500, siteId });
  const inFolder = rows.filter((row) => row.siteId === siteId && row.path.startsWith(folder));
  const bytes = inFolder.reduce((sum, row) => sum + row.versionBytes, 0);
  const underPolicy = async (changes: object): Promise<void> => {
    const terms = { about: 'files', anchor: 'received', length: { amount: 50, unit: 'years' }, start: 'day' };
    const body = { name: 'Contracts', ...terms, places: [{ resourceId: siteId, nodeId: folderId }], ...changes };
    const { policyId } = await tenant.call<Policy>(`${tenant.tenantId}/archive/policies`, body);
    await testing.asSuperuser('update retention_policies set ended_at = now() where activated_at is not null');
    await testing.asSuperuser('update retention_policies set activated_at = now() where policy_id = $1', [policyId]);
  };
  await underPolicy({});
  expect(await totals()).toMatchObject({ heldBytes: bytes, freedBytes: before.freedBytes - bytes });
  const script = await server.send(`/apollo/api/${tenant.tenantId}/data-management/clean-ups/${plan?.reportId ?? ''}/script`, {
    token: owner.tokens.main,
  });
  expect([script.status, (await script.text()).includes(`'${kept.nodeId.split(':').at(-1) ?? ''}'`)]).toEqual([200, false]);
  // A day is over for all of them, and what waits for an event is not.
  await underPolicy({ name: 'A day', length: { amount: 1, unit: 'days' } });
  expect(await totals()).toEqual(before);
  await underPolicy({ name: 'Event', anchor: 'event', eventKind: 'caseClosed' });
  expect((await totals()).heldBytes).toBe(bytes);
  await testing.asSuperuser('update retention_policies set ended_at = now() where activated_at is not null and ended_at is null');
  expect(await totals()).toEqual(before);
}, 120_000);

test('a file that is deleted at the source and on hold stays through a deletion job, is found, restored and exported', async () => {
  const truth = await trueContents(running.simulator);
  const drives = (await sites()).filter((site) => site.kind === 'drive').map((site) => site.url);
  const [kept, lost] = drives.flatMap((url) => truth.files.find((file) => file.site === url && file.sizeBytes > 0) ?? []);
  if (!kept || !lost) throw new Error('There are no two OneDrives with a file.');
  for (const { drive, id } of [kept, lost]) act(running.simulator, 'drives.delete', { drive, id });
  await tenant.finish(onedrive);
  const nodeOf = ({ drive, id }: { readonly drive: string; readonly id: string }): string => `${drive}:${id}`;
  const site = (await sites()).find((one) => one.url === kept.site);
  if (!site) throw new Error('The OneDrive of the file is not listed.');
  const release = await holdItems(site.siteId, [nodeOf(kept)]);
  expect((await tenant.finish(await deletionJob())).status).toBe('successful');
  const versionsOf = async (sourceId: string, nodeId: string) =>
    (await read('versions', `data-management/versions?sourceId=${sourceId}&nodeId=${encodeURIComponent(nodeId)}`)).items;
  const other = (await sites()).find((one) => one.url === lost.site);
  expect(await versionsOf(other?.sourceId ?? '', nodeOf(lost))).toEqual([]);
  const [version] = await versionsOf(site.sourceId, nodeOf(kept));
  const shown = await read('kept', `data-management/kept?sourceId=${site.sourceId}&nodeId=${encodeURIComponent(nodeOf(kept))}`);
  expect(shown).toMatchObject({ points: 1, holds: [{ name: 'Contracts' }] });
  const exportOf = async (target: object) => {
    const restore = { sourceId: site.sourceId, sequence: version?.sequence, items: [nodeOf(kept)], target, reason: 'Case 2' };
    const run = await tenant.finish(
      await tenant.job({ name: `Case 2 ${Object.values(target).join(' ')}`, type: 'restore', workload: 'onedrive', restore }),
    );
    expect(run.status).toBe('successful');
    return run.run_id;
  };
  await exportOf({ kind: 'original' });
  const back = (await trueContents(running.simulator)).files.find((file) => file.site === kept.site && file.name === kept.name);
  expect(back?.sha256).toBe(kept.sha256);
  const runId = await exportOf({ kind: 'download', format: 'zip' });
  const zip = await server.send(`/apollo/api/${tenant.tenantId}/downloads/${runId}`, { token: owner.tokens.main });
  const files = unzip(Buffer.from(await zip.arrayBuffer()));
  const manifest = files.get('manifest.sha256')?.toString('utf8') ?? '';
  expect(manifest).toMatch(new RegExp(`^${kept.sha256}  .*${RegExp.escape(kept.name)}$`, 'mu'));
  await release();
}, 180_000);
