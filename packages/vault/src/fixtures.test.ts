import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aVaultWorld, collectAll } from '../testing/builders.ts';
import { PlainVault } from '../testing/plain-reader.ts';
import { createFilesystemBlobStore, readOnly } from './index.ts';

const FIXTURES = path.join(import.meta.dirname, '..', 'fixtures');

interface Expected {
  readonly masterKey: string;
  readonly states: readonly { readonly [itemId: string]: string }[];
  readonly many: number;
}

describe.each(readdirSync(FIXTURES))('the fixture of format %s', (version) => {
  const folder = path.join(FIXTURES, version, 'vault');
  const expected = JSON.parse(readFileSync(path.join(FIXTURES, version, 'expected.json'), 'utf8')) as Expected;

  it('reads with nothing but FORMAT.md and the key', () => {
    const vault = new PlainVault(folder, Buffer.from(expected.masterKey, 'hex'));
    const states = vault.states('mailbox-1').map((state) => {
      const hashes = [...state.values()].map((item) => {
        const { data } = item.content;
        if (data) vault.read(data);
        return [item.itemId, data?.sha256] as const;
      });
      return Object.fromEntries(hashes);
    });
    expect(states).toEqual(expected.states);
    expect(vault.states('many').at(-1)?.size).toBe(expected.many);
  });

  it('reads with this version, every content at every point, and verifies without damage', async () => {
    const store = readOnly(createFilesystemBlobStore({ root: folder }));
    const vault = await (await aVaultWorld({ store, isThere: true })).open();
    for (const [at, state] of expected.states.entries()) {
      const items = await collectAll(vault.journal('mailbox-1').stateAt({ sequence: at + 1 }));
      expect(Object.fromEntries(items.map((item) => [item.itemId, item.content['data']?.sha256]))).toEqual(state);
      for (const item of items) if (item.content['data']) await vault.reader().readAll(item.content['data']);
    }
    expect(await collectAll(vault.journal('many').stateAt())).toHaveLength(expected.many);
    expect((await vault.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
    await vault.close();
  });
});
