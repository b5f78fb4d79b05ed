import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIds } from '@holdfast/foundation/ids';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { aFolder, collectAll } from '../../testing/builders.ts';
import { vaultError } from '../shared/errors.ts';
import { createFilesystemBlobStore } from './filesystem.ts';
import { createMemoryBlobStore } from './memory.ts';
import { probeBlobStore } from './probe.ts';
import { readOnly } from './read-only.ts';
import { s3Failure } from './s3/failure.ts';
import { withFaults, type StoreFault } from './with-faults.ts';
import { withMetrics, type StoreRequest } from './with-metrics.ts';
import { withRetry } from './with-retry.ts';
import { withThrottle } from './with-throttle.ts';

const unavailable = vaultError('vault.storage-unavailable', 'Not now.');
const random = createSeededRandom(1);

/** A store whose n-th request (from 0) goes wrong as told. */
function failingAt(faults: { readonly [nth: number]: StoreFault }) {
  let nth = -1;
  return withFaults(createMemoryBlobStore(), () => {
    nth += 1;
    return faults[nth];
  });
}

async function withTime<Value>(clock: ReturnType<typeof createFakeClock>, work: Promise<Value>): Promise<Value> {
  const settled = work.catch(() => undefined);
  for (let turn = 0; turn < 10; turn += 1) await clock.advance(60_000);
  await settled;
  return work;
}

describe('with retry', () => {
  it('tries again what was unavailable', async () => {
    const clock = createFakeClock();
    const store = withRetry(failingAt({ 0: { before: unavailable }, 1: { after: unavailable } }), { clock, random });
    await withTime(clock, store.put('a', [Buffer.from('x')]));
    expect((await store.get('a')).toString()).toBe('x');
  });

  it('knows its own object when the answer to a conditional put was lost, and no other', async () => {
    const clock = createFakeClock();
    const own = withRetry(failingAt({ 0: { after: unavailable } }), { clock, random });
    await withTime(clock, own.put('a', [Buffer.from('mine')], { ifAbsent: true }));
    const inner = createMemoryBlobStore();
    await inner.put('a', [Buffer.from('of another')]);
    let isFirst = true;
    const other = withRetry(
      withFaults(inner, (operation) => {
        const fault = operation === 'put' && isFirst ? { before: unavailable } : undefined;
        isFirst = false;
        return fault;
      }),
      { clock, random },
    );
    await expect(withTime(clock, other.put('a', [Buffer.from('mine')], { ifAbsent: true }))).rejects.toMatchObject({
      code: 'vault.object-exists',
    });
  });

  it('does not try again what will not get better, and gives up at last', async () => {
    const clock = createFakeClock();
    const store = withRetry(createMemoryBlobStore(), { clock, random });
    await expect(store.get('none')).rejects.toMatchObject({ code: 'vault.object-missing' });
    const dead = withRetry(
      withFaults(createMemoryBlobStore(), () => ({ before: unavailable })),
      { clock, random, tries: 3 },
    );
    await expect(withTime(clock, dead.stat('a'))).rejects.toBe(unavailable);
    await expect(withTime(clock, collectAll(dead.list('a')))).rejects.toBe(unavailable);
  });

  it('goes on with a list where it broke off', async () => {
    const clock = createFakeClock();
    const inner = createMemoryBlobStore();
    for (const name of ['a', 'b', 'c']) await inner.put(name, []);
    let broken = 0;
    const store = withRetry(
      {
        ...inner,
        async *list(prefix, after) {
          for await (const info of inner.list(prefix, after)) {
            yield info;
            if (broken++ === 0) throw unavailable;
          }
        },
      },
      { clock, random },
    );
    expect((await withTime(clock, collectAll(store.list('')))).map((info) => info.name)).toEqual(['a', 'b', 'c']);
  });
});

describe('with retry and patience', () => {
  /** A store that can be away, alone or for one object, and what its waiters were told. */
  function aStoreThatMayBeAway(longestMs: number) {
    const clock = createFakeClock();
    const away = { all: false, object: 'none' };
    const told: boolean[] = [];
    const inner = withFaults(createMemoryBlobStore(), (_, name) =>
      away.all || name === away.object ? { before: unavailable } : undefined,
    );
    const patience = { longestMs: () => longestMs, changed: (isAway: boolean) => told.push(isAway) };
    return { clock, away, told, store: withRetry(inner, { clock, random, patience }) };
  }

  it('waits for a store that is away, tells it once, and goes on with every request', async () => {
    const { clock, away, told, store } = aStoreThatMayBeAway(600_000);
    await store.put('old', [Buffer.from('o')]);
    away.all = true;
    const work = Promise.all([store.put('a', [Buffer.from('x')]), store.get('old'), collectAll(store.list(''))]);
    await clock.advance(300_000);
    expect(told).toEqual([true]);
    away.all = false;
    await withTime(clock, work);
    expect(told).toEqual([true, false]);
    expect((await store.get('a')).toString()).toBe('x');
  });

  it('gives up in the end, at once when nobody waits, and never waits long for one object', async () => {
    const bounded = aStoreThatMayBeAway(60_000);
    bounded.away.all = true;
    await expect(withTime(bounded.clock, bounded.store.get('a'))).rejects.toBe(unavailable);
    const one = aStoreThatMayBeAway(3_600_000);
    one.away.object = 'bad';
    const started = one.clock.monotonicMs();
    const reading = one.store.get('bad').catch((error: unknown) => error);
    await one.clock.advance(60_000);
    expect(await reading).toBe(unavailable);
    expect(one.clock.monotonicMs() - started).toBe(60_000);
    expect(one.told).toEqual([]);
  });
});

describe('with throttle', () => {
  it('lets through no more bytes a second than told', async () => {
    const clock = createFakeClock();
    const store = withThrottle(createMemoryBlobStore(), { clock, bytesPerSecond: 1000 });
    await store.put('a', [Buffer.alloc(2000)]);
    let isDone = false;
    const second = store.put('b', [Buffer.alloc(10)]).then(() => (isDone = true));
    await clock.advance(1900);
    expect(isDone).toBe(false);
    await clock.advance(200);
    await second;
    expect((await store.get('a')).byteLength).toBe(2000);
  });
});

describe('with metrics', () => {
  it('tells of every request, its bytes and its failure', async () => {
    const requests: StoreRequest[] = [];
    const store = withMetrics(createMemoryBlobStore(), { clock: createFakeClock(), onRequest: (request) => requests.push(request) });
    await store.put('a', [Buffer.alloc(5)]);
    await store.get('a');
    await store.get('b').catch(() => undefined);
    await collectAll(store.list(''));
    expect(requests.map(({ operation, bytes, failure }) => [operation, bytes, failure])).toEqual([
      ['put', 5, undefined],
      ['get', 5, undefined],
      ['get', 0, 'vault.object-missing'],
      ['list', 0, undefined],
    ]);
  });
});

it('a store whose requests are bounded, counted or made to fail does not tell where its files lie; the others do', () => {
  const { folder, remove } = aFolder();
  onTestFinished(remove);
  const store = createFilesystemBlobStore({ root: folder });
  const clock = createFakeClock();
  const through = [store, readOnly(store), withRetry(store, { clock, random })];
  expect(through.map(({ fileOf }) => fileOf?.('packs/ab/abc'))).toEqual(through.map(() => path.join(folder, 'packs', 'ab', 'abc')));
  const hidden = [
    withThrottle(store, { clock }),
    withMetrics(store, { clock, onRequest: () => undefined }),
    withFaults(store, () => undefined),
  ];
  expect(hidden.map(({ fileOf }) => fileOf)).toEqual(hidden.map(() => undefined));
});

describe('read-only', () => {
  it('reads and refuses every change', async () => {
    const inner = createMemoryBlobStore();
    await inner.put('a', [Buffer.from('x')]);
    const store = readOnly(inner);
    expect((await store.get('a')).toString()).toBe('x');
    for (const change of [
      store.put('b', []),
      store.delete('a'),
      store.removeLeftovers(0),
      store.extendLock('a', { mode: 'compliance', until: new Date(0) }),
    ]) {
      await expect(change).rejects.toMatchObject({ code: 'vault.storage-read-only' });
    }
  });
});

describe('probe', () => {
  const clock = createFakeClock();
  const options = { clock, ids: createIds(clock, random) };

  it('finds out what a store can really do', async () => {
    const store = createMemoryBlobStore({ clock });
    expect(await probeBlobStore(store, options)).toEqual({ conditionalPut: true, objectLock: true, holdsVault: false });
    expect((await collectAll(store.list(''))).map((info) => info.name.split('/').at(-1))).toEqual(['locked']);
  });

  it('does not believe in a conditional put that is ignored, nor in a lock that does not hold', async () => {
    const inner = createMemoryBlobStore({ clock, conditionalPut: false });
    await inner.put('vault.json', []);
    const store = { ...inner, put: (name: string, parts: readonly Uint8Array[]) => inner.put(name, parts) };
    expect(await probeBlobStore(store, options)).toEqual({ conditionalPut: false, objectLock: false, holdsVault: true });
    const refusing = {
      ...inner,
      put: (name: string, parts: readonly Uint8Array[], put?: { ifAbsent?: boolean; lock?: unknown }) =>
        put?.ifAbsent || put?.lock ? Promise.reject(unavailable) : inner.put(name, parts),
    };
    expect(await probeBlobStore(refusing, options)).toMatchObject({ conditionalPut: false, objectLock: false });
    expect(await probeBlobStore({ ...inner, abilities: { conditionalPut: true, objectLock: false } }, options)).toMatchObject({
      objectLock: false,
    });
  });

  it.each([
    ['gives back other bytes', { get: async () => Buffer.from('others') }],
    ['does not list', { list: async function* () {} }],
    ['does not delete', { delete: async () => undefined }],
  ])('refuses a store that %s', async (_, broken) => {
    await expect(probeBlobStore({ ...createMemoryBlobStore({ clock }), ...broken }, options)).rejects.toMatchObject({
      code: expect.stringMatching(/^vault\./),
    });
  });
});

describe('the filesystem store', () => {
  it('says what the filesystem refused', async () => {
    const { folder, remove } = aFolder();
    const store = createFilesystemBlobStore({ root: path.join(folder, 'file', 'below') });
    writeFileSync(path.join(folder, 'file'), 'no folder');
    await expect(store.put('a', [])).rejects.toMatchObject({ code: expect.stringMatching(/^vault\.storage/) });
    await expect(store.get('a')).rejects.toMatchObject({ code: 'vault.object-missing' });
    await store.delete('a');
    remove();
  });

  it('says what is no object: a name that is too long for it, a folder, a file for a folder', async () => {
    const { folder, remove } = aFolder();
    const store = createFilesystemBlobStore({ root: folder });
    const long = 'x'.repeat(300);
    for (const work of [() => store.get(long), () => store.put(long, []), () => store.stat(long), () => store.delete(long)])
      await expect(work()).rejects.toMatchObject({ code: 'vault.storage-unavailable', details: { object: long } });
    await store.put('packs/aa/one', [Buffer.from('0123456789')]);
    expect(await store.stat('packs/aa')).toBeUndefined();
    await expect(store.get('packs/aa')).rejects.toMatchObject({ code: 'vault.object-missing' });
    await expect(store.get('packs/aa/one/below')).rejects.toMatchObject({ code: 'vault.object-missing' });
    await expect(store.put('packs/aa/one/below', [])).rejects.toMatchObject({ code: 'vault.storage-unavailable' });
    expect((await store.get('packs/aa/one', { offset: 8, length: 50_000_000 })).toString()).toBe('89');
    expect((await store.get('packs/aa/one', { offset: 20, length: 4 })).toString()).toBe('');
    expect((await collectAll(store.list('packs/ab'))).length).toBe(0);
    remove();
  });

  it('collects what unfinished puts left behind, and nothing younger', async () => {
    const { folder, remove } = aFolder();
    const store = createFilesystemBlobStore({ root: folder });
    mkdirSync(path.join(folder, 'packs'));
    writeFileSync(path.join(folder, 'packs', '.writing-1'), 'half');
    expect(await store.removeLeftovers(0)).toBe(0);
    expect(await store.removeLeftovers(Date.now() + 1000)).toBe(1);
    await store.put('packs/a', []);
    expect(await collectAll(store.list(''))).toHaveLength(1);
    chmodSync(folder, 0o700);
    await store.extendLock('packs/a', { mode: 'governance', until: new Date(0) });
    await store.close();
    remove();
  });

  it('takes an object of a thousand parts', async () => {
    const { folder, remove } = aFolder();
    const store = createFilesystemBlobStore({ root: folder });
    const parts = Array.from({ length: 1300 }, (_, at) => Buffer.from(String(at)));
    await store.put('many', parts);
    expect((await store.get('many')).equals(Buffer.concat(parts))).toBe(true);
    remove();
  });
});

it('the store in memory refuses what is missing or locked as the others do', async () => {
  const clock = createFakeClock();
  const store = createMemoryBlobStore({ clock });
  const until = (days: number): Date => new Date(clock.nowMs() + days * 86_400_000);
  await expect(store.get('a')).rejects.toMatchObject({ code: 'vault.object-missing' });
  await expect(store.extendLock('a', { mode: 'compliance', until: until(1) })).rejects.toMatchObject({ code: 'vault.object-missing' });
  await store.delete('a');
  await store.put('a', [Buffer.from('x')], { lock: { mode: 'compliance', until: until(2) } });
  await store.extendLock('a', { mode: 'compliance', until: until(1) });
  await clock.advance(86_400_000 + 1);
  await expect(store.delete('a')).rejects.toMatchObject({ code: 'vault.object-locked' });
  await expect(store.put('a', [])).rejects.toMatchObject({ code: 'vault.object-locked' });
  await clock.advance(86_400_000);
  await store.delete('a');
  expect(await store.stat('a')).toBeUndefined();
});

describe('failures of S3', () => {
  it.each([
    [{ name: 'NoSuchKey' }, 'vault.object-missing'],
    [{ name: 'ExpiredToken', $metadata: { httpStatusCode: 400 } }, 'vault.credentials-expired'],
    [{ name: 'Unknown', $metadata: { httpStatusCode: 412 } }, 'vault.object-exists'],
    [{ name: 'Unknown', $metadata: { httpStatusCode: 403 } }, 'vault.access-denied'],
    [{ name: 'QuotaExceeded', $metadata: { httpStatusCode: 403 } }, 'vault.storage-full'],
    [{ name: 'TimeoutError' }, 'vault.storage-unavailable'],
    [{ code: 'ECONNRESET' }, 'vault.storage-unavailable'],
    [undefined, 'vault.storage-unavailable'],
  ])('%j is %s', (error, code) => {
    expect(s3Failure(error, 'packs/a', 'put')).toMatchObject({ code, details: { object: 'packs/a' } });
  });
});
