import { parseQuery } from '@holdfast/contract/query/parse';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { createItemReader } from '@holdfast/engine';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { createPreviewer } from '@holdfast/previews';
import type { ContentRef, Vault, VaultReader } from '@holdfast/vault';
import { createDocumentReader, createScanReader } from '@holdfast/words';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createCatalog, type Vaults } from '../../storage/index.ts';
import { aGround, aResource, testIds, type Ground } from '../../testing/rows.ts';
import { createAuditInbox } from '../audit/index.ts';
import { createAuditorGround } from '../auditor-access/index.ts';
import { createCaseGround } from '../cases/index.ts';
import { createContentAccess, unlimitedReach } from '../content-access/index.ts';
import { createSearchFeature } from './feature.ts';
import { coverageOf } from './coverage.views.ts';
import { countHits } from './hits-page.views.ts';
import { createIndexMaker } from './index-maker.ts';
import { createIndexer } from './indexer.service.ts';
import { createScanPages, type ScanPages } from './scan-pages.ts';
import { createRecognition } from './recognition.service.ts';
import { createRecognitionStore, MOST_ATTEMPTS } from './recognition.store.ts';
import { createSearchIndexStore } from './search-index.store.ts';
import { placeOf } from './search-place.ts';
import { aHugePicture, aPicture, aScan } from './testing/scanned.ts';

/** Pictures and scanned documents of a drive: the real processes and the real index, over bytes that are handed out here. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const HOUR_MS = 60 * 60_000;
const PATIENT_MS = 240_000;
const items = createItemReader(systemClock);
const documents = createDocumentReader({ clock: systemClock, mostMs: PATIENT_MS });
const previewer = createPreviewer({ clock: systemClock, mostMs: PATIENT_MS, mostMb: 512 });
const reader = createScanReader({ clock: systemClock, mostMs: PATIENT_MS });
const pages = createScanPages(previewer, reader);
const store = createRecognitionStore(database);
const maker = createIndexMaker();
const kept = new Map<string, Buffer>();
let isAway = false;
/** How often a vault was opened. */
let opened = 0;
let clock = createFakeClock();
let ground: Ground;
let resourceId = '';
let sequence = 0;

const vault = {
  async readAll({ sha256 }: ContentRef) {
    const bytes = kept.get(sha256);
    if (isAway) throw new AppError('vault.storage-unavailable');
    if (!bytes) throw new AppError('vault.damaged');
    return bytes;
  },
} as Partial<VaultReader> as VaultReader;

function parts() {
  return {
    vaults: { use: (_scope, _location, work) => ((opened += 1), work({ reader: () => vault } as Vault)) } as Vaults,
    items,
    documents,
    catalogOf: () => createCatalog({ database, scope: ground.scope, locationId: ground.locationId, ids: testIds }),
    scopes: () => Promise.resolve([ground.scope]),
    clock,
    logger,
  };
}
const recognitionWith = (how: ScanPages = pages) => createRecognition({ ...parts(), maker, store, pages: how });

/** Keeps these files and reads their words, as a worker does before it has time for pictures. */
async function keep(files: Readonly<Record<string, Buffer>>): Promise<void> {
  sequence += 1;
  const put = Object.entries(files).map(([name, bytes], index) => {
    kept.set(sha256Hex(bytes), bytes);
    const ref = { sha256: sha256Hex(bytes), sizeBytes: bytes.byteLength, depth: 0, pieces: [] };
    const modifiedAt = new Date(Date.UTC(2026, 0, sequence, index)).toISOString();
    return anItem(name, { kind: 'file', name, modifiedAt, contents: [{ role: 'file', ref }] });
  });
  await parts()
    .catalogOf()
    .apply(aSegment(resourceId, sequence, { put }));
  const indexer = createIndexer({ ...parts(), maker, store: createSearchIndexStore(database) });
  while (await indexer.turn());
}

async function hits(text: string): Promise<number> {
  const { query } = parseQuery(text);
  if (!query) throw new Error(text);
  const { scope, tenantId } = ground;
  return database.within(scope, async (tx) => countHits(tx, await placeOf(tx, systemClock, { tenantId, query, reach: unlimitedReach })));
}

/** How many documents wait, were read and could not be read. */
async function counted(): Promise<readonly number[]> {
  const reach = unlimitedReach;
  const said = await database.within(ground.scope, (tx) => coverageOf(tx, { tenantId: ground.tenantId, reach }));
  expect([said.searched, said.failed]).toEqual([said.items, 0]);
  return [said.scansWaiting, said.scansRead, said.scansFailed];
}

beforeEach(async () => {
  clock = createFakeClock();
  sequence = 0;
  isAway = false;
  ground = await aGround(database);
  resourceId = await aResource(database, ground, { graphId: 'ann', name: 'Ann', kind: 'drive', workload: 'onedrive' });
});
afterAll(() => Promise.all([items, documents, maker, previewer, reader].map((one) => one.close())));

test('A18: words of a picture and of scanned pages are found once they are recognised, and not before', async () => {
  await keep({
    'photo.png': aPicture('Lieferschein für Größmann', 'Kesselanlage Süd'),
    'letter.pdf': aScan(['First page about turbines'], ['Second page: change of control', 'IBAN DE89 3704 0044 0532 0130 00']),
  });
  expect(await counted()).toEqual([2, 0, 0]);
  expect([await hits('kesselanlage'), await hits('"change of control"'), await hits('sensitive:iban')]).toEqual([0, 0, 0]);
  expect(await recognitionWith().turn()).toBe(true);
  // The newest first: the index says which one was read.
  expect(await counted()).toEqual([1, 1, 0]);
  expect([await hits('kesselanlage'), await hits('"change of control" turbines')]).toEqual([0, 1]);
  while (await recognitionWith().turn());
  expect(await counted()).toEqual([0, 2, 0]);
  expect([await hits('"für Größmann"'), await hits('kessel*'), await hits('*anlage'), await hits('sensitive:iban')]).toEqual([1, 1, 1, 1]);
  expect(await hits('"turbines second"')).toBe(1);
  const whole = await testing.asSuperuser(
    `select count(*)::int as torn from search_items item where organisation_id = '${ground.scope.organisationId}'
      and slices <> (select count(*) from search_words words where words.item_no = item.item_no)`,
  );
  expect(whole).toEqual([{ torn: 0 }]);
}, 300_000);

test('A18: a picture of huge dimensions, and one that is none, fail alone and are listed', async () => {
  await keep({
    'huge.png': aHugePicture(),
    'broken.jpg': Buffer.from('\u00ff\u00d8\u00ff nothing', 'latin1'),
    'good.png': aPicture('Turbines'),
  });
  for (let round = 0; round < MOST_ATTEMPTS; round += 1) {
    while (await recognitionWith().turn());
    await clock.advance(HOUR_MS);
  }
  expect(await counted()).toEqual([0, 1, 2]);
  expect([await hits('turbines'), await hits('partial:true'), await hits('huge')]).toEqual([1, 2, 1]);
}, 300_000);

test('A18: a document whose page takes too long is tried three times, later each time, and then has failed with its reason', async () => {
  await keep({ 'slow.png': aPicture('Slow') });
  const slow = recognitionWith({ read: () => Promise.resolve({ problem: 'too-slow' }) });
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    expect(await slow.turn()).toBe(true);
    expect([await slow.turn(), await counted()]).toEqual([false, attempt < MOST_ATTEMPTS ? [1, 0, 0] : [0, 0, 1]]);
    await clock.advance(HOUR_MS);
  }
  expect(await slow.turn()).toBe(false);
  const { organisationId } = ground.scope;
  const rows = await testing.asSuperuser(`select attempts, reason from search_scans where organisation_id = '${organisationId}'`);
  expect(rows).toEqual([{ attempts: MOST_ATTEMPTS, reason: 'too-slow' }]);
});

test('A17: what a killed worker had taken waits, is taken by nobody else for minutes, and is read afterwards', async () => {
  await keep({ 'photo.png': aPicture('Turbines') });
  const until = new Date(clock.nowMs() + 5 * 60_000);
  expect((await store.take(ground.scope, new Date(clock.nowMs()), until))?.hashes).toHaveLength(1);
  expect([await counted(), await recognitionWith().turn()]).toEqual([[1, 0, 0], false]);
  await clock.advance(HOUR_MS);
  expect([await recognitionWith().turn(), await counted(), await hits('turbines')]).toEqual([true, [0, 1, 0], 1]);
}, 300_000);

test('A17: a document that ends its worker each time has failed after the third', async () => {
  await keep({ 'poison.png': aPicture('Poison') });
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const now = new Date(clock.nowMs());
    expect(await store.take(ground.scope, now, now)).toBeDefined();
    await clock.advance(1_000);
  }
  expect([await recognitionWith().turn(), await counted()]).toEqual([false, [0, 0, 1]]);
});

test('a worker that stops, and a store that is away, cost no attempt', async () => {
  await keep({ 'photo.png': aPicture('Turbines') });
  const stopping = new AbortController();
  const stopped = recognitionWith({
    async read(_bytes, isWanted) {
      stopping.abort();
      return (await isWanted()) ? { text: 'never' } : 'stopped';
    },
  });
  await stopped.turn(stopping.signal);
  isAway = true;
  expect(await recognitionWith().turn()).toBe(false);
  const { organisationId } = ground.scope;
  expect(
    await testing.asSuperuser(`select state, attempts, taken_until from search_scans where organisation_id = '${organisationId}'`),
  ).toEqual([{ state: 'waiting', attempts: 0, taken_until: null }]);
});

test('a copy of a document that was recognised is not recognised again', async () => {
  const photo = aPicture('Turbines');
  await keep({ 'photo.png': photo });
  let times = 0;
  const once = recognitionWith({ read: () => Promise.resolve({ text: `turbines ${(times += 1)}` }) });
  await once.turn();
  await keep({ 'copy.png': photo });
  expect([await counted(), await once.turn(), await counted(), times]).toEqual([[1, 1, 0], true, [0, 2, 0], 1]);
  expect(await hits('"turbines 1"')).toBe(2);
});

test('a document that is recognised after another of its item adds its words and numbers to those of the other', async () => {
  const photos = [aPicture('First'), aPicture('Second')];
  const hashes = photos.map((photo) => sha256Hex(photo));
  for (const photo of photos) kept.set(sha256Hex(photo), photo);
  const contents = photos.map((photo, index) => {
    const ref = { sha256: sha256Hex(photo), sizeBytes: photo.byteLength, depth: 0, pieces: [] };
    return { role: 'attachment' as const, label: `photo ${index}.png`, ref };
  });
  sequence += 1;
  await parts()
    .catalogOf()
    .apply(aSegment(resourceId, sequence, { put: [anItem('event', { kind: 'event', contents })] }));
  const indexer = createIndexer({ ...parts(), maker, store: createSearchIndexStore(database) });
  while (await indexer.turn());
  expect(await counted()).toEqual([2, 0, 0]);
  let isSlow = true;
  const texts = ['iban DE89 3704 0044 0532 0130 00', 'card 4111 1111 1111 1111'];
  const recognition = recognitionWith({
    read(bytes) {
      const index = hashes.indexOf(sha256Hex(bytes));
      return Promise.resolve(isSlow && index === 1 ? { problem: 'too-slow' } : { text: texts[index] ?? '' });
    },
  });
  await recognition.turn();
  expect([await counted(), await hits('sensitive:iban'), await hits('sensitive:card')]).toEqual([[1, 1, 0], 1, 0]);
  isSlow = false;
  await clock.advance(HOUR_MS);
  await recognition.turn();
  expect([await counted(), await hits('sensitive:iban AND sensitive:card'), await hits('iban card')]).toEqual([[0, 2, 0], 1, 1]);
});

test('recognising waits until everything that is kept has been read', async () => {
  await keep({ 'photo.png': aPicture('Turbines') });
  sequence += 1;
  await parts()
    .catalogOf()
    .apply(aSegment(resourceId, sequence, { put: [anItem('late')] }));
  expect([await recognitionWith().turn(), await counted().catch(() => 'behind')]).toEqual([false, 'behind']);
});

async function startFeature(recognisesScans: boolean) {
  const audit = createAuditInbox({ clock, ids: testIds });
  const access = createContentAccess({ clock, cases: createCaseGround({ clock }), auditors: createAuditorGround({ clock }) });
  const feature = createSearchFeature({
    ...parts(),
    database,
    ids: testIds,
    audit,
    access,
    recognisesScans,
    notify: () => Promise.resolve(),
  });
  onTestFinished(() => feature.close?.());
  return feature.start?.worker?.();
}

test('A18: nothing is taken, and so no process is started, unless recognition is turned on', async () => {
  await keep({ 'photo.png': aPicture('Turbines') });
  const before = opened;
  const stopOff = await startFeature(false);
  await clock.advance(HOUR_MS);
  await stopOff?.();
  expect([opened - before, await counted()]).toEqual([0, [1, 0, 0]]);
  const stopOn = await startFeature(true);
  // Its first look, and no time for what it asks then to take too long.
  await clock.advance(16_000);
  await expect.poll(counted, { timeout: 120_000 }).toEqual([0, 1, 0]);
  await stopOn?.();
}, 180_000);

test('what another organisation recognised is not known here', async () => {
  const photo = aPicture('Turbines');
  await keep({ 'photo.png': photo });
  await recognitionWith({ read: () => Promise.resolve({ text: 'turbines' }) }).turn();
  const hash = sha256Hex(photo);
  expect((await store.texts(ground.scope, [hash])).get(hash)).toBe('turbines');
  const other = await aGround(database);
  expect((await store.texts(other.scope, [hash])).size).toBe(0);
});
