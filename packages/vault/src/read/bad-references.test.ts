import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFolder, aVaultWorld, collectAll } from '../../testing/builders.ts';
import type { ContentRef, Piece } from '../index.ts';

async function aStoredText() {
  const vault = await (await aVaultWorld()).open();
  const writer = await vault.openWriter({ resourceId: 'box' });
  const content = await writer.put(Buffer.from('some text that is no list of pieces'), { kind: 'file' });
  await writer.close();
  return { vault, content, piece: content.pieces[0] as Piece };
}

describe('a reference that no writer made', () => {
  it.each([
    ['its hash', { sha256: 'no hash' }],
    ['its size', { sizeBytes: -1 }],
    ['its depth', { depth: 10 }],
    ['its pieces', { pieces: 'none' as unknown as readonly Piece[] }],
  ])('is refused for %s', async (_, wrong) => {
    const { vault, content } = await aStoredText();
    await expect(vault.reader().readAll({ ...content, ...wrong })).rejects.toMatchObject({ code: 'vault.bad-input' });
    await vault.close();
  });

  it('gives damage where its pieces are not what it says, alone and among many', async () => {
    const { vault, content, piece } = await aStoredText();
    const wrong: ContentRef[] = [
      { ...content, depth: 1 },
      { ...content, pieces: [[piece[0], piece[1], 'q80']] },
      { ...content, pieces: [[piece[0], piece[1], '+']] },
      { ...content, pieces: [piece, piece] },
      { ...content, sizeBytes: content.sizeBytes + 1 },
    ];
    for (const one of wrong) await expect(vault.reader().readAll(one)).rejects.toMatchObject({ code: 'vault.damaged' });
    const { folder, remove } = aFolder();
    onTestFinished(remove);
    const wanted = [content, ...wrong].map((one, key) => ({ key, content: one, file: path.join(folder, String(key)) }));
    const written = await collectAll(vault.reader().writeMany(wanted));
    expect(written).toHaveLength(1 + wrong.length);
    for (const { key, error } of written) {
      if (key === 0) expect(error).toBeUndefined();
      else expect(error).toMatchObject({ code: 'vault.damaged' });
    }
    expect(readdirSync(folder)).toEqual(['0']);
    await vault.close();
  });

  it('is read in ranges that begin at 0 or later, and in one go up to a limit', async () => {
    const { vault, content } = await aStoredText();
    const range = { offset: -1, length: 5 };
    expect(() => vault.reader().read(content, { range })).toThrow(expect.objectContaining({ code: 'vault.bad-input' }));
    await expect(vault.reader().readAll(content, 3)).rejects.toMatchObject({ code: 'vault.bad-input', details: { field: 'content' } });
    await vault.close();
  });
});
