import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSeededRandom } from '@holdfast/foundation/random';
import { aFolder, aVaultWorld, collectAll } from '../../testing/builders.ts';
import type { ContentKind } from '../index.ts';

const random = createSeededRandom(17);
const MEGABYTE = 1024 * 1024;

function aMail(attachment: Buffer): Buffer {
  const text = attachment.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  return Buffer.from(`Subject: a mail\r\nContent-Transfer-Encoding: base64\r\n\r\n${text}\r\n`);
}

function aMailOfTwo(first: Buffer, second: Buffer): Buffer {
  const parts = [first, second].map((data) => Buffer.concat([Buffer.from('--b\r\n'), aMail(data)]));
  return Buffer.concat([Buffer.from('Content-Type: multipart/mixed; boundary=b\r\n\r\n'), ...parts, Buffer.from('--b--\r\n')]);
}

function anOutput(): string {
  const { folder, remove } = aFolder();
  onTestFinished(remove);
  return folder;
}

async function aFilledVault(threads: number, longBytes = 0) {
  const vault = await (await aVaultWorld()).open({ threads }, { packTargetBytes: 200_000 });
  const writer = await vault.openWriter({ resourceId: 'box' });
  const datas: readonly { data: Buffer; kind: ContentKind; ownKey?: true }[] = [
    { data: Buffer.alloc(longBytes, 'much of the same '), kind: 'file' },
    { data: aMail(random.bytes(300_000)), kind: 'message' },
    { data: aMail(random.bytes(3000)), kind: 'message', ownKey: true },
    { data: random.bytes(400_000), kind: 'file' },
    ...Array.from({ length: 150 }, () => ({ data: random.bytes(random.below(5000)), kind: 'file' as const })),
  ];
  const contents = await Promise.all(
    datas.map(async ({ data, kind, ownKey }) => ({ data, content: await writer.put(data, { kind, ...(ownKey ? { ownKey } : {}) }) })),
  );
  await writer.close();
  return { vault, contents };
}

describe.each([{ threads: 0 }, { threads: 2 }])('many contents written to files with $threads threads', ({ threads }) => {
  it('are in their files byte by byte, whatever their length', async () => {
    // One is longer than what a thread puts together in one go.
    const { vault, contents } = await aFilledVault(threads, 33 * MEGABYTE);
    const folder = anOutput();
    const wanted = contents.map(({ content }, key) => ({ key, content, file: path.join(folder, String(key)) }));
    const written = await collectAll(vault.reader().writeMany(wanted));
    expect(written.map(({ key }) => key).toSorted((a, b) => a - b)).toEqual(contents.keys().toArray());
    for (const one of written) expect(one.error).toBeUndefined();
    for (const [key, { data }] of contents.entries()) expect(readFileSync(path.join(folder, String(key))).equals(data)).toBe(true);
    await vault.close();
  });

  it.each([false, true])(
    'are in their files when they share much with others, whose files somebody has changed meanwhile: %s',
    async (isChanged) => {
      const vault = await (await aVaultWorld()).open({ threads }, { packTargetBytes: 2_000_000 });
      const writer = await vault.openWriter({ resourceId: 'box' });
      const shared = random.bytes(200_000);
      const datas = Array.from({ length: 40 }, () => aMailOfTwo(shared, random.bytes(300_000)));
      const contents = await Promise.all(datas.map((data) => writer.put(data, { kind: 'message' })));
      await writer.close();
      const folder = anOutput();
      const changed = new Set<number>();
      const wanted = contents.map((content, key) => ({ key, content, file: path.join(folder, String(key)) }));
      for await (const { key, error } of vault.reader().writeMany(wanted)) {
        expect(error).toBeUndefined();
        if (!isChanged || key % 2 === 0) continue;
        writeFileSync(path.join(folder, String(key)), 'no mail');
        changed.add(key);
      }
      for (const [key, data] of datas.entries()) {
        if (!changed.has(key)) expect(readFileSync(path.join(folder, String(key))).equals(data)).toBe(true);
      }
      await vault.close();
    },
  );

  it('tell of each that can not be read or written, and the rest goes on', async () => {
    const { vault, contents } = await aFilledVault(threads);
    const folder = anOutput();
    mkdirSync(path.join(folder, 'taken'));
    const contentAt = (at: number) => (contents[at] as (typeof contents)[number]).content;
    const written = await collectAll(
      vault.reader().writeMany([
        { key: 'forged', content: { ...contentAt(1), sha256: '0'.repeat(64) }, file: path.join(folder, 'forged') },
        { key: 'no folder', content: contentAt(2), file: path.join(folder, 'not', 'there') },
        { key: 'a folder', content: contentAt(0), file: path.join(folder, 'taken') },
        { key: 'good', content: contentAt(3), file: path.join(folder, 'good') },
      ]),
    );
    const found = new Map(written.map((one) => [one.key, one.error]));
    expect(found.get('forged')).toMatchObject({ code: 'vault.damaged' });
    expect(found.get('no folder')).toMatchObject({ code: 'ENOENT' });
    expect(found.get('a folder')).toMatchObject({ code: 'EISDIR' });
    expect(found.get('good')).toBeUndefined();
    expect(readdirSync(folder).toSorted()).toEqual(['good', 'taken']);
    expect(readFileSync(path.join(folder, 'good')).equals(contents[3]?.data as Buffer)).toBe(true);
    await vault.close();
  });
});
