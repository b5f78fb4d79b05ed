import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anOrganisationId, testDatabase } from '@holdfast/database/testing/test-database';
import type { Scope } from '@holdfast/database';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { createIds } from '@holdfast/foundation/ids';
import { createSeededRandom, secureRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { Secret } from '@holdfast/foundation/secrets';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openMasterKey, rotateMasterKey } from './master-key.ts';
import { createKeysStore } from './keys.store.ts';
import { createMasterKeys } from './master-keys.ts';
import { createSealing, type Sealing } from './sealing.ts';

const db = testDatabase(import.meta.url);
const ids = createIds(createFakeClock(), secureRandom);
const scopes: Scope[] = [];
const sealed = new Map<string, Buffer>();
let folder = '';
const config = () => ({ HOLDFAST_DATA_DIR: folder, HOLDFAST_MASTER_KEY: undefined });
const place = { table: 'tenants', column: 'sealed_secret', row: 'one' };
const keyOf = (scope: Scope): string => `${scope.organisationId}/${scope.realm}`;

/** What a process that starts now has in memory. */
async function started(): Promise<Sealing> {
  const master = await openMasterKey(config(), db.database);
  return createSealing({ masterKeys: createMasterKeys(master, master.others), store: createKeysStore(db.database), ids });
}

async function everythingOpens(): Promise<void> {
  const sealing = await started();
  for (const scope of scopes)
    expect(await sealing.open(scope, sealed.get(keyOf(scope)) as Buffer, place)).toBe(`secret of ${keyOf(scope)}`);
  expect(await sealing.openOwn(sealed.get('own') as Buffer, place)).toBe('secret of the installation');
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-keys-'));
  for (let index = 0; index < 6; index += 1) {
    const organisationId = anOrganisationId();
    for (const realm of ['production', 'staging'] as const) {
      scopes.push({ organisationId, realm });
      await db.database.within({ organisationId, realm }, (tx) =>
        tx
          .insertInto('organisations')
          .values({ name: `Organisation ${index}`, abbr: 'org', created_at: new Date(0) })
          .execute(),
      );
    }
  }
  const sealing = await started();
  for (const scope of scopes) sealed.set(keyOf(scope), await sealing.seal(scope, `secret of ${keyOf(scope)}`, place));
  sealed.set('own', await sealing.sealOwn('secret of the installation', place));
});
afterEach(() => onCrashPoint(undefined));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a rotation re-wraps every key, changes the master key and leaves the data as it is', async () => {
  const before = await readFile(path.join(folder, 'master.key'), 'utf8');
  const rows = await db.asSuperuser('select wrapped from organisation_keys order by organisation_id, realm');
  const report = await rotateMasterKey(config(), db.database);
  expect(report).toMatchObject({ rewrapped: scopes.length + 1, alreadyCurrent: 0 });
  expect(await readFile(path.join(folder, 'master.key'), 'utf8')).not.toBe(before);
  expect(await db.asSuperuser('select wrapped from organisation_keys order by organisation_id, realm')).not.toEqual(rows);
  await everythingOpens();
});

test('a rotation that is killed at random points fifty times loses nothing and completes', async () => {
  const random = createSeededRandom(50);
  let killed = 0;
  while (killed < 50) {
    const at = random.below(2 * scopes.length + 8);
    let passed = 0;
    onCrashPoint(() => {
      if (passed === at) throw new Error('killed');
      passed += 1;
    });
    const isDead = await rotateMasterKey(config(), db.database).then(
      () => false,
      (error: unknown) => error instanceof Error && error.message === 'killed',
    );
    onCrashPoint(undefined);
    if (isDead) killed += 1;
    await everythingOpens();
  }
  await rotateMasterKey(config(), db.database);
  await everythingOpens();
  process.stdout.write(`key rotation: killed ${killed} times, nothing lost\n`);
});

test('a wrong master key is refused before anything is written', async () => {
  const wrong = { HOLDFAST_DATA_DIR: folder, HOLDFAST_MASTER_KEY: new Secret(Buffer.alloc(32, 9).toString('base64')) };
  await expect(openMasterKey(wrong, db.database)).rejects.toMatchObject({ code: 'keys.master-key-wrong' });
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'holdfast-keys-'));
  const missing = { HOLDFAST_DATA_DIR: elsewhere, HOLDFAST_MASTER_KEY: undefined };
  await expect(openMasterKey(missing, db.database)).rejects.toMatchObject({ code: 'keys.master-key-missing' });
  await rm(elsewhere, { recursive: true });
});

test('every flipped bit and every swap between rows or organisations is refused', async () => {
  const sealing = await started();
  const [one, two] = scopes as [Scope, Scope];
  const value = sealed.get(keyOf(one)) as Buffer;
  for (let bit = 0; bit < value.byteLength * 8; bit += 1) {
    const flipped = Buffer.from(value);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    await expect(sealing.open(one, flipped, place)).rejects.toMatchObject({ code: 'secrets.cannot-open' });
  }
  await expect(sealing.open(two, value, place)).rejects.toMatchObject({ code: 'secrets.cannot-open' });
  await expect(sealing.open(one, value, { ...place, row: 'two' })).rejects.toMatchObject({ code: 'secrets.cannot-open' });
  await expect(sealing.open(one, value, { ...place, column: 'sealed_certificate' })).rejects.toMatchObject({ code: 'secrets.cannot-open' });
});
