import { createSecretKey } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { catchUpCatalog } from '@holdfast/engine';
import { createMemoryCatalog } from '@holdfast/engine/testing/memory-catalog';
import { createRig } from '@holdfast/engine/testing/rig';
import { unzip } from '@holdfast/engine/testing/unzip';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { createFilesystemBlobStore, createMasterKeyRing, openVault } from '@holdfast/vault';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../settings/config.ts';
import { HARMS, harmObject, withDamagedIndex } from '../testing/harms.ts';
import { INCOMPLETE } from './command.ts';
import { runCommand } from './run-command.ts';

/** A mailbox with two restore points: what damage to either of them costs a restore of the other, and a catalog that is built anew. */
let base = '';
let between = '';
/** What an undamaged vault gives at either time, and what a new catalog is made of. */
let early: ReadonlySet<string> = new Set();
let late: ReadonlySet<string> = new Set();
let catalog: NewCatalog = { lost: [], points: [] };
let mailboxId = '';
/** Objects of the first point and of the second, by folder. */
let first: Readonly<Record<string, readonly string[]>> = {};
let second: Readonly<Record<string, readonly string[]>> = {};

const inBase = (...parts: string[]): string => path.join(base, ...parts);

function filesIn(vault: string): string[] {
  return readdirSync(vault, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(vault, name)).isFile())
    .toSorted();
}

function byFolder(names: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const kinds = names.map((name) => [name.endsWith('.marker') ? 'markers' : (name.split(path.sep)[0] ?? ''), name] as const);
  return Object.fromEntries([...Map.groupBy(kinds, ([kind]) => kind)].map(([kind, all]) => [kind, all.map(([, name]) => name)]));
}

beforeAll(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'holdfast-in-time-'));
  writeFileSync(inBase('master.key'), Buffer.alloc(32, 7).toString('base64'));
  const rig = await createRig({ store: createFilesystemBlobStore({ root: inBase('vault'), sync: false }) });
  cpSync(inBase('vault'), inBase('older'), { recursive: true });
  await rig.vault.maintenance.rotateMasterKey();
  const [person] = (await Array.fromAsync(rig.graph.directory.users())).filter(({ userType }) => userType === 'Member');
  const mailbox = rig.resource('mailbox', person?.id ?? '', 'Ada');
  mailboxId = mailbox.id;
  const checkpoint = { items: 5, bytes: 1024 * 1024 };
  await rig.backup(mailbox, { checkpoint });
  const before = filesIn(inBase('vault'));
  between = (await rig.vault.journal(mailbox.id).head())?.at ?? '';
  // Times in journals are whole milliseconds: the second point is later than the first.
  while (systemClock.nowMs() <= Date.parse(between)) await systemClock.sleep(1);
  for (let mail = 0; mail < 8; mail += 1) rig.act('mail.deliver', { user: mailbox.graphId, subject: `Later ${mail}` });
  await rig.backup(mailbox, { checkpoint });
  for (let round = 0; round < 2; round += 1) await rig.vault.maintenance.verify({ depth: 'data' });
  await rig.close();
  first = byFolder(before);
  second = byFolder(filesIn(inBase('vault')).filter((name) => !before.includes(name)));
  early = (await restored(inBase('vault'), '--time', between)).contents;
  late = (await restored(inBase('vault'))).contents;
  catalog = await catalogOf(inBase('vault'));
}, 120_000);
afterAll(() => rmSync(base, { recursive: true }));

interface Given {
  readonly code: number;
  readonly lines: readonly string[];
  /** Hashes of everything in the archive. */
  readonly contents: ReadonlySet<string>;
}

async function restored(vault: string, ...more: readonly string[]): Promise<Given> {
  const output = mkdtempSync(inBase('out-'));
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const line = ['restore', '--vault', vault, '--key-file', inBase('master.key'), '--output', output, ...more];
    const code = await runCommand(readConfig({}), silentLogger, line, { threads: 0 });
    const archives = filesIn(output).map((name) => unzip(readFileSync(path.join(output, name))));
    const contents = new Set(archives.flatMap((archive) => Array.from(archive.values(), sha256Hex)));
    return { code, lines: print.mock.calls.map((call) => String(call[0])), contents };
  } finally {
    print.mockRestore();
    rmSync(output, { recursive: true });
  }
}

interface NewCatalog {
  readonly lost: readonly number[];
  /** Every point with all that it holds. */
  readonly points: readonly string[];
}

/** A new catalog of the mailbox, made as `rebuild-catalog` makes it. */
async function catalogOf(root: string): Promise<NewCatalog> {
  const ids = createIds(systemClock, secureRandom);
  const keyRing = createMasterKeyRing({ current: 'test', keys: { test: createSecretKey(Buffer.alloc(32, 7)) } });
  const store = createFilesystemBlobStore({ root, sync: false });
  const vault = await openVault({ store, keyRing, clock: systemClock, ids, logger: silentLogger, threads: 0 });
  const catalog = createMemoryCatalog();
  const { lost } = await catchUpCatalog(vault.journal(mailboxId), catalog);
  const points: string[] = [];
  for (const point of await catalog.points(mailboxId)) {
    const items = await Array.fromAsync(catalog.items(mailboxId, point.sequence));
    points.push(JSON.stringify({ point, items }));
  }
  await vault.close();
  return { lost, points };
}

/** A copy of the vault with something done to some objects of it. */
function damaged(names: readonly string[], harm: (file: string) => void): string {
  const vault = mkdtempSync(inBase('damaged-'));
  cpSync(inBase('vault'), vault, { recursive: true });
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) harm(path.join(vault, name));
  return vault;
}

function flip(file: string): void {
  const data = readFileSync(file);
  const at = Math.floor(data.byteLength * 0.4);
  data[at] = (data[at] ?? 0) ^ 4;
  writeFileSync(file, data);
}
const ways = { flip, delete: (file: string) => rmSync(file), empty: (file: string) => writeFileSync(file, '') } as const;

const parts = ['journal', 'copies', 'markers'] as const;
const cells = (['first', 'second'] as const).flatMap((point) =>
  parts.flatMap((part) => (Object.keys(ways) as (keyof typeof ways)[]).map((way) => [part, point, way] as const)),
);

test('both points give different things, and the second has objects of its own', () => {
  expect(early.size).toBeGreaterThan(0);
  expect(catalog).toMatchObject({ lost: [], points: [expect.any(String), expect.any(String)] });
  expect([...late].filter((hash) => !early.has(hash)).length).toBeGreaterThanOrEqual(8);
  for (const part of [...parts, 'packs']) expect(second[part]?.length, part).toBeGreaterThan(0);
});

test.each(cells)(
  'all %s of the %s point (%s): before and after it everything is given, and a new catalog is whole',
  async (part, point, way) => {
    const vault = damaged((point === 'first' ? first : second)[part] ?? [], ways[way]);
    expect(await restored(vault, '--time', between)).toMatchObject({ code: 0, contents: early });
    expect(await restored(vault)).toMatchObject({ code: 0, contents: late });
    expect(await catalogOf(vault)).toEqual(catalog);
  },
);

/** Single objects by kind, each with another one. */
const singles: Readonly<Record<string, () => readonly (string | undefined)[]>> = {
  'the first segment': () => first['journal'] ?? [],
  'the newest segment': () => second['journal']?.toReversed() ?? [],
  'the copy of a segment': () => first['copies'] ?? [],
  'a marker': () => first['markers'] ?? [],
  'the newest marker': () => second['markers']?.toReversed() ?? [],
  'the header': () => ['vault.json', 'vault.copy.json'],
  'the copy of the header': () => ['vault.copy.json', 'vault.json'],
  'an evidence': () => second['evidence'] ?? [],
  'the index of a pack': () => [...(first['packs'] ?? []), ...(second['packs'] ?? [])],
};

test.each(Object.keys(singles))(
  '%s: whatever is done to it, before and after it everything is given, and a new catalog is whole',
  async (kind) => {
    const [name = '', peer = ''] = singles[kind]?.() ?? [];
    expect([existsSync(inBase('vault', name)), existsSync(inBase('vault', peer)), name === peer]).toEqual([true, true, false]);
    for (const way of HARMS) {
      const vault = damaged([name], (file) => {
        const root = file.slice(0, -name.length);
        if (kind !== 'the index of a pack')
          harmObject(root, [name, peer], way, kind.includes('header') ? inBase('older', name) : undefined);
        else writeFileSync(file, withDamagedIndex(readFileSync(file), readFileSync(path.join(root, peer)), way));
      });
      expect(await restored(vault, '--time', between), way).toMatchObject({ code: 0, contents: early });
      expect(await restored(vault), way).toMatchObject({ code: 0, contents: late });
      expect(await catalogOf(vault), way).toEqual(catalog);
    }
  },
);

test.each(Object.keys(ways) as (keyof typeof ways)[])(
  'damaged packs of the second point (%s) cost nothing before it, and are named after it',
  async (way) => {
    const vault = damaged(second['packs'] ?? [], ways[way]);
    expect(await restored(vault, '--time', between)).toMatchObject({ code: 0, contents: early });
    const after = await restored(vault);
    expect(after.code).toBe(INCOMPLETE);
    expect(after.lines.some((line) => line.startsWith('not restored: '))).toBe(true);
    // Apart from the note that it is incomplete, the second point holds only items that an undamaged vault has, too.
    expect([...after.contents].filter((hash) => early.has(hash)).length).toBeGreaterThan(0);
  },
);

test('of commits of the second point that are lost with their copies the first point is given whole, and what is lost is named', async () => {
  const vault = damaged([...(second['journal'] ?? []), ...(second['copies'] ?? [])], ways.delete);
  // Nobody can tell any more whether a lost commit was made before that time: this is said, too.
  for (const time of [['--time', between], []]) {
    const given = await restored(vault, ...time);
    expect(given).toMatchObject({ code: INCOMPLETE, contents: early });
    expect(given.lines.join('\n')).toMatch(/commit/);
  }
  const rebuilt = await catalogOf(vault);
  expect(rebuilt.lost.length).toBeGreaterThan(0);
  expect(rebuilt.points).toEqual(catalog.points.slice(0, 1));
});

test('commits of the first point that are lost with their copies are named, before it and after it', async () => {
  const vault = damaged([...(first['journal'] ?? []).slice(0, 1), ...(first['copies'] ?? []).slice(0, 1)], ways.delete);
  for (const time of [['--time', between], []]) {
    const given = await restored(vault, ...time);
    expect(given.code).toBe(INCOMPLETE);
    expect(given.lines.join('\n')).toMatch(/commit/);
  }
});
