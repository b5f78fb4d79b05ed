import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSeededRandom } from '@holdfast/foundation/random';
import { once } from '@holdfast/foundation/streams';
import { aFolder, aVaultWorld, collectAll } from '../../testing/builders.ts';
import { createMemoryBlobStore, withFaults, type ContentRef } from '../index.ts';
import { vaultError } from '../shared/errors.ts';

const random = createSeededRandom(17);

async function* inPieces(data: Buffer, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < data.byteLength; at += size) yield data.subarray(at, at + size);
}

describe.each([0, 2])('a writer with %i threads', (threads) => {
  it('gives back every kind and size of content byte for byte', async () => {
    const vault = await (await aVaultWorld()).open({ threads }, { packTargetBytes: 1_000_000 });
    const writer = await vault.openWriter({ resourceId: 'box' });
    const contents: { data: Buffer; ref: ContentRef }[] = [];
    for (const size of [0, 1, 5000, 300_000, 1_048_576, 1_048_577, 9_000_000]) {
      const data = random.bytes(size);
      for (const kind of ['file', 'message', 'json'] as const) contents.push({ data, ref: await writer.put(data, { kind }) });
      contents.push({ data, ref: await writer.put(inPieces(data, 70_001), { kind: 'file' }) });
    }
    await writer.close();
    for (const { data, ref } of contents) {
      expect(ref.sizeBytes).toBe(data.byteLength);
      expect((await vault.reader().readAll(ref)).equals(data)).toBe(true);
    }
    await vault.close();
  });

  it('stores a long attachment once, however the message around it arrives', async () => {
    const vault = await (await aVaultWorld()).open({ threads });
    const attachment = random.bytes(3_500_000);
    const head = 'Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\n';
    const message = Buffer.from(`${head}${attachment.toString('base64').replaceAll(/.{76}/g, '$&\r\n')}\r\n--b--\r\n`);
    const writer = await vault.openWriter({ resourceId: 'box' });
    await writer.put(attachment, { kind: 'file' });
    const stored = writer.statistics.newBytes;
    const sources = [message, inPieces(message, 70_001), inPieces(message, 1_048_577), inPieces(message, 262_144)];
    const refs = await Promise.all(sources.map((source) => writer.put(source, { kind: 'message' })));
    await writer.close();
    expect(writer.statistics.newBytes - stored).toBeLessThan(20_000);
    for (const ref of refs) expect((await vault.reader().readAll(ref)).equals(message)).toBe(true);
    await vault.close();
  });

  it('stores the same bytes once, across resources, kinds and writers at work at the same time', async () => {
    const slow = withFaults(createMemoryBlobStore(), () => undefined);
    const vault = await (await aVaultWorld({ store: slow })).open({ threads }, { packTargetBytes: 50_000 });
    const attachment = random.bytes(60_000);
    const mail = (subject: string): Buffer =>
      Buffer.from(
        `Subject: ${subject}\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment.toString('base64').replaceAll(/.{76}/g, '$&\r\n')}\r\n`,
      );
    const refs = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        const writer = await vault.openWriter({ resourceId: `box-${at}` });
        const put = await Promise.all([
          writer.put(mail(`mail ${at}`), { kind: 'message' }),
          writer.put(attachment, { kind: 'file' }),
          writer.put(random.bytes(20_000), { kind: 'file' }),
        ]);
        await writer.flush();
        for (const ref of put) expect((await vault.reader().readAll(ref)).byteLength).toBe(ref.sizeBytes);
        const { newBytes } = writer.statistics;
        await writer.close();
        return { put, newBytes };
      }),
    );
    const blobs = (ref: ContentRef | undefined) => new Set(ref?.pieces.map((piece) => piece[0]));
    for (const { put } of refs) expect(blobs(put[0]).isSupersetOf(blobs(put[1]))).toBe(true);
    expect(refs.reduce((sum, one) => sum + one.newBytes, 0)).toBeLessThan(12 * 20_000 + attachment.byteLength + 12 * 500);
    await vault.close();
  });

  it('keeps what is under way bounded however many contents are put at once', async () => {
    const vault = await (await aVaultWorld()).open({ threads });
    const writer = await vault.openWriter({ resourceId: 'box' });
    const datas = Array.from({ length: 400 }, () => random.bytes(1 + random.below(40_000)));
    const refs = await Promise.all(datas.map((data) => writer.put(data, { kind: 'file' })));
    await writer.close();
    expect(writer.statistics).toMatchObject({ contents: 400, contentBytes: datas.reduce((sum, data) => sum + data.byteLength, 0) });
    expect(writer.statistics.storedBytes).toBeGreaterThan(writer.statistics.newBytes);
    for (const [at, ref] of refs.entries()) expect((await vault.reader().readAll(ref)).equals(datas[at] as Buffer)).toBe(true);
    await vault.close();
  });

  it('cuts contents alike and gives them back however many of them come at once', async () => {
    const vault = await (await aVaultWorld()).open({ threads }, { packTargetBytes: 1_000_000 });
    const alone = await vault.openWriter({ resourceId: 'box' });
    const contents = Array.from({ length: 12 }, (_, at) => random.bytes(1_100_000 + at));
    const refs: ContentRef[] = [];
    for (const data of contents) refs.push(await alone.put(inPieces(data, 65_536), { kind: 'file' }));
    await alone.close();
    const crowded = await vault.openWriter({ resourceId: 'box' });
    const again = await Promise.all(contents.map((data) => crowded.put(inPieces(data, 65_536), { kind: 'file' })));
    await crowded.close();
    expect(again).toEqual(refs);
    expect(crowded.statistics.newBlobs).toBe(0);
    for (const [at, ref] of again.entries()) expect((await vault.reader().readAll(ref)).equals(contents[at] as Buffer)).toBe(true);
    await vault.close();
  });
});

describe('a writer', () => {
  it('keeps references small: many pieces go into lists', async () => {
    const vault = await (await aVaultWorld()).open({}, { packTargetBytes: 4_000_000 });
    const writer = await vault.openWriter({ resourceId: 'box' });
    const data = random.bytes(12_000_000);
    const ref = await writer.put(inPieces(data, 1_000_000), { kind: 'file' });
    await writer.close();
    expect(ref.depth).toBe(1);
    expect(JSON.stringify(ref).length).toBeLessThan(1000);
    const range = { offset: 5_123_456, length: 700_000 };
    expect(
      Buffer.concat(await collectAll(vault.reader().read(ref, { range }))).equals(data.subarray(range.offset, range.offset + range.length)),
    ).toBe(true);
    await vault.close();
  });

  it('reads any range of any content', async () => {
    const vault = await (await aVaultWorld()).open();
    const writer = await vault.openWriter({ resourceId: 'box' });
    const message = Buffer.from(
      `Content-Transfer-Encoding: base64\r\n\r\n${random.bytes(3000).toString('base64').replaceAll(/.{76}/g, '$&\r\n')}\r\n`,
    );
    const contents: { data: Buffer; ref: ContentRef }[] = [
      { data: message, ref: await writer.put(message, { kind: 'message' }) },
      { data: message, ref: await writer.put(message, { kind: 'file', ownKey: true }) },
    ];
    const file = random.bytes(400_000);
    contents.push({ data: file, ref: await writer.put(file, { kind: 'file' }) });
    await writer.close();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 }), fc.nat(450_000), fc.nat(200_000), async (which, offset, length) => {
        const { data, ref } = contents[which] as (typeof contents)[number];
        const found = Buffer.concat(await collectAll(vault.reader().read(ref, { range: { offset, length } })));
        expect(found.equals(data.subarray(offset, offset + length))).toBe(true);
      }),
      { numRuns: 60 },
    );
    expect(() => vault.reader().read(contents[0]?.ref as ContentRef, { range: { offset: -1, length: 1 } })).toThrow(/begins at 0/);
    await expect(vault.reader().readAll(contents[0]?.ref as ContentRef, 10)).rejects.toMatchObject({ code: 'vault.bad-input' });
    await expect(vault.reader().readAll({ ...(contents[0]?.ref as ContentRef), sha256: 'x' })).rejects.toMatchObject({
      code: 'vault.bad-input',
    });
    await vault.close();
  });

  it('never gives out a content whose hash is another', async () => {
    const vault = await (await aVaultWorld()).open();
    const writer = await vault.openWriter({ resourceId: 'box' });
    const ref = await writer.put(Buffer.from('the truth'), { kind: 'file' });
    await writer.close();
    const forged = { ...ref, sha256: '0'.repeat(64) };
    await expect(vault.reader().readAll(forged)).rejects.toMatchObject({ code: 'vault.damaged' });
    await vault.close();
  });

  it('seals a content with a key of its own: nothing opens it once the key is gone', async () => {
    const vault = await (await aVaultWorld()).open();
    const writer = await vault.openWriter({ resourceId: 'box' });
    const data = random.bytes(600_000);
    const [first, second] = [
      await writer.put(data, { kind: 'file', ownKey: true }),
      await writer.put(data, { kind: 'file', ownKey: true }),
    ];
    await writer.close();
    expect(first.pieces[0]?.[0]).not.toBe(second.pieces[0]?.[0]);
    expect((await vault.reader().readAll(first)).equals(data)).toBe(true);
    await vault.maintenance.shredItemKey(first.itemKeyId as string);
    await expect(vault.reader().readAll(first)).rejects.toMatchObject({ code: 'vault.item-key-destroyed' });
    const { folder, remove } = aFolder();
    onTestFinished(remove);
    const wanted = [first, second].map((content, key) => ({ key, content, file: path.join(folder, String(key)) }));
    const written = new Map((await collectAll(vault.reader().writeMany(wanted))).map(({ key, error }) => [key, error]));
    expect(written.get(0)).toMatchObject({ code: 'vault.item-key-destroyed' });
    expect(written.get(1)).toBeUndefined();
    expect(readFileSync(path.join(folder, '1')).equals(data)).toBe(true);
    await expect(vault.maintenance.shredItemKey('../vault')).rejects.toMatchObject({ code: 'vault.bad-input' });
    await vault.close();
  });

  it.each([
    ['a full disk', 'vault.storage-full'],
    ['a read-only bucket', 'vault.storage-read-only'],
    ['credentials that expire in mid-run', 'vault.credentials-expired'],
  ] as const)('fails with %s, loses nothing that was committed, and the next writer goes on', async (_, code) => {
    let isFailing = false;
    const inner = createMemoryBlobStore();
    const store = withFaults(inner, (operation, name) =>
      isFailing && operation === 'put' && name.startsWith('packs/')
        ? { before: vaultError(code, 'It fails.', { object: name }) }
        : undefined,
    );
    const vault = await (await aVaultWorld({ store })).open({}, { packTargetBytes: 20_000 });
    const kept = await vault.openWriter({ resourceId: 'box' });
    const before = await kept.put(random.bytes(5000), { kind: 'file' });
    await kept.close();
    isFailing = true;
    const failing = await vault.openWriter({ resourceId: 'box' });
    const data = random.bytes(30_000);
    await failing.put(data, { kind: 'file' });
    await expect(failing.flush()).rejects.toMatchObject({ code });
    await expect(failing.put(data, { kind: 'file' })).rejects.toMatchObject({ code });
    await failing.abort();
    isFailing = false;
    const next = await vault.openWriter({ resourceId: 'box' });
    const ref = await next.put(data, { kind: 'file' });
    await next.close();
    expect((await vault.reader().readAll(ref)).equals(data)).toBe(true);
    expect((await vault.reader().readAll(before)).byteLength).toBe(5000);
    await vault.close();
  });

  it('takes nothing more once it is closed, given up or cancelled', async () => {
    const vault = await (await aVaultWorld()).open();
    const closed = await vault.openWriter({ resourceId: 'box' });
    await closed.close();
    await closed.close();
    await closed.abort();
    await expect(closed.put(once(Buffer.from('x')), { kind: 'file' })).rejects.toMatchObject({ code: 'vault.writer-closed' });
    const given = await vault.openWriter({ resourceId: 'box' });
    await given.abort();
    await expect(given.flush()).rejects.toMatchObject({ code: 'vault.writer-closed' });
    const controller = new AbortController();
    const cancelled = await vault.openWriter({ resourceId: 'box', signal: controller.signal });
    controller.abort(new Error('cancelled'));
    await expect(cancelled.put(Buffer.from('x'), { kind: 'file' })).rejects.toThrow('cancelled');
    await vault.close();
  });

  it('passes on what a source of content fails with, and goes on with the next', async () => {
    const vault = await (await aVaultWorld()).open();
    const writer = await vault.openWriter({ resourceId: 'box' });
    async function* failing(size: number): AsyncGenerator<Uint8Array, void, undefined> {
      yield random.bytes(size);
      throw new Error('the line is dead');
    }
    for (const size of [100, 9_000_000]) await expect(writer.put(failing(size), { kind: 'file' })).rejects.toThrow('the line is dead');
    const ref = await writer.put(Buffer.from('fine'), { kind: 'file' });
    await writer.close();
    expect((await vault.reader().readAll(ref)).toString()).toBe('fine');
    await vault.close();
  });
});
