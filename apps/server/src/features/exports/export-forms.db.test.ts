import type { ExportFormat } from '@holdfast/contract/exports';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { OWN_DTD } from './testing/audit-standard.ts';
import { createExportGround, HASHES, MAILS, run, WORD } from './testing/export-ground.ts';

/** Exports for review tools, for tax auditors and for machines without Holdfast, read by programs of others. */
const ground = createExportGround(testDatabase(import.meta.url));
const { send, selected, exported, ended, unpacked, verified, filesIn, manifestOf, codeOf } = ground;

beforeAll(() => ground.open(), 240_000);
afterEach(() => onCrashPoint(undefined));
afterAll(() => ground.close());

async function madeAs(format: ExportFormat, name: string = format, selectionId?: string): Promise<string> {
  const one = await ended(await exported({ format, source: { kind: 'selection', selectionId: selectionId ?? (await selected()) } }));
  expect(one).toMatchObject({ status: 'successful', items: MAILS.length, failed: 0 });
  const into = await unpacked(one, name);
  expect((await verified(into))[0]).toMatch(/^The export is whole/u);
  return into;
}

/** The records of a load file, as a review tool splits them. */
function recordsOf(file: Buffer): readonly Readonly<Record<string, string>>[] {
  expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const lines = file.subarray(3).toString('utf8').split('\r\n');
  expect(lines.pop()).toBe('');
  const [names = [], ...rows] = lines.map((line) => line.split('\u0014').map((cell) => /^\u00fe(.*)\u00fe$/su.exec(cell)?.[1] ?? '?'));
  return rows.map((row) => {
    expect(row).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, at) => [name, row[at] ?? '']));
  });
}

const onDisk = (of: string, link = ''): string => path.join(of, ...link.split('\\'));

test('A28: a load file names each document with its bytes as they are kept and a file of what it says', async () => {
  const into = await madeAs('loadFile');
  const records = recordsOf(await readFile(path.join(into, 'loadfile.dat')));
  expect(records).toHaveLength(MAILS.length);
  expect(new Set(records.map((record) => record['DOCID'])).size).toBe(MAILS.length);
  const found: string[] = [];
  for (const { NATIVELINK, TEXTLINK, SHA256, DOCID } of records) {
    const native = await readFile(onDisk(into, NATIVELINK));
    expect(sha256Hex(native)).toBe(SHA256);
    expect(NATIVELINK).toBe(`.\\NATIVES\\00001\\${DOCID}.eml`);
    found.push(sha256Hex(native));
    const text = await readFile(onDisk(into, TEXTLINK));
    expect([...text.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(text.toString('utf8')).toContain(WORD);
    expect(text.toString('utf8')).toMatch(/^From: .*anna@fabrikam\.example/mu);
  }
  expect(found.sort()).toEqual(HASHES);
  expect(await filesIn(into, '.txt')).toHaveLength(MAILS.length);
}, 120_000);

const validBy = (dtd: string, of: string) => run('xmllint', ['--noout', '--dtdvalid', dtd, '--nonet', path.join(of, 'index.xml')]);

test('A28: a package for tax auditors keeps the rules of its standard, and its table lists every document with its file', async () => {
  const into = await madeAs('z3');
  const own = path.join(ground.folder, 'standard.dtd');
  await writeFile(own, OWN_DTD);
  await validBy(own, into);
  const lines = (await readFile(path.join(into, 'documents.csv'), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(MAILS.length + 1);
  expect(lines[0]).toMatch(/^Nummer,Datei,Konto/u);
  expect(lines.join('\n')).toContain('"\'=HYPERLINK(""http://evil.example"")"');
  expect(lines.slice(1).every((line) => line.includes('.eml') && line.includes(',02.11.2026,10:00:00,'))).toBe(true);
  const index = await readFile(path.join(into, 'index.xml'), 'utf8');
  expect(index).toContain('<!DOCTYPE DataSet SYSTEM "gdpdu-01-09-2004.dtd">');
  expect([...index.matchAll(/<Variable(?:PrimaryKey|Column)><Name>([^<]+)/gu)].map(([, name]) => name).join(',')).toBe(lines[0]);
  expect(await filesIn(into, '.dtd')).toEqual([]);
}, 120_000);

// Its authors have not given the definition away: whoever has it names it in TEST_AUDIT_DTD.
const official = process.env['TEST_AUDIT_DTD'];
test.skipIf(official === undefined)(
  'A28: a package for tax auditors is valid by the definition of its standard itself',
  async () => {
    await validBy(official ?? '', await madeAs('z3', 'z3-official'));
  },
  120_000,
);

test('A28: an export is searched by its own program and by sqlite3, without Holdfast', async () => {
  const into = await madeAs('searchable');
  const [file = ''] = await filesIn(path.join(into, 'search'), '.sqlite');
  const sqlite = async (query: string) => (await run('sqlite3', ['-readonly', path.join(into, 'search', file), query])).stdout.trim();
  expect(await sqlite('pragma integrity_check')).toBe('ok');
  expect(await sqlite(`select count(*) from words where words match '${WORD.toLowerCase()}'`)).toBe(String(MAILS.length));
  expect(await sqlite(`select count(*) from item`)).toBe(String(MAILS.length));
  const search = async (...given: readonly string[]) => (await run(process.execPath, [path.join(into, 'search.mjs'), ...given])).stdout;
  const hits = (await search('--json', '--limit', '500', WORD)).trimEnd().split('\n');
  const files = hits.map((line) => (JSON.parse(line) as { file: string }).file);
  expect(files.sort()).toEqual((await filesIn(into, '.eml')).sort());
  expect(await search(WORD, 'formula')).toContain('1 found.');
  expect(await search('"without a last"')).toContain('1 found.');
  expect(await search('Pfirsichkom*', '--limit', '3')).toContain(`${MAILS.length} found, 3 shown`);
  expect(await search('Pfirsichkom')).toContain('0 found.');
  expect(await search(WORD, '--from', '2026-11-03')).toContain('0 found.');
  expect(await search(WORD, '--to', '2026-11-02', '--account', 'nobody')).toContain('0 found.');
  expect(await search('--fts', 'people:fabrikam AND formula')).toContain('1 found.');
  await expect(search('--fts', 'AND')).rejects.toThrow('The query was not understood');
}, 120_000);

test('A28: an export is searched on a machine whose Node has no SQLite, by the command sqlite3', async () => {
  const into = await madeAs('searchable', 'older');
  const program = await readFile(path.join(into, 'search.mjs'), 'utf8');
  const older = path.join(into, 'older.mjs');
  await writeFile(older, program.replace("import('node:sqlite')", "import('node:no-sqlite-here')"));
  expect((await run(process.execPath, [older, WORD, 'formula'])).stdout).toContain('1 found.');
}, 120_000);

test.each(['loadFile', 'z3', 'searchable'] as const)(
  'A28: two exports of one frozen list as %s have the same files, and one that died at each step too',
  async (format) => {
    const selectionId = await selected();
    const filesOf = async (of: string) => (await manifestOf(of)).files;
    const first = await filesOf(await madeAs(format, `${format}-first`, selectionId));
    expect(await filesOf(await madeAs(format, `${format}-second`, selectionId))).toEqual(first);
    const points = [
      'export.listed-batch',
      ...(format === 'searchable' ? ['export.index-listed'] : []),
      'export.read-page',
      'export.parts-made',
      'export.papers-hashed',
    ];
    onCrashPoint((passed) => {
      if (passed === points[0]) throw new Error(`died at ${passed}`);
    });
    const begun = await exported({ format, source: { kind: 'selection', selectionId } });
    while (points.length > 0) {
      expect((await ended(begun)).status).toBe('failed');
      points.shift();
      expect((await send(`exports/${begun.exportId}/resume`, { method: 'POST' })).status).toBe(204);
    }
    const into = await unpacked(await ended(begun), `${format}-interrupted`);
    expect((await verified(into))[0]).toMatch(/^The export is whole/u);
    expect(await filesOf(into)).toEqual(first);
  },
  180_000,
);

test('a text that is read otherwise than when it was hashed ends the download, and nothing passes for whole', async () => {
  const one = await ended(await exported({ format: 'loadFile', source: { kind: 'selection', selectionId: await selected() } }));
  await ground.asSuperuser(`update export_files set sha256 = repeat('0', 64) where export_id = $1 and kind = 'text'`, [one.exportId]);
  const answer = await send(`exports/${one.exportId}/parts/1`);
  await expect(answer.arrayBuffer()).rejects.toThrow(/terminated|fetch failed/u);
  expect(await codeOf(await send(`exports/${one.exportId}/parts/2`))).toBe('404 not-found');
}, 60_000);

test.each(['loadFile', 'mbox', 'searchable'] as const)(
  'A28: what could not be read is tried again, and its history stays in errors.csv (%s)',
  async (format) => {
    const selectionId = await selected();
    const [lost = ''] = HASHES;
    const rename = (from: string, to: string) =>
      ground.asSuperuser(`update catalog_items set item_key = $2 where item_key = $1`, [from, to]);
    let isHidden = false;
    onCrashPoint(async (passed) => {
      if (passed !== 'export.listed-batch' || isHidden) return;
      isHidden = true;
      await rename(lost, `hidden ${lost}`);
    });
    const one = await ended(await exported({ format, source: { kind: 'selection', selectionId } }));
    onCrashPoint(undefined);
    await rename(`hidden ${lost}`, lost);
    expect(one).toMatchObject({ status: 'defective', failed: 1 });
    const into = await unpacked(one, `${format}-without`);
    const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/gu;
    const errorsIn = async (of: string) => {
      const [, ...lines] = (await readFile(path.join(of, 'errors.csv'), 'utf8')).trimEnd().split('\r\n');
      return lines
        .map((line) => line.split(',').slice(-3))
        .map(([code, , history = '']) => [code, history.replaceAll(TIME, 'TIME').split('; ').sort().join('; ')]);
    };
    // The item and its text are read beside each other: either may be the first that fails.
    const ofText = format === 'loadFile' ? '; TIME content.item-unknown (text)' : '';
    const history = `TIME content.item-unknown${ofText}`;
    expect(await errorsIn(into)).toEqual([['content.item-unknown', history]]);
    expect((await verified(into))[0]).toMatch(/^The export is whole/u);

    expect((await send(`exports/${one.exportId}/resume`, { method: 'POST' })).status).toBe(204);
    const again = await ended(one);
    expect(again).toMatchObject({ status: 'successful', failed: 0, items: MAILS.length });
    const whole = await unpacked(again, `${format}-again`);
    expect((await verified(whole))[0]).toMatch(/^The export is whole/u);
    expect(await errorsIn(whole)).toEqual([['', history]]);
    const { errors, files, originals } = await manifestOf(whole);
    expect(errors).toBe(0);
    expect([...files, ...originals].some(({ sha256 }) => sha256 === lost)).toBe(true);
    const indexed = files.filter(({ path: name }) => name.endsWith('.sqlite'));
    const before = (await manifestOf(into)).files.filter(({ path: name }) => name.endsWith('.sqlite'));
    expect(indexed.map(({ sha256 }) => sha256 === before[0]?.sha256)).toEqual(format === 'searchable' ? [false] : []);
    expect(await codeOf(await send(`exports/${one.exportId}/resume`, { method: 'POST' }))).toBe('409 exports.not-resumable');
  },
  120_000,
);
