import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFolder } from '../../testing/builders.ts';
import { createMemoryBlobStore } from '../blob/memory.ts';
import { deriveVaultKeys } from '../crypto/vault-keys.ts';
import { FRAME_HEAD_BYTES, FRAME_LIMIT_BYTES, nonceOf, openFrame, readBlobTable, sealFrame } from './frame.ts';
import { createPackBuilder } from './pack-builder.ts';
import { badFrames, checkPackStructure, confirmBadFrames, createPackCheck } from './pack-check.ts';
import { framePlace } from './pack-reader.ts';
import { packEnd, packName, type PackFrame } from './pack.ts';

const keys = deriveVaultKeys('018f0000-0000-7000-8000-00000000000a', createSecretKey(Buffer.alloc(32, 3)));

/** Table and blobs, as a frame's plaintext is. */
function plainOf(blobs: readonly Buffer[]): Buffer {
  const table = Buffer.alloc(4 + blobs.length * 4);
  table.writeUInt32BE(blobs.length, 0);
  for (const [at, blob] of blobs.entries()) table.writeUInt32BE(blob.byteLength, 4 + at * 4);
  return Buffer.concat([table, ...blobs]);
}

const isIntact = createPackCheck(keys);

const BLOBS = [Buffer.from('one'), Buffer.alloc(700, 'two ')];
const named = BLOBS.map((blob) => ({ blobId: keys.blobId(blob), length: blob.byteLength }));

/** A pack of two frames; what it says of the second may be a lie. */
function aPack(lie: { readonly plain?: Buffer; readonly blobs?: readonly { blobId: string; length: number }[] } = {}) {
  const builder = createPackBuilder(keys);
  builder.addFrame('text', { plain: plainOf(BLOBS), blobs: named });
  builder.addFrame('binary', { plain: lie.plain ?? plainOf(BLOBS), blobs: lie.blobs ?? named });
  const { packId, parts, frames } = builder.finish();
  return { packId, data: Buffer.concat(parts), frames };
}

/** The same pack with an index that is sealed rightly and says something else. */
function withIndex(pack: ReturnType<typeof aPack>, change: (frames: readonly PackFrame[]) => readonly PackFrame[]): Buffer {
  const end = pack.frames.reduce((at, frame) => Math.max(at, frame.offset + frame.length), 0);
  const frames = change(pack.frames);
  return Buffer.concat([pack.data.subarray(0, end), packEnd(framePlace(keys, pack.packId), frames, end)]);
}

async function structureOf(packId: string, data: Buffer | undefined) {
  const store = createMemoryBlobStore();
  if (data) await store.put(packName(packId), [data]);
  return { store, state: await checkPackStructure(store, keys, packId) };
}

describe('a pack that was read whole', () => {
  it('is intact as it was written, and not with another head, length, index or end', () => {
    const pack = aPack();
    expect(isIntact(pack.packId, pack.data)).toBe(true);
    const head = Buffer.from(pack.data);
    head[20] = (head[20] ?? 0) ^ 1;
    const wrong = [
      head,
      Buffer.alloc(0),
      pack.data.subarray(0, -1),
      Buffer.concat([pack.data, Buffer.from('x')]),
      withIndex(pack, ([first]) => [first as PackFrame, first as PackFrame]),
      withIndex(pack, (frames) => frames.slice(1)),
    ];
    for (const data of wrong) expect(isIntact(pack.packId, data)).toBe(false);
    expect(isIntact('ab'.repeat(16), pack.data)).toBe(false);
  });

  it('is read from its file, as long as that is, whatever was read before', () => {
    const { folder, remove } = aFolder();
    onTestFinished(remove);
    const file = path.join(folder, 'pack');
    const pack = aPack();
    const flipped = Buffer.from(pack.data);
    flipped[flipped.byteLength >> 1] = (flipped[flipped.byteLength >> 1] ?? 0) ^ 1;
    expect(isIntact(pack.packId, { file })).toBe(false);
    for (const [data, expected] of [
      [Buffer.concat([pack.data, Buffer.from('x')]), false],
      [pack.data, true],
      [flipped, false],
    ] as const) {
      writeFileSync(file, data);
      expect(isIntact(pack.packId, { file })).toBe(expected);
    }
    writeFileSync(file, pack.data);
    truncateSync(file, pack.data.byteLength - 1);
    expect(isIntact(pack.packId, { file })).toBe(false);
    expect(isIntact(pack.packId, { file: folder })).toBe(false);
  });

  it.each([
    ['a blob that its id does not name', { blobs: [{ blobId: '0'.repeat(40), length: 3 }, named[1] as (typeof named)[number]] }],
    ['lengths that are others', { blobs: named.map((blob, at) => ({ ...blob, length: blob.length + 1 - 2 * at })) }],
    ['fewer blobs than it holds', { blobs: named.slice(1) }],
    ['no table', { plain: Buffer.from('abc') }],
    ['a table that is longer than the frame', { plain: Buffer.from([255, 255, 255, 0, 1, 1, 1, 1]) }],
    ['a table that does not fill it', { plain: Buffer.concat([plainOf(BLOBS), Buffer.from('more')]) }],
  ])('has a bad frame when the index says %s', (_, lie) => {
    const pack = aPack(lie);
    expect(badFrames(keys, pack.packId, pack.data, pack.frames)).toEqual([1]);
    expect(isIntact(pack.packId, pack.data)).toBe(false);
  });
});

describe('the structure of a pack', () => {
  it('is well as it was written', async () => {
    const pack = aPack();
    const { store, state } = await structureOf(pack.packId, pack.data);
    expect(state).toMatchObject({ readable: [], lost: [] });
    expect(state.problem).toBeUndefined();
    expect(await confirmBadFrames(store, keys, pack.packId, [...pack.frames])).toBeUndefined();
  });

  it('says what is wrong and what can still be read', async () => {
    const pack = aPack();
    const { state: longer } = await structureOf(pack.packId, Buffer.concat([Buffer.alloc(9), pack.data]));
    expect(longer.problem).toBe('It has another length than it says.');
    const head = Buffer.from(pack.data);
    head[3] = 0;
    const { state: otherHead } = await structureOf(pack.packId, head);
    expect(otherHead).toMatchObject({ problem: 'Its head is not what was written.', lost: [] });
    expect(otherHead.readable).toHaveLength(4);
    const { state: gap } = await structureOf(
      pack.packId,
      withIndex(pack, (frames) => frames.slice(1)),
    );
    expect(gap.problem).toBe('Its frames do not fill it.');
    const { state: gone } = await structureOf(pack.packId, undefined);
    expect(gone).toMatchObject({ readable: [], lost: [] });
    expect(gone.problem).toMatch(/missing/);
  });

  it('finds the frames again by their heads when the index is lost, up to the first that does not open', async () => {
    const pack = aPack();
    const cut = pack.data.subarray(0, -30);
    const { state } = await structureOf(pack.packId, cut);
    expect(state.readable.map((blob) => blob.blobId)).toEqual([...named, ...named].map((blob) => blob.blobId));
    const second = pack.frames[1] as PackFrame;
    const broken = Buffer.from(cut);
    broken[second.offset + FRAME_HEAD_BYTES] = (broken[second.offset + FRAME_HEAD_BYTES] ?? 0) ^ 1;
    expect((await structureOf(pack.packId, broken)).state.readable).toHaveLength(2);
  });
});

describe('a frame', () => {
  const { packId } = aPack();
  const place = framePlace(keys, packId);

  /** Seals a body of its own under a head of its own: what no writer makes. */
  function sealed(body: Buffer, plainLength: number, codec: number): Buffer {
    const head = Buffer.alloc(FRAME_HEAD_BYTES);
    head.writeUInt32BE(body.byteLength + 16, 0);
    head.writeUInt32BE(plainLength, 4);
    head[8] = 1;
    head[9] = codec;
    const number = Buffer.alloc(4);
    const cipher = createCipheriv('aes-256-gcm', place.packKey, nonceOf(0));
    cipher.setAAD(Buffer.concat([Buffer.from('holdfast/1/frame'), place.vaultIdBytes, place.packId, number, head]));
    return Buffer.concat([head, cipher.update(body), cipher.final(), cipher.getAuthTag()]);
  }

  it('opens as it was sealed, compressed or not, and under its own number only', () => {
    for (const plain of [Buffer.alloc(5000, 'text '), randomBytes(5000), Buffer.from([0, 0, 0, 0])]) {
      const frame = sealFrame(place, 3, 'text', plain);
      expect(openFrame(place, 3, frame).equals(plain)).toBe(true);
      expect(() => openFrame(place, 4, frame)).toThrow(expect.objectContaining({ code: 'vault.damaged' }));
    }
    expect(readBlobTable(Buffer.from([0, 0, 0, 0]))).toEqual([]);
  });

  it.each([
    ['is cut short', Buffer.alloc(20)],
    ['has another length than its head says', sealed(Buffer.from('body'), 4, 0).subarray(0, -1)],
    ['does not inflate', sealed(Buffer.from('no zstd at all'), 100, 1)],
    ['inflates to another length', sealed(Buffer.from('stored'), 7, 0)],
    ['is longer than any frame', sealed(Buffer.from('stored'), FRAME_LIMIT_BYTES + 1, 0)],
  ])('that %s is damaged, with its pack and number named', (problem, frame) => {
    expect(() => openFrame(place, 0, frame)).toThrow(
      expect.objectContaining({ code: 'vault.damaged', message: expect.stringContaining(problem), details: { packId, frame: 0 } }),
    );
  });
});
