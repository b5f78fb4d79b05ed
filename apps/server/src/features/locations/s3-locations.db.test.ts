import path from 'node:path';
import type { Location, LocationTest } from '@holdfast/contract/locations';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { Simulator } from '@holdfast/m365-simulator';
import { hasServer, startServer, type ObjectServer } from '@holdfast/vault/testing/object-stores';
import { startSmallObjectStore, type SmallObjectStore } from '@holdfast/vault/testing/small-object-store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, unscheduled, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn, TestServer } from '../../testing/test-server.ts';

/** Locations in buckets of a real S3 server, through the API. */
const testing = testDatabase(import.meta.url);
const hasCeph = hasServer('ceph');

describe.skipIf(!hasCeph)(`locations in S3${hasCeph ? '' : ' (the programs of Ceph are not on this machine)'}`, () => {
  let objects: ObjectServer;
  let simulator: Simulator;
  let running: SimulatedServer;
  let server: TestServer;
  let owner: SignedIn;
  let tenant: SimulatedTenant;
  let folder = '';

  beforeAll(async () => {
    [objects, running] = await Promise.all([startServer('ceph'), startSimulatedServer(testing, { HOLDFAST_ALLOWED_HOSTS: '127.0.0.1' })]);
    ({ simulator, server, folder } = running);
    owner = await server.owner();
    tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  }, 180_000);
  afterAll(async () => {
    await running?.close();
    objects?.stop();
  });

  async function aBucket(options: { readonly objectLock?: boolean } = {}) {
    const { endpoint, region, bucket, accessKeyId, secretAccessKey } = await objects.bucket(options);
    const keys = { accessKeyId, secretAccessKey: secretAccessKey.reveal() };
    return { kind: 's3', name: `Bucket ${bucket.slice(-4)}`, endpoint, region, bucket, prefix: 'holdfast', forcePathStyle: true, ...keys };
  }
  type Body = Awaited<ReturnType<typeof aBucket>> & { readonly immutability?: object };

  async function ask<T>(to: string, options: { method?: string; body?: unknown; language?: string } = {}) {
    const headers = { 'accept-language': options.language ?? 'en' };
    const answer = await server.send(`/apollo/api/${tenant.tenantId}/locations${to}`, { ...options, headers, token: owner.tokens.main });
    const text = await answer.text();
    return { status: answer.status, text, body: (text === '' ? {} : JSON.parse(text)) as T };
  }
  const stepsOf = async (body: Body) => {
    const { body: found } = await ask<LocationTest>('/test', { body });
    return { ok: found.ok, steps: Object.fromEntries(found.steps.map(({ step, result, message }) => [step, message ?? result])) };
  };
  /** What creating answers, and that nothing was saved. */
  async function refused(body: Body, language = 'en'): Promise<{ code: string; errors: Record<string, string[]> }> {
    const before = (await ask<{ items: Location[] }>('')).body.items.length;
    const { status, body: problem } = await ask<{ code: string; errors: Record<string, string[]> }>('', { body, language });
    expect(status).toBe(400);
    expect((await ask<{ items: Location[] }>('')).body.items).toHaveLength(before);
    return problem;
  }

  test('a bucket is tried step by step, with and without object lock', async () => {
    const plain = { write: 'passed', read: 'passed', conditionalPut: 'passed', delete: 'passed', objectLock: 'unsupported' };
    expect(await stepsOf(await aBucket())).toEqual({ ok: true, steps: plain });
    const locking = await stepsOf(await aBucket({ objectLock: true }));
    expect(locking).toMatchObject({ ok: true, steps: { objectLock: 'passed', delete: 'passed' } });
    const wanted = { ...(await aBucket()), immutability: { mode: 'compliance', days: 1 } };
    expect(await stepsOf(wanted)).toMatchObject({ ok: false, steps: { write: 'passed', objectLock: 'vault.lock-unsupported' } });
    expect(await refused(wanted)).toMatchObject({
      code: 'locations.test-failed',
      errors: { immutability: ['The bucket does not lock objects.'] },
    });
  });

  test('wrong keys, keys without rights, a missing bucket and a server that is not there each say so at their field', async () => {
    const bucket = await aBucket();
    const wrong = { ...bucket, secretAccessKey: 'wrong' };
    expect((await stepsOf(wrong)).steps).toMatchObject({ write: 'vault.access-denied', read: 'skipped' });
    expect((await refused(wrong)).errors).toEqual({ accessKeyId: ['The location denies access. Check its keys.'] });
    const stranger = { ...bucket, accessKeyId: 'stranger', secretAccessKey: 'stranger-secret' };
    expect((await refused(stranger, 'de')).errors).toEqual({
      accessKeyId: ['Der Speicherort verweigert den Zugriff. Prüfen Sie seine Schlüssel.'],
    });
    expect((await refused({ ...bucket, bucket: 'holdfast-nowhere' })).errors).toEqual({
      bucket: ['There is no such bucket. Check its name and region, or create it.'],
    });
    expect((await refused({ ...bucket, endpoint: 'http://127.0.0.1:1' })).errors).toEqual({
      endpoint: ['The location cannot be reached.'],
    });
  });

  test('a location in a bucket takes a whole backup, shows no key, and keeps its place and its lock', async () => {
    const body = { ...(await aBucket({ objectLock: true })), immutability: { mode: 'governance', days: 1 } };
    const made = await ask<Location>('', { body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ kind: 's3', bucket: body.bucket, keysSet: true, inUse: false });
    expect(made.text).not.toContain(body.secretAccessKey);
    const { locationId } = made.body;
    const jobId = await tenant.job({ type: 'backup', name: 'Mail to S3', source: everyone, locationId, schedule: unscheduled });
    const run = await tenant.finish(jobId);
    expect(run).toMatchObject({ status: 'successful', code: null });
    expect(run.added).toBeGreaterThan(0);
    expect((await ask<Location>(`/${locationId}`)).body.restorePoints).toBeGreaterThan(0);
    const verify = await tenant.job({ type: 'verify', name: 'Verify S3', locationId, budgetPercent: 100 });
    expect(await tenant.finish(verify)).toMatchObject({ status: 'successful' });

    const again = await ask<LocationTest>(`/${locationId}/test`, { method: 'POST', body: {} });
    expect(again.body).toMatchObject({ ok: true, objectLock: true });
    expect((await ask<Location>(`/${locationId}`)).body).toMatchObject({ lastTest: again.body, version: made.body.version });

    const same = { name: body.name, use: 'both', retainDays: 0 };
    const weaker = await ask<{ code: string }>(`/${locationId}`, {
      method: 'PUT',
      body: { ...same, immutability: { mode: 'none', days: 0 } },
    });
    expect(weaker.body.code).toBe('locations.immutability-shortened');
    const spoilt = { ...same, immutability: { mode: 'governance', days: 1 }, secretAccessKey: 'wrong' };
    expect((await ask<{ code: string }>(`/${locationId}`, { method: 'PUT', body: spoilt })).body.code).toBe('locations.test-failed');
    expect((await ask<{ code: string }>(`/${locationId}`, { method: 'DELETE' })).body.code).toBe('locations.in-use');
    expect(await tenant.finish(jobId)).toMatchObject({ status: 'successful' });
  }, 120_000);
});

describe('locations in a bucket of a small S3 server', () => {
  let objects: SmallObjectStore;
  let running: SimulatedServer;
  let tenant: SimulatedTenant;
  let owner: SignedIn;

  beforeAll(async () => {
    [objects, running] = await Promise.all([
      startSmallObjectStore(),
      startSimulatedServer(testing, { HOLDFAST_ALLOWED_HOSTS: '127.0.0.1' }),
    ]);
    owner = await running.server.owner();
    const { server, simulator } = running;
    tenant = await connectSimulated({ server, owner, simulator, testing, vault: aBucket() });
  }, 120_000);
  afterAll(async () => {
    await running.close();
    await objects.close();
  });

  const aBucket = (changes: object = {}) => ({
    kind: 's3',
    name: 'Bucket',
    endpoint: objects.endpoint,
    region: 'us-east-1',
    bucket: 'shared',
    prefix: 'v',
    forcePathStyle: true,
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    ...changes,
  });
  async function saved(body: object): Promise<object> {
    const answer = await running.server.send(`/apollo/api/${tenant.tenantId}/locations`, { token: owner.tokens.main, body });
    return { status: answer.status, ...((await answer.json()) as object) };
  }

  test('a missing bucket and a host that nobody reaches each say so at their field', async () => {
    objects.dropBucket('gone');
    expect(await saved(aBucket({ name: 'Gone', bucket: 'gone' }))).toMatchObject({
      code: 'locations.test-failed',
      errors: { bucket: ['There is no such bucket. Check its name and region, or create it.'] },
    });
    expect(await saved(aBucket({ name: 'Nobody', endpoint: 'http://127.0.0.1:1' }))).toMatchObject({
      code: 'locations.test-failed',
      errors: { endpoint: ['The location cannot be reached.'] },
    });
  });

  test('a prefix that another location has, one within it and one around it are refused; the same in another bucket is not', async () => {
    for (const prefix of ['v', 'v/', 'v/inner', ''])
      expect(await saved(aBucket({ name: `At ${prefix.length}`, prefix })), prefix).toMatchObject({
        status: 409,
        code: 'locations.overlaps',
      });
    expect(await saved(aBucket({ name: 'Beside', prefix: 'w' }))).toMatchObject({ status: 201 });
    expect(await saved(aBucket({ name: 'Elsewhere', bucket: 'other' }))).toMatchObject({ status: 201 });
  });

  test('a bucket that is taken away fails runs at once with its reason, and a verification leaves evidence in the bucket', async () => {
    const { locationId } = (await saved(aBucket({ name: 'Third', bucket: 'third' }))) as { locationId: string };
    const backup = await tenant.job({ type: 'backup', name: 'Mail', source: everyone, locationId, schedule: unscheduled });
    const verify = await tenant.job({ type: 'verify', name: 'Verify', locationId, budgetPercent: 100 });
    expect(await tenant.finish(backup)).toMatchObject({ status: 'successful', code: null });
    expect(await tenant.finish(verify)).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
    const [kept] = await testing.asSuperuser('select evidence from vault_verifications where location_id = $1', [locationId]);
    expect(kept?.['evidence']).toMatch(/^evidence\//);
    objects.dropBucket('third');
    for (const jobId of [backup, verify])
      expect(await tenant.finish(jobId)).toMatchObject({ status: 'failed', code: 'vault.bucket-missing' });
  }, 120_000);
});
