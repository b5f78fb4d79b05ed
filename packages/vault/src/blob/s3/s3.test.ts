import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@holdfast/foundation/clock';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { createIds } from '@holdfast/foundation/ids';
import { secureRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { aVaultWorld, collectAll, commitTexts, textsAt } from '../../../testing/builders.ts';
import { hasServer, startServers, type ObjectServer } from '../../../testing/object-stores.ts';
import { describeBlobStore } from '../blob-store.contract.ts';
import { probeBlobStore } from '../probe.ts';
import { createS3BlobStore } from './s3.ts';

const CASES = [
  { server: 'ceph', bucket: 'plain', objectLock: false, expected: { conditionalPut: true, objectLock: false } },
  { server: 'ceph', bucket: 'locked', objectLock: true, expected: { conditionalPut: false, objectLock: true } },
  { server: 'swift', bucket: 'plain', objectLock: false, expected: { conditionalPut: false, objectLock: false } },
] as const;

const options = { clock: systemClock, ids: createIds(systemClock, secureRandom) };

it('refuses a bucket name that is none', () => {
  const settings = { region: 'x', accessKeyId: 'a', secretAccessKey: new Secret('b') };
  expect(() => createS3BlobStore({ ...settings, bucket: 'No Bucket' })).toThrow(
    expect.objectContaining({ code: 'vault.bad-input', details: { field: 'bucket' } }),
  );
});

it('keeps everything below one folder, however many slashes were typed around it', () => {
  const settings = { region: 'x', bucket: 'bucket', accessKeyId: 'a', secretAccessKey: new Secret('b') };
  const folderOf = (prefix: string) => createS3BlobStore({ ...settings, prefix }).description;
  expect(['v', 'v/', '/v', '/v//'].map(folderOf)).toEqual(Array(4).fill('s3 x/bucket/v/'));
  expect(['', '/'].map(folderOf)).toEqual(Array(2).fill('s3 x/bucket/'));
});

it('says that a server is not there', async () => {
  const store = createS3BlobStore({
    endpoint: 'http://127.0.0.1:1',
    region: 'x',
    bucket: 'bucket',
    accessKeyId: 'a',
    secretAccessKey: new Secret('b'),
  });
  await expect(store.get('a')).rejects.toMatchObject({ code: 'vault.storage-unavailable' });
  await expect(store.put('a', [])).rejects.toMatchObject({ code: 'vault.storage-unavailable' });
  await expect(store.stat('a')).rejects.toMatchObject({ code: 'vault.storage-unavailable' });
  await expect(store.delete('a')).rejects.toMatchObject({ code: 'vault.storage-unavailable' });
  await expect(collectAll(store.list('a'))).rejects.toMatchObject({ code: 'vault.storage-unavailable' });
  await expect(store.removeLeftovers(0)).rejects.toMatchObject({ code: 'vault.storage-unavailable' });
  await store.extendLock('a', { mode: 'compliance', until: new Date() });
  expect(store.description).not.toContain('secret');
  await store.close();
});

const SERVERS = ['ceph', 'swift'] as const;
let servers: Awaited<ReturnType<typeof startServers>> = new Map();
beforeAll(async () => {
  servers = await startServers(SERVERS.filter(hasServer));
}, 240_000);
afterAll(() => {
  for (const server of servers.values()) server.stop();
});

for (const name of SERVERS) {
  describe.skipIf(!hasServer(name))(`S3 by ${name}${hasServer(name) ? '' : ' (its programs are not on this machine)'}`, () => {
    let server: ObjectServer;
    beforeAll(() => {
      server = servers.get(name) as ObjectServer;
    });

    for (const { bucket, objectLock, expected } of CASES.filter((one) => one.server === name)) {
      it(`shows under the probe what a ${bucket} bucket can really do`, async () => {
        const settings = await server.bucket({ objectLock });
        const store = createS3BlobStore({ ...settings, abilities: { conditionalPut: true, objectLock } });
        expect(await probeBlobStore(store, options)).toEqual({ ...expected, holdsVault: false });
        await store.close();
      });

      describeBlobStore(`${name}, ${bucket} bucket`, async () => {
        const store = createS3BlobStore({ ...(await server.bucket({ objectLock })), abilities: expected });
        return { store, close: () => store.close() };
      });

      it(`keeps a whole vault in a ${bucket} bucket`, async () => {
        const store = createS3BlobStore({ ...(await server.bucket({ objectLock })), abilities: expected, multipartFromBytes: 6_000_000 });
        const world = await aVaultWorld({ store });
        const vault = await world.open();
        await commitTexts(vault, 'box', { a: 'one', b: secureRandom.bytes(7_000_000) });
        await commitTexts(vault, 'box', { a: 'two' });
        const again = await world.open();
        expect((await textsAt(again, 'box'))['a']).toBe('two');
        expect((await again.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
        for (const one of [again, vault]) await one.close();
      }, 60_000);
    }

    it('refuses keys that are wrong', async () => {
      const store = createS3BlobStore({ ...(await server.bucket()), secretAccessKey: new Secret('wrong') });
      await expect(store.get('a')).rejects.toMatchObject({ code: 'vault.access-denied' });
      await expect(store.put('a', [])).rejects.toMatchObject({ code: 'vault.access-denied' });
    });

    it('lists more than one page', async () => {
      const store = createS3BlobStore(await server.bucket());
      // Swift is set up to give less than it is asked for: pages of 100.
      const names = Array.from({ length: name === 'swift' ? 250 : 1050 }, (_, at) => `many/${String(at).padStart(5, '0')}`);
      for (let at = 0; at < names.length; at += 50) await Promise.all(names.slice(at, at + 50).map((one) => store.put(one, [])));
      expect((await collectAll(store.list('many/'))).map((info) => info.name)).toEqual(names);
    }, 120_000);

    it('shows nothing of an upload in parts that was not completed, and collects it', async () => {
      const store = createS3BlobStore({ ...(await server.bucket()), multipartFromBytes: 1000 });
      const passed: string[] = [];
      onCrashPoint((point) => {
        passed.push(point);
        if (point === 'vault.s3.before-complete') throw new Error('the process is gone');
      });
      await expect(store.put('big', [Buffer.alloc(5000)])).rejects.toMatchObject({ code: 'vault.storage-unavailable' });
      onCrashPoint(undefined);
      expect(passed).toContain('vault.s3.before-complete');
      expect(await store.stat('big')).toBeUndefined();
      expect(await store.removeLeftovers(Date.now() + 60_000)).toBe(0);
    });
  });
}
