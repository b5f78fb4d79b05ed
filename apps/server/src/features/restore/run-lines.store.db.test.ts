import { testDatabase } from '@holdfast/database/testing/test-database';
import type { RestoreLine } from '@holdfast/engine';
import { beforeAll, expect, test } from 'vitest';
import { aGround, aRunRow, aSealing, testIds, type Ground } from '../../testing/rows.ts';
import { createRunLinesStore } from './run-lines.store.ts';

const testing = testDatabase(import.meta.url);
const { database } = testing;
const lines = createRunLinesStore({ database, sealing: aSealing(database) });
let ground: Ground;

beforeAll(async () => {
  ground = await aGround(database);
});

let number = 0;
async function aRun(): Promise<string> {
  const runId = testIds.uuid();
  number += 1;
  const row = aRunRow(ground, { run_id: runId, number, type: 'restore', status: 'running' });
  await database.within(ground.scope, (tx) => tx.insertInto('runs').values(row).execute());
  return runId;
}

function aLine(key: string, outcome: RestoreLine['outcome']): RestoreLine {
  return { key, kind: 'message', path: `Inbox/${key}`, outcome, differences: [], targetId: `new ${key}` };
}

test('a run that is taken up again knows what is done; what failed is tried and told again', async () => {
  const runId = await aRun();
  const report = lines.reportOf(ground.scope, runId);
  await report.tell([aLine('a', 'restored'), aLine('b', 'failed'), aLine('c', 'skipped')]);
  await report.flush();
  const earlier = await lines.resume(ground.scope, runId);
  expect(earlier.counts).toEqual({ restored: 1, skipped: 1 });
  expect(Object.fromEntries(await earlier.told(['a', 'b', 'c', 'd']))).toEqual({
    a: { outcome: 'restored', targetId: 'new a' },
    c: { outcome: 'skipped', targetId: 'new c' },
  });
  expect(await earlier.targets(['new a', 'new b', 'elsewhere'])).toEqual(new Set(['new a']));
  const again = lines.reportOf(ground.scope, runId);
  await again.tell([aLine('b', 'restored')]);
  expect((await lines.resume(ground.scope, runId)).counts, 'held until it is full or flushed').toEqual({ restored: 1, skipped: 1 });
  await again.flush();
  expect((await lines.resume(ground.scope, runId)).counts).toEqual({ restored: 2, skipped: 1 });
});

test('whoever resumes a run knows what was begun and not reported as done, with what was there at the first attempt', async () => {
  const runId = await aRun();
  const begun = async () => Object.fromEntries((await lines.resume(ground.scope, runId)).begun);
  const report = lines.reportOf(ground.scope, runId);
  await Promise.all([report.begin('a', ['old']), report.begin('b', []), report.begin('c', [])]);
  expect(await begun()).toEqual({ a: ['old'], b: [], c: [] });
  await report.tell([aLine('a', 'restored'), aLine('c', 'failed')]);
  expect(await begun(), 'lines are held until something else is begun').toEqual({ a: ['old'], b: [], c: [] });
  await report.begin('b', ['what b was made into']);
  expect(await begun()).toEqual({ b: [], c: [] });
  await report.end();
  expect(await begun()).toEqual({});
});

test('an upload that is open is known to who takes the run up, and to nobody who reads the table', async () => {
  const runId = await aRun();
  const report = lines.reportOf(ground.scope, runId);
  const session = { uploadUrl: 'https://contoso.sharepoint.com/_api/upload?tempauth=secret', expiresAt: '', nextOffsetBytes: 0 };
  const upload = { sha256: 'aa', driveId: 'd', target: { parentId: 'p', name: 'Large.bin' }, session };
  await Promise.all([report.begin('a', []), report.begin('b', []), report.uploading('a', upload)]);
  expect(Object.fromEntries((await lines.resume(ground.scope, runId)).uploads)).toEqual({ a: upload });
  const rows = await testing.asSuperuser('select run_beginnings::text as row, upload from run_beginnings where run_id = $1', [runId]);
  expect(rows.filter((row) => row['upload'] !== null)).toHaveLength(1);
  for (const { row, upload: sealed } of rows) expect(`${String(row)} ${String(sealed)}`).not.toMatch(/secret|sharepoint|Large/u);
  await report.tell([aLine('a', 'restored')]);
  await report.flush();
  expect((await lines.resume(ground.scope, runId)).uploads.size).toBe(0);
});

test('what a restore wrote is noted with its lines, and at once when it replaces something, which stays what it was first', async () => {
  const runId = await aRun();
  const noted = () =>
    testing.asSuperuser(
      `select item_key, thing_number::int as number, is_container, target_id, mark, replaced_id, replaced_mark, home_graph_id as home
       from restored_things where run_id = $1 order by thing_number`,
      [runId],
    );
  const report = lines.reportOf(ground.scope, runId);
  const home = { kind: 'mailbox', graphId: 'adele', name: 'Adele' } as const;
  const thing = { kind: 'message', name: 'Offer', place: 'inbox', home } as const;
  await report.wrote?.({ ...thing, key: 'folder f', kind: 'mailFolder', targetId: 'f', mark: 'Inbox' });
  await report.wrote?.({ ...thing, key: 'a', targetId: 'new a', mark: '1' });
  expect(await noted(), 'held until it is full or flushed').toEqual([]);
  await report.wrote?.({ ...thing, key: 'b', targetId: 'b', mark: '', replaced: { id: 'b', mark: 'before' } });
  expect((await noted()).map(({ item_key: key }) => key)).toEqual(['folder f', 'a', 'b']);
  await report.wrote?.({ ...thing, key: 'b', targetId: 'b', mark: '2', replaced: { id: 'b', mark: 'half written' } });
  await report.wrote?.({ ...thing, key: 'a', targetId: 'newer a', mark: '3' });
  await report.end();
  const none = { replaced_id: null, replaced_mark: null };
  expect(await noted()).toEqual([
    { item_key: 'folder f', number: 1, is_container: true, target_id: 'f', mark: 'Inbox', home: 'adele', ...none },
    { item_key: 'a', number: 2, is_container: false, target_id: 'newer a', mark: '3', home: 'adele', ...none },
    { item_key: 'b', number: 3, is_container: false, target_id: 'b', mark: '2', home: 'adele', replaced_id: 'b', replaced_mark: 'before' },
  ]);
});
