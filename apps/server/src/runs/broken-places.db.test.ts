import { testDatabase } from '@holdfast/database/testing/test-database';
import { startSmallObjectStore } from '@holdfast/vault/testing/small-object-store';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fillDisk, mayMount } from '../testing/disks.ts';
import { lookUpLocally } from '../testing/names.ts';
import { startSimulatedServer, type SimulatedServer } from '../testing/simulated-server.ts';
import { act, connectSimulated, everyone, type RunRow, type SimulatedTenant } from '../testing/simulated-tenant.ts';

/** Disks and names that fail under the running product: what people see, and that nothing is lost. */
const testing = testDatabase(import.meta.url);
const OBJECTS = 'objects.holdfast.test';
/** Nobody answers for it, and nobody allowed it. */
const NOWHERE = 'https://objects.holdfast.invalid';
let running: SimulatedServer;
let token = '';

beforeAll(async () => {
  running = await startSimulatedServer(testing, { HOLDFAST_ALLOWED_HOSTS: OBJECTS });
  ({ main: token } = (await running.server.owner()).tokens);
}, 60_000);
afterAll(() => running.close());

function deliver(subject: string): void {
  const { simulator } = running;
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  for (const { id: user, hasMailbox } of directory?.users() ?? []) if (hasMailbox) act(simulator, 'mail.deliver', { user, subject });
}

/** Why the accounts of a run failed. */
async function causesOf({ run_id: runId }: Pick<RunRow, 'run_id'>): Promise<unknown[]> {
  return (await testing.asSuperuser('select distinct code from run_accounts where run_id = $1', [runId])).map(({ code }) => code);
}

interface Tested {
  readonly ok: boolean;
  readonly freeBytes: number | null;
  readonly steps: readonly { readonly step: string; readonly message: string | null }[];
}

/** What the button that tests a location answers. */
async function tested(tenant: SimulatedTenant): Promise<Tested> {
  return tenant.call<Tested>(`${tenant.tenantId}/locations/${tenant.locationId}/test`, {});
}

const verify = async (tenant: SimulatedTenant, name: string): Promise<RunRow> =>
  tenant.finish(await tenant.job({ type: 'verify', name, budgetPercent: 100 }));

/** Everything that was delivered meanwhile is in, and the vault is whole. */
async function endsWell(tenant: SimulatedTenant, jobId: string, name: string): Promise<void> {
  const run = await tenant.finish(jobId);
  expect(run).toMatchObject({ status: 'successful', code: null, errors: 0 });
  expect(run.added).toBeGreaterThan(0);
  expect(await verify(tenant, name)).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
}

const mount = (...options: readonly string[]): unknown => execFileSync('mount', options);

describe.skipIf(!mayMount)(`a vault on a disk of its own${mayMount ? '' : ' (this user may not mount)'}`, () => {
  let tenant: SimulatedTenant;
  let disk = '';
  let backup = '';

  beforeAll(async () => {
    disk = path.join(running.folder, 'disk');
    mkdirSync(disk);
    mount('-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk);
    const { server, simulator } = running;
    tenant = await connectSimulated({ server, owner: { tokens: { main: token } }, simulator, testing, vault: path.join(disk, 'vault') });
    backup = await tenant.job({ type: 'backup', name: 'Mail', source: everyone });
    const { status } = await tenant.finish(backup);
    if (status !== 'successful') throw new Error(`The first backup ended ${status}.`);
  }, 120_000);
  afterAll(() => void execFileSync('umount', ['-l', disk]));

  test('a full disk fails the run with its reason, and once there is space the next run loses nothing', async () => {
    deliver('While the disk is full');
    const ballast = await fillDisk(disk);
    const run = await tenant.finish(backup);
    expect(run).toMatchObject({ status: 'failed', code: 'vault.storage-full' });
    expect(await causesOf(run)).toEqual(['vault.storage-full']);
    expect(await tested(tenant)).toMatchObject({
      ok: false,
      freeBytes: 0,
      steps: expect.arrayContaining([{ step: 'write', result: 'failed', message: 'vault.storage-full' }]),
    });
    expect(await verify(tenant, 'Verify while full')).toMatchObject({ status: 'successful', result: { deviations: 0 } });
    await rm(ballast);
    await endsWell(tenant, backup, 'Verify with space');
  }, 120_000);

  test('a file system that became read-only fails the run with its reason, and what is stored can still be verified', async () => {
    deliver('While nobody may write');
    mount('-o', 'remount,ro', disk);
    const run = await tenant.finish(backup);
    expect(run).toMatchObject({ status: 'failed', code: 'vault.storage-read-only' });
    expect(await causesOf(run)).toEqual(['vault.storage-read-only']);
    expect(await tested(tenant)).toMatchObject({
      ok: false,
      steps: expect.arrayContaining([{ step: 'write', result: 'failed', message: 'vault.storage-read-only' }]),
    });
    expect(await verify(tenant, 'Verify read-only')).toMatchObject({ status: 'successful', result: { deviations: 0 } });
    mount('-o', 'remount,rw', disk);
    await endsWell(tenant, backup, 'Verify writable');
  }, 120_000);
});

describe('a bucket at a name', () => {
  test('a name that cannot be looked up is waited for, whether its host is allowed or is still to be checked', async () => {
    const names = lookUpLocally(OBJECTS);
    const objects = await startSmallObjectStore();
    onTestFinished(() => objects.close());
    const { server, simulator } = running;
    const other = await server.owner();
    const endpoint = objects.endpoint.replace('127.0.0.1', OBJECTS);
    const bucket = {
      kind: 's3',
      name: 'Bucket',
      endpoint,
      region: 'us-east-1',
      bucket: 'names',
      prefix: 'v',
      forcePathStyle: true,
      accessKeyId: 'names',
      secretAccessKey: 'names-secret',
    };
    const tenant = await connectSimulated({ server, owner: other, simulator, testing, vault: bucket });
    const jobId = await tenant.job({ type: 'backup', name: 'Mail', source: everyone });
    const waits = (runId: string): Promise<void> =>
      vi.waitFor(
        async () => {
          const rows = await testing.asSuperuser('select stage from runs where run_id = $1', [runId]);
          expect(rows).toEqual([{ stage: 'waitingForStorage' }]);
        },
        { timeout: 30_000, interval: 50 },
      );
    const leadTo = (endpoint: string): Promise<unknown> =>
      testing.asSuperuser(`update locations set target = jsonb_set(target, '{endpoint}', to_jsonb($2::text)) where location_id = $1`, [
        tenant.locationId,
        endpoint,
      ]);
    const body = { ...bucket, name: 'Nowhere', endpoint: NOWHERE };
    const answer = await server.send(`/apollo/api/${tenant.tenantId}/locations`, { token: other.tokens.main, body });
    expect(await answer.json()).toMatchObject({ code: 'locations.test-failed', errors: { endpoint: ['The location cannot be reached.'] } });
    await leadTo(NOWHERE);
    const nowhere = await tenant.start(jobId);
    await waits(nowhere);
    await tenant.call(`${tenant.tenantId}/jobs/${jobId}/stop`, {});
    expect(await tenant.ended(nowhere)).toMatchObject({ status: 'cancelled' });
    await leadTo(endpoint);
    names.areLost = true;
    const lost = await tenant.start(jobId);
    await waits(lost);
    names.areLost = false;
    expect(await tenant.ended(lost)).toMatchObject({ status: 'successful', code: null });
  }, 120_000);
});
