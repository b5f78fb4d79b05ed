import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFolder, aVaultWorld, collectAll } from '../testing/builders.ts';
import { PlainVault } from '../testing/plain-reader.ts';
import { createFilesystemBlobStore, readOnly } from './index.ts';

const FIXTURES = path.join(import.meta.dirname, '..', 'fixtures');

interface Expected {
  readonly masterKey: string;
  readonly states: readonly { readonly [itemId: string]: string }[];
  readonly many: number;
}

function expectedOf(version: string): Expected {
  return JSON.parse(readFileSync(path.join(FIXTURES, version, 'expected.json'), 'utf8')) as Expected;
}

describe.each(readdirSync(FIXTURES))('the fixture of format %s', (version) => {
  const folder = path.join(FIXTURES, version, 'vault');
  const expected = expectedOf(version);

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

describe('the fixture of format v1.1', () => {
  it('reads the same from the copies alone, with nothing but FORMAT.md and with this version', async () => {
    const { folder, remove } = aFolder();
    onTestFinished(remove);
    const { masterKey, states, many } = expectedOf('v1.1');
    cpSync(path.join(FIXTURES, 'v1.1', 'vault'), folder, { recursive: true });
    rmSync(path.join(folder, 'journal'), { recursive: true });
    const plain = new PlainVault(folder, Buffer.from(masterKey, 'hex'));
    expect(plain.states('many').at(-1)?.size).toBe(many);
    expect(plain.states('mailbox-1').map((state) => [...state.keys()].toSorted())).toEqual(
      states.map((state) => Object.keys(state).toSorted()),
    );
    // A store with conditional puts takes a copy alone at the end for a commit that was never made.
    const store = readOnly({ ...createFilesystemBlobStore({ root: folder }), abilities: { conditionalPut: false, objectLock: false } });
    const vault = await (await aVaultWorld({ store, isThere: true })).open();
    for (const [at, state] of states.entries()) {
      const items = await collectAll(vault.journal('mailbox-1').stateAt({ sequence: at + 1 }));
      expect(items.map(({ itemId }) => itemId).toSorted()).toEqual(Object.keys(state).toSorted());
    }
    expect(await collectAll(vault.journal('many').stateAt())).toHaveLength(many);
    await vault.close();
  });
});
