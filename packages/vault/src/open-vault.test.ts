import { describe, expect, it } from 'vitest';
import { silentLogger } from '@holdfast/foundation/logger';
import { aKeyRing, aMasterKey, aVaultWorld, commitTexts, ORGANISATION, textsAt } from '../testing/builders.ts';
import { createMasterKeyRing, createMemoryBlobStore, createVault, openEscrow } from './index.ts';
import { recoverFromEscrow } from './recover.ts';

describe('opening a vault', () => {
  it('says who it belongs to and which format it has', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    expect(vault.info).toMatchObject({ organisationId: ORGANISATION, formatVersion: 1, keyVersion: 1, masterKeyId: 'key-7', name: 'test' });
    await vault.close();
  });

  it('refuses to create a second vault over the first', async () => {
    const { store, keyRing, clock, ids } = await aVaultWorld();
    await expect(createVault({ store, keyRing, organisationId: ORGANISATION, clock, ids })).rejects.toMatchObject({
      code: 'vault.already-exists',
    });
  });

  it('says that there is none', async () => {
    const world = await aVaultWorld({ store: createMemoryBlobStore(), isThere: true });
    await expect(world.open()).rejects.toMatchObject({ code: 'vault.not-found' });
  });

  it('refuses a wrong master key, by name and by content', async () => {
    const world = await aVaultWorld();
    await expect(world.open({ keyRing: aKeyRing(8) })).rejects.toMatchObject({ code: 'vault.wrong-key' });
    const sameName = createMasterKeyRing({ current: 'key-7', keys: { 'key-7': aMasterKey(9) } });
    await expect(world.open({ keyRing: sameName })).rejects.toMatchObject({ code: 'vault.wrong-key' });
  });

  it("refuses another organisation's vault", async () => {
    const world = await aVaultWorld();
    await expect(world.open({ organisationId: 'somebody else' })).rejects.toMatchObject({ code: 'vault.foreign' });
    await expect(world.open({ vaultId: '018f0000-0000-7000-8000-000000000009' })).rejects.toMatchObject({ code: 'vault.foreign' });
  });

  it('refuses a newer format without touching it', async () => {
    const world = await aVaultWorld();
    const header = JSON.parse((await world.store.get('vault.json')).toString()) as { readonly version: number };
    const newer = [Buffer.from(JSON.stringify({ ...header, version: header.version + 1 }))];
    await world.store.put('vault.json', newer);
    // One header alone may be damaged: a flipped bit makes a number of it, too.
    const vault = await world.open();
    expect((await vault.maintenance.verify({ depth: 'structure' })).damages).toMatchObject([{ object: 'header', name: 'vault.json' }]);
    await vault.close();
    await world.store.put('vault.copy.json', newer);
    await expect(world.open()).rejects.toMatchObject({ code: 'vault.newer-format' });
  });

  it.each([
    ['nonsense', 'not JSON'],
    ['{"format":"something else"}', 'another kind of file'],
    ['{"format":"holdfast-vault","version":1}', 'fields missing'],
  ])('opens by the second header when the first is %j', async (text) => {
    const world = await aVaultWorld();
    await world.store.put('vault.json', [Buffer.from(text)]);
    const vault = await world.open();
    expect(vault.info.organisationId).toBe(ORGANISATION);
    await vault.close();
  });

  it('refuses when a field of both headers was changed', async () => {
    const world = await aVaultWorld();
    for (const name of ['vault.json', 'vault.copy.json']) {
      const header = JSON.parse((await world.store.get(name)).toString()) as object;
      await world.store.put(name, [Buffer.from(JSON.stringify({ ...header, name: 'changed' }))]);
    }
    await expect(world.open()).rejects.toMatchObject({ code: 'vault.damaged', details: { object: 'vault.json' } });
  });

  it('refuses a key ring whose current key is not in it', () => {
    expect(() => createMasterKeyRing({ current: 'b', keys: { a: aMasterKey() } })).toThrow(/current master key/);
  });
});

describe('master keys', () => {
  it('rotate by wrapping again: old data reads with the new key, the old key opens nothing any more', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: 'text' });
    const packsBefore = (await vault.maintenance.verify({ depth: 'structure' })).packs;
    const both = createMasterKeyRing({ current: 'key-8', keys: { 'key-7': aMasterKey(7), 'key-8': aMasterKey(8) } });
    expect(await vault.maintenance.rotateMasterKey({ keyRing: both })).toEqual({ keyVersion: 2 });
    await vault.close();
    await expect(world.open()).rejects.toMatchObject({ code: 'vault.wrong-key' });
    const again = await world.open({ keyRing: aKeyRing(8) });
    expect(await textsAt(again, 'box')).toEqual({ a: 'text' });
    expect((await again.maintenance.verify({ depth: 'structure' })).packs).toBe(packsBefore);
    await again.close();
  });

  it('hand the vault to another organisation without touching the data', async () => {
    const world = await aVaultWorld();
    const vault = await world.open({});
    await commitTexts(vault, 'box', { a: 'alpha' });
    await vault.maintenance.rotateMasterKey({ organisationId: 'another' });
    await vault.close();
    await expect(world.open({ organisationId: ORGANISATION })).rejects.toMatchObject({ code: 'vault.foreign' });
    const again = await world.open({ organisationId: 'another' });
    expect(again.info).toMatchObject({ organisationId: 'another', keyVersion: 2, vaultId: vault.info.vaultId });
    expect(await textsAt(again, 'box')).toEqual({ a: 'alpha' });
    expect(await again.maintenance.forgottenPoints('box')).toEqual({ points: [], isDropped: false });
    await again.close();
  });

  it('open from an escrow when headers and master key are lost', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: 'text' });
    const escrow = await vault.maintenance.exportKeysForEscrow('a long enough passphrase');
    await vault.close();
    for (const name of ['vault.json', 'vault.copy.json']) await world.store.delete(name);
    expect(() => openEscrow(escrow, 'not the right passphrase')).toThrow(expect.objectContaining({ code: 'vault.wrong-key' }));
    for (const none of ['{}', 'null', '[]', 'no json', '{"format":"holdfast-escrow","version":1}']) {
      expect(() => openEscrow(none, 'x')).toThrow(expect.objectContaining({ code: 'vault.bad-input' }));
    }
    const newer = JSON.stringify({ ...(JSON.parse(escrow) as object), version: 2 });
    expect(() => openEscrow(newer, 'x')).toThrow(expect.objectContaining({ code: 'vault.newer-format' }));
    await recoverFromEscrow({ ...world, keyRing: aKeyRing(8), escrow: openEscrow(escrow, 'a long enough passphrase') });
    const again = await world.open({ keyRing: aKeyRing(8) });
    expect(await textsAt(again, 'box')).toEqual({ a: 'text' });
    await again.close();
  });

  it('refuse a short passphrase for escrow', async () => {
    const vault = await (await aVaultWorld()).open();
    await expect(vault.maintenance.exportKeysForEscrow('short')).rejects.toMatchObject({
      code: 'vault.bad-input',
      details: { field: 'passphrase' },
    });
    await vault.close();
  });
});

describe('a closed vault', () => {
  it('opens no more writers and may be closed twice', async () => {
    const world = await aVaultWorld();
    const vault = await world.open({ logger: silentLogger });
    await vault.close();
    await vault.close();
    await expect(vault.openWriter({ resourceId: 'box' })).rejects.toMatchObject({ code: 'vault.writer-closed' });
  });
});
