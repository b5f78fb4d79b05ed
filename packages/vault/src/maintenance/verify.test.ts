import { rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { once } from '@holdfast/foundation/streams';
import { aFolder, aVaultWorld, collectAll, commitTexts, textsAt } from '../../testing/builders.ts';
import { createFilesystemBlobStore, createMemoryBlobIndex, createMemoryBlobStore, readOnly, withFaults, type BlobStore } from '../index.ts';
import { FRAME_HEAD_BYTES } from '../pack/frame.ts';
import { PACK_HEAD_BYTES } from '../pack/pack.ts';
import type { VerifyStep } from './maintenance.ts';

async function aVaultOfPacks(options: { readonly store?: BlobStore } = {}) {
  const world = await aVaultWorld(options);
  const vault = await world.open();
  const texts: { [itemId: string]: string } = {};
  for (let at = 0; at < 8; at += 1) {
    texts[`i${at}`] = `Subject: ${at}\r\n\r\n${String(at).repeat(5000)}`;
    await commitTexts(vault, 'box', { [`i${at}`]: texts[`i${at}`] as string });
  }
  const packs = (await collectAll(world.store.list('packs/'))).map((info) => info.name);
  return { world, vault, texts, packs };
}

describe('verify', () => {
  it('stops at its budget and goes on where it stopped until all is read back', async () => {
    const { vault, packs } = await aVaultOfPacks();
    let resume = { verifiedAt: {} };
    let rounds = 0;
    for (let isComplete = false; !isComplete; rounds += 1) {
      const report = await vault.maintenance.verify({ depth: 'data', budgetBytes: 600, resume });
      expect(report.packsRead).toBeLessThan(packs.length);
      resume = report.progress;
      isComplete = report.complete;
    }
    expect(rounds).toBeGreaterThan(2);
    expect(Object.keys(resume.verifiedAt)).toHaveLength(packs.length);
    await vault.close();
  });

  it.each([0, 1])('names what is cut or gone where packs are files that its threads read (%i)', async (threads) => {
    const { folder, remove } = aFolder();
    onTestFinished(remove);
    const { world, vault, packs } = await aVaultOfPacks({ store: createFilesystemBlobStore({ root: folder, sync: false }) });
    await vault.close();
    const [cut = '', gone = ''] = packs;
    truncateSync(path.join(folder, cut), 100);
    rmSync(path.join(folder, gone));
    const reading = await world.open({ threads });
    const report = await reading.maintenance.verify({ depth: 'data' });
    expect(report.damages.filter(({ object }) => object === 'pack').map(({ name }) => name)).toEqual([cut]);
    expect(report).toMatchObject({ packs: packs.length - 1, packsRead: packs.length - 1, affectedItemCount: 2 });
    expect(Object.keys(report.progress.verifiedAt)).toHaveLength(packs.length - 2);
    await reading.close();
  });

  it('keeps its evidence in the vault, and works where nothing can be written', async () => {
    const { world, vault } = await aVaultOfPacks();
    await vault.maintenance.verify({ depth: 'structure' });
    expect(await collectAll(world.store.list('evidence/'))).toHaveLength(1);
    const reading = await world.open({ store: readOnly(world.store) });
    expect((await reading.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
    expect(await collectAll(world.store.list('evidence/'))).toHaveLength(1);
    await reading.close();
    await vault.close();
  });

  it('takes a fault of the wire for no damage: what is wrong once is read again', async () => {
    const { world, vault } = await aVaultOfPacks();
    const seen = new Set<string>();
    const store = withFaults(world.store, (operation, name) => {
      if (operation !== 'get' || seen.has(name)) return undefined;
      seen.add(name);
      return {
        answer: (data) => {
          const wrong = Buffer.from(data);
          if (wrong.byteLength > 0) wrong[wrong.byteLength >> 1] = (wrong[wrong.byteLength >> 1] ?? 0) ^ 1;
          return wrong;
        },
      };
    });
    const shaky = await world.open({ store: world.store });
    await shaky.close();
    seen.add('vault.json').add('vault.copy.json');
    const index = await world.open({ store });
    const report = await index.maintenance.verify({ depth: 'data' });
    expect(report.damages).toEqual([]);
    await index.close();
    await vault.close();
  });

  it('takes a pack that prune removes meanwhile for no damage', async () => {
    const { world, vault, packs } = await aVaultOfPacks();
    const writer = await vault.openWriter({ resourceId: 'box' });
    await writer.put(Buffer.from('never committed'), { kind: 'file' });
    await writer.close();
    const orphan = (await collectAll(world.store.list('packs/'))).find(({ name }) => !packs.includes(name))?.name ?? '';
    for (const depth of ['data', 'structure'] as const) {
      const pack = await world.store.get(orphan);
      let reads = 0;
      // The first read is that of the index, which is brought in line before the packs are listed.
      const store = withFaults(world.store, (operation, name) => {
        if (operation === 'get' && name === orphan && ++reads === 2) void world.store.delete(orphan);
        return undefined;
      });
      const beside = await world.open({ store });
      const report = await beside.maintenance.verify({ depth });
      expect(report).toMatchObject({ damages: [], affectedItemCount: 0, packs: packs.length + 1 });
      expect(Object.keys(report.progress.verifiedAt)).toHaveLength(depth === 'data' ? packs.length : 0);
      await beside.close();
      await world.store.put(orphan, [pack]);
    }
    await vault.close();
  });

  it('reports progress and can be cancelled', async () => {
    const { vault, packs } = await aVaultOfPacks();
    const steps: VerifyStep[] = [];
    await vault.maintenance.verify({ depth: 'data', onProgress: (step) => steps.push(step) });
    expect(steps.map((step) => step.donePacks)).toEqual(packs.map((_, at) => at + 1));
    expect(steps.map((step) => step.doneBytes)).toEqual(steps.map((step) => step.doneBytes).toSorted((a, b) => a - b));
    expect(steps.at(-1)).toMatchObject({ donePacks: packs.length, totalPacks: packs.length, doneBytes: steps[0]?.totalBytes });
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(vault.maintenance.verify({ depth: 'data', signal: controller.signal })).rejects.toThrow('enough');
    await vault.close();
  });

  it('counts affected items beyond those it lists', async () => {
    const { world, vault, packs } = await aVaultOfPacks();
    for (const name of packs) await world.store.delete(name);
    const report = await vault.maintenance.verify({ depth: 'structure', maxAffectedItems: 3 });
    expect(report.affectedItems).toHaveLength(3);
    expect(report.affectedItemCount).toBe(8);
    await vault.close();
  });
});

/** Damages the first frame of a pack, its index and trailer stay whole. */
async function damageFrame(store: BlobStore, name: string): Promise<Buffer> {
  const whole = await store.get(name);
  const damaged = Buffer.from(whole);
  damaged[PACK_HEAD_BYTES + FRAME_HEAD_BYTES] = (damaged[PACK_HEAD_BYTES + FRAME_HEAD_BYTES] ?? 0) ^ 1;
  await store.put(name, [damaged]);
  return whole;
}

describe('what a verify found damaged', () => {
  it('is relied on by nobody, even after the index was brought in line again', async () => {
    const { world, vault, texts, packs } = await aVaultOfPacks();
    for (const name of packs) await damageFrame(world.store, name);
    const report = await vault.maintenance.verify({ depth: 'data' });
    expect(report.affectedItemCount).toBe(8);
    await expect(textsAt(vault, 'box')).rejects.toMatchObject({ code: 'vault.blob-missing' });
    await vault.maintenance.synchroniseIndex();
    const structure = await vault.maintenance.verify({ depth: 'structure' });
    expect(structure.affectedItemCount).toBe(8);
    await commitTexts(vault, 'other', texts);
    expect(await textsAt(vault, 'box')).toEqual(texts);
    await vault.close();
  });

  it('is found by threads as well as in place', async () => {
    const { world, vault, packs } = await aVaultOfPacks();
    await damageFrame(world.store, packs[2] as string);
    const threaded = await world.open({ threads: 2 });
    const report = await threaded.maintenance.verify({ depth: 'data' });
    expect(report.damages.map((one) => one.name)).toEqual([packs[2]]);
    expect(report.affectedItemCount).toBe(1);
    for (const one of [threaded, vault]) await one.close();
  });

  it('is no damage any more once the pack was put back', async () => {
    const { world, vault, texts, packs } = await aVaultOfPacks();
    const name = packs[0] as string;
    const whole = await damageFrame(world.store, name);
    expect((await vault.maintenance.verify({ depth: 'data' })).affectedItemCount).toBe(1);
    await world.store.put(name, [whole]);
    expect(await vault.maintenance.verify({ depth: 'data' })).toMatchObject({ damages: [], affectedItemCount: 0 });
    expect(await textsAt(vault, 'box')).toEqual(texts);
    await vault.close();
  });

  it('is not what another process has committed since the index was looked at', async () => {
    const { world, vault } = await aVaultOfPacks();
    let isCommitted = false;
    const store: BlobStore = {
      ...world.store,
      async *list(prefix, after) {
        if (prefix.startsWith('journal/') && !isCommitted) {
          isCommitted = true;
          await commitTexts(vault, 'box', { late: 'Subject: late\r\n\r\nwritten beside a verify' });
        }
        yield* world.store.list(prefix, after);
      },
    };
    const beside = await world.open({ store, index: createMemoryBlobIndex() });
    expect(await beside.maintenance.verify({ depth: 'data' })).toMatchObject({ damages: [], affectedItemCount: 0, segments: 9 });
    expect(isCommitted).toBe(true);
    await beside.close();
    await vault.close();
  });
});

describe('repair', () => {
  it('fetches again what has no copy, and lists exactly what the source lacks', async () => {
    const { world, vault, texts, packs } = await aVaultOfPacks();
    for (const name of packs) await world.store.delete(name);
    const report = await vault.maintenance.verify({ depth: 'data' });
    const repair = await vault.maintenance.repair({
      report,
      refetch: async (item) => {
        if (item.itemId === 'i3') return undefined;
        if (item.itemId === 'i4') return once(Buffer.from('something else by now'));
        return once(Buffer.from(texts[item.itemId] ?? ''));
      },
    });
    expect(repair.remaining.map((item) => item.itemId).toSorted()).toEqual(['i3', 'i4']);
    for (let at = 0; at < 8; at += 1) {
      const items = await collectAll(vault.journal('box').stateAt());
      const mime = items.find((item) => item.itemId === `i${at}`)?.content['mime'];
      if (!mime || at === 3 || at === 4) continue;
      expect((await vault.reader().readAll(mime)).toString('latin1')).toBe(texts[`i${at}`]);
    }
    await vault.close();
  });

  it('puts a message with a decoded attachment together from its source', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    const attachment = Buffer.alloc(9000, 'some bytes of an attachment ').toString('base64').replaceAll(/.{76}/g, '$&\r\n');
    const message = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment}\r\n--b--\r\n`;
    await commitTexts(vault, 'box', { a: message });
    for (const { name } of await collectAll(world.store.list('packs/'))) await world.store.delete(name);
    const report = await vault.maintenance.verify({ depth: 'structure' });
    const repair = await vault.maintenance.repair({ report, refetch: async () => once(Buffer.from(message)) });
    expect(repair.remaining).toEqual([]);
    expect(await textsAt(vault, 'box')).toEqual({ a: message });
    await vault.close();
  });

  it('saves from a damaged pack without a copy all that can still be read', async () => {
    const { world, vault, texts, packs } = await aVaultOfPacks();
    const name = packs[0] as string;
    const data = await world.store.get(name);
    await world.store.put(name, [data.subarray(0, data.byteLength - 30)]);
    const report = await vault.maintenance.verify({ depth: 'data' });
    expect(report.damages.map((one) => one.name)).toEqual([name]);
    const repair = await vault.maintenance.repair({ report });
    expect(repair).toMatchObject({ remaining: [], remainingDamages: [] });
    expect(await world.store.stat(name)).toBeUndefined();
    expect(await textsAt(vault, 'box')).toEqual(texts);
    await vault.close();
  });

  it('brings back everything of two packs that lie under the names of each other', async () => {
    const { world, vault, texts, packs } = await aVaultOfPacks();
    const [one = '', other = ''] = packs;
    const data = [await world.store.get(one), await world.store.get(other)] as const;
    await world.store.put(one, [data[1]]);
    await world.store.put(other, [data[0]]);
    const report = await vault.maintenance.verify({ depth: 'data' });
    expect(report.damages.map(({ name }) => name).toSorted()).toEqual([one, other].toSorted());
    expect(report.affectedItemCount).toBeGreaterThan(0);
    expect(await vault.maintenance.repair({ report })).toMatchObject({ remaining: [], remainingDamages: [] });
    expect(await textsAt(vault, 'box')).toEqual(texts);
    await vault.close();
  });

  it('takes a newer header from a copy of this vault, and nothing from a copy of another one', async () => {
    const { world, vault, texts, packs } = await aVaultOfPacks();
    const copy = createMemoryBlobStore();
    await vault.maintenance.copyTo({ target: copy });
    const copied = await world.open({ store: copy });
    await copied.maintenance.rotateMasterKey();
    await copied.close();
    await world.store.put('vault.copy.json', [Buffer.from('{}')]);
    await world.store.put(packs[0] as string, []);
    const report = await vault.maintenance.verify({ depth: 'data' });
    const other = await aVaultWorld({ seed: 2 });
    const foreign = await vault.maintenance.repair({ report, secondCopy: other.store });
    expect(foreign.remaining).toHaveLength(1);
    expect(foreign.remainingDamages.map((one) => one.object)).not.toContain('header');
    await world.store.put('vault.copy.json', [Buffer.from('{}')]);
    const again = await vault.maintenance.verify({ depth: 'data' });
    const repair = await vault.maintenance.repair({ report: again, secondCopy: copy });
    expect(repair).toMatchObject({ remaining: [], remainingDamages: [] });
    expect(JSON.parse((await world.store.get('vault.json')).toString())).toMatchObject({ keyVersion: 2 });
    expect(await textsAt(vault, 'box')).toEqual(texts);
    await vault.close();
  });

  it('leaves what no source has and says so', async () => {
    const { world, vault, packs } = await aVaultOfPacks();
    await world.store.put(packs[0] as string, []);
    const report = await vault.maintenance.verify({ depth: 'data' });
    const repair = await vault.maintenance.repair({ report, secondCopy: createMemoryBlobStore() });
    expect(repair.remaining).toHaveLength(1);
    expect(repair.remaining).toEqual(report.affectedItems);
    await vault.close();
  });
});
