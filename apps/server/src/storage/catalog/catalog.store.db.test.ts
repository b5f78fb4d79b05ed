import { anOrganisationId, testDatabase } from '@holdfast/database/testing/test-database';
import { aSegment, anItem } from '@holdfast/engine/testing/builders';
import { catalogContract } from '@holdfast/engine/testing/catalog.contract';
import { expect, test } from 'vitest';
import { aGround, aResource, testIds as ids } from '../../testing/rows.ts';
import { createCatalog } from './catalog.store.ts';

const { database } = testDatabase(import.meta.url);

catalogContract('The catalog in PostgreSQL', async () => {
  const ground = await aGround(database);
  const resourceIds = [await aResource(database, ground), await aResource(database, ground)] as const;
  return { catalog: createCatalog({ database, scope: ground.scope, locationId: ground.locationId, ids }), resourceIds };
});

test('another organisation and the other realm see nothing of a source', async () => {
  const ground = await aGround(database);
  const resourceId = await aResource(database, ground);
  await createCatalog({ database, ...ground, ids }).apply(aSegment(resourceId, 1, { put: [anItem('a')] }));
  for (const scope of [
    { organisationId: anOrganisationId(), realm: 'production' as const },
    { organisationId: ground.scope.organisationId, realm: 'staging' as const },
  ]) {
    const foreign = createCatalog({ database, scope, locationId: ground.locationId, ids });
    expect(await foreign.head(resourceId)).toBeUndefined();
    expect((await foreign.lookup(resourceId, ['a'])).size).toBe(0);
    await expect(foreign.apply(aSegment(resourceId, 2))).rejects.toMatchObject({ code: 'catalog.gap' });
  }
});

test('text that PostgreSQL cannot hold comes back as it was', async () => {
  const ground = await aGround(database);
  const resourceId = await aResource(database, ground);
  const catalog = createCatalog({ database, ...ground, ids });
  const item = anItem('a', { name: 'bad\u0000name \ud800', properties: { subject: 'nul \u0000 and half \udc00' } });
  await catalog.apply(aSegment(resourceId, 1, { put: [item] }));
  expect((await catalog.lookup(resourceId, ['a'])).get('a')).toEqual(item);
});

test('a restore point tells what changed since the one before, over all segments between', async () => {
  const ground = await aGround(database);
  const resourceId = await aResource(database, ground);
  const catalog = createCatalog({ database, ...ground, ids });
  await catalog.apply(
    aSegment(resourceId, 1, { point: false, put: [anItem('a', { sizeBytes: 5 }), anItem('b')], newBytes: 15, storedBytes: 9 }),
  );
  await catalog.apply(
    aSegment(resourceId, 2, {
      put: [anItem('a', { name: 'new', sizeBytes: 7 }), anItem('c')],
      removed: ['b'],
      newBytes: 4,
      storedBytes: 3,
    }),
  );
  const points = await database.within(ground.scope, (tx) =>
    tx.selectFrom('catalog_points').select(['sequence', 'added', 'changed', 'removed', 'new_bytes', 'stored_bytes']).execute(),
  );
  expect(points).toEqual([{ sequence: 2, added: 3, changed: 1, removed: 1, new_bytes: 19, stored_bytes: 12 }]);
  const source = await database.within(ground.scope, (tx) =>
    tx.selectFrom('catalog_sources').select(['items', 'bytes', 'points']).executeTakeFirst(),
  );
  expect(source).toEqual({ items: 2, bytes: 17, points: 1 });
});

test('two writers that apply the same segment at once leave it there once', async () => {
  const ground = await aGround(database);
  const resourceId = await aResource(database, ground);
  const catalog = createCatalog({ database, ...ground, ids });
  const segment = aSegment(resourceId, 1, { put: [anItem('a')] });
  await Promise.all([catalog.apply(segment), catalog.apply(segment), catalog.apply(segment)]);
  expect(await catalog.points(resourceId)).toHaveLength(1);
});
