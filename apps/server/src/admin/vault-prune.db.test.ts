import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { silentLogger } from '@holdfast/foundation/logger';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../settings/config.ts';
import { createCatalog } from '../storage/index.ts';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { aGround, aResource, testIds, type Ground } from '../testing/rows.ts';
import { runCommand } from './run-command.ts';

/** A vault of a released format that a location of this installation holds. */
const testing = testDatabase(import.meta.url);
const FIXTURE = path.join(import.meta.dirname, '..', '..', '..', '..', 'packages', 'vault', 'fixtures', 'v1');
let base = '';
let ground: Ground;
const at = (name: string): string => path.join(base, name);

beforeAll(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'holdfast-prune-'));
  cpSync(path.join(FIXTURE, 'vault'), at('vault'), { recursive: true });
  writeFileSync(at('master.key'), Buffer.alloc(32, 7).toString('base64'));
  ground = await aGround(testing.database);
});
afterAll(() => rmSync(base, { recursive: true }));

/** Runs a line of the console of an installation that has a database; what it printed. */
async function vault(...args: readonly string[]): Promise<string[]> {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const config = readConfig({
    HOLDFAST_DATA_DIR: at('data'),
    HOLDFAST_DATABASE_URL: testing.ownerUrl,
    HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
    HOLDFAST_DATABASE_POOL: '4',
  });
  try {
    await runCommand(config, silentLogger, ['vault', ...args, '--folder', at('vault'), '--key-file', at('master.key')]);
    return print.mock.calls.map((call) => String(call[0]));
  } finally {
    print.mockRestore();
  }
}
const prune = (...args: readonly string[]): Promise<string[]> => vault('prune', '--keep-days', '1', ...args);
/** Makes the vault that of the location. */
async function connect(): Promise<void> {
  const vaultId = (await vault('info')).find((line) => line.startsWith('vaultId: '))?.slice('vaultId: '.length);
  await testing.asSuperuser('update locations set vault_id = $1 where location_id = $2', [vaultId, ground.locationId]);
}
const objects = (): string[] => readdirSync(at('vault'), { recursive: true, encoding: 'utf8' }).toSorted();

test('A20: the console asks the database for holds, refuses while one is in force, names it and changes nothing', async () => {
  const before = objects();
  await expect(prune('--holds', 'ask')).rejects.toMatchObject({ code: 'admin.holds-unknown' });
  await connect();
  const held = { hold_id: testIds.uuid(), tenant_id: ground.tenantId, name: 'Lawsuit', reason: 'Court order' };
  const placed = { placed_by: testIds.uuid(), placer: 'ann@contoso.example', placed_at: new Date(), from_at: new Date('2020-01-01') };
  await testing.database.within(ground.scope, (tx) =>
    tx
      .insertInto('holds')
      .values({ ...held, ...placed, resource_id: null, to_at: null, release_reason: null })
      .execute(),
  );
  await expect(prune('--holds', 'ask')).rejects.toMatchObject({ code: 'admin.under-hold', message: expect.stringContaining('Lawsuit') });
  expect(objects()).toEqual(before);
  await testing.asSuperuser('update holds set released_at = now()');
  expect((await prune('--holds', 'ask')).at(-1)).toMatch(/^marked \d+ packs/);
});

test('the console refuses to prune what a retention policy keeps in the location, names it with its last day and changes nothing', async () => {
  await connect();
  const { scope, tenantId, locationId } = ground;
  const resourceId = await aResource(testing.database, ground, { workload: 'archive', kind: 'archive' });
  const catalog = createCatalog({ database: testing.database, scope, locationId, ids: testIds });
  const letter = anItem('letter', { modifiedAt: '2025-05-05T10:00:00.000Z' });
  await catalog.apply({ ...aSegment(resourceId, 1), put: [letter] });
  const terms = { anchor: 'received', event_kind: null, amount: 50, unit: 'years', starts: 'calendarYear', fiscal_year_end: 12 } as const;
  const made = { created_by: testIds.uuid(), creator: 'ann@contoso.example', created_at: new Date(), end_reason: null, preview: null };
  const row = { policy_id: testIds.uuid(), tenant_id: tenantId, name: 'Letters', is_everything: true, replaces: null, ...terms, ...made };
  await testing.database.within(scope, (tx) =>
    tx
      .insertInto('retention_policies')
      .values({ ...row, activated_at: new Date() })
      .execute(),
  );
  const before = objects();
  await expect(prune('--holds', 'ask')).rejects.toMatchObject({
    code: 'admin.under-retention',
    message: expect.stringContaining('Letters (2075-12-31)'),
  });
  expect(objects()).toEqual(before);
  await testing.asSuperuser('update retention_policies set ended_at = now()');
  expect((await prune('--holds', 'ask')).at(-1)).toMatch(/^marked \d+ packs/);
});
