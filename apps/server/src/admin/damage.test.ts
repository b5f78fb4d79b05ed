import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Resource } from '@holdfast/engine';
import { createRig, type Rig } from '@holdfast/engine/testing/rig';
import { unzip } from '@holdfast/engine/testing/unzip';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { silentLogger } from '@holdfast/foundation/logger';
import { createFilesystemBlobStore } from '@holdfast/vault';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../settings/config.ts';
import { HARMS, harmObject, withDamagedIndex, type Harm } from '../testing/harms.ts';
import { INCOMPLETE } from './command.ts';
import { runCommand } from './run-command.ts';

let base = '';
let mailboxId = '';
let driveId = '';
/** What an undamaged vault gives, by archive. */
let whole: ReadonlyMap<string, ReadonlySet<string>> = new Map();
let commits = 0;
/** The commit that has the full state of the mailbox. */
let restatedBy = '';
/** Object names by kind, each with another one of its kind. */
const names = new Map<string, readonly [string, string]>();

const inBase = (...parts: string[]): string => path.join(base, ...parts);

/** Names of files below a folder of a vault. */
function filesIn(vault: string, folder: string): string[] {
  const all = readdirSync(inBase(vault, folder), { recursive: true, encoding: 'utf8' });
  return all
    .map((name) => path.join(folder, name))
    .filter((name) => statSync(inBase(vault, name)).isFile())
    .toSorted();
}

interface Run {
  readonly code: number;
  readonly lines: readonly string[];
}

async function admin(...args: readonly string[]): Promise<Run> {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const code = await runCommand(readConfig({}), silentLogger, args, { threads: 0 });
    return { code, lines: print.mock.calls.map((call) => String(call[0])) };
  } finally {
    print.mockRestore();
  }
}

/** What a verification printed, and the code with which it failed. */
async function verdict(...args: readonly string[]): Promise<{ readonly code: string; readonly lines: string }> {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const code = await runCommand(readConfig({}), silentLogger, args, { threads: 0 }).then(
    () => 'whole',
    (error: unknown) => String((error as { code?: unknown }).code),
  );
  const lines = print.mock.calls.map((call) => String(call[0])).join('\n');
  print.mockRestore();
  return { code, lines };
}

/** Hashes of everything in the archives of an output folder, by kind of resource. */
function contentsOf(output: string): Map<string, ReadonlySet<string>> {
  return new Map(
    readdirSync(inBase(output)).map((kind) => {
      const archives = readdirSync(inBase(output, kind)).map((name) => unzip(readFileSync(inBase(output, kind, name))));
      return [kind, new Set(archives.flatMap((archive) => Array.from(archive.values(), sha256Hex)))];
    }),
  );
}

async function restored(vault: string, ...more: readonly string[]): Promise<Run & { readonly contents: ReturnType<typeof contentsOf> }> {
  const output = mkdtempSync(inBase('out-'));
  const run = await admin('restore', '--vault', inBase(vault), '--key-file', inBase('master.key'), '--output', output, ...more);
  const contents = contentsOf(path.basename(output));
  rmSync(output, { recursive: true });
  return { ...run, contents };
}

const bySize = (one: string, other: string): number => statSync(inBase('vault', other)).size - statSync(inBase('vault', one)).size;

/** Finds an object of each kind, and another one: `key` is the folder of the mailbox's journal. */
function nameObjects(key: string): void {
  const journal = filesIn('vault', key);
  const segments = journal.filter((name) => !name.endsWith('.marker'));
  const markers = journal.filter((name) => name.endsWith('.marker'));
  const packs = filesIn('vault', 'packs').toSorted(bySize);
  const evidence = filesIn('vault', 'evidence');
  const at = (list: readonly string[], one: number, other: number): readonly [string, string] => [list.at(one) ?? '', list.at(other) ?? ''];
  names
    .set('first segment', at(segments, 0, 1))
    .set('middle segment', at(segments, 1, 2))
    .set('newest segment', at(segments, -1, -2))
    .set('marker', at(markers, 0, 1))
    .set('newest marker', at(markers, -1, -2))
    .set('evidence', at(evidence, 0, 1))
    .set('header', ['vault.json', 'vault.copy.json'])
    .set('copy of the header', ['vault.copy.json', 'vault.json'])
    .set('copy of a segment', at(filesIn('vault', key.replace('journal', 'copies')), 0, 1))
    .set('pack', at(packs, 0, 1))
    .set('pack index', at(packs, 0, 1));
  commits = segments.length;
}

/**
 * Lets a commit go missing with its copy, so that the next one writes the full state of the mailbox, and puts
 * it back. Answers the pack with that state alone.
 */
async function restate(rig: Rig, mailbox: Resource, key: string): Promise<string> {
  const packs = filesIn('vault', 'packs');
  const before = filesIn('vault', key);
  const lost = before.filter((name) => !name.endsWith('.marker'))[1] ?? '';
  const both = [lost, lost.replace('journal', 'copies')].map((name) => inBase('vault', name));
  const kept = both.map((file) => readFileSync(file));
  for (const file of both) rmSync(file);
  await rig.backup(mailbox);
  for (const [at, file] of both.entries()) writeFileSync(file, kept[at] ?? '');
  const states = filesIn('vault', 'packs').filter((name) => !packs.includes(name));
  expect(states).toHaveLength(1);
  restatedBy = filesIn('vault', key).find((name) => !before.includes(name) && !name.endsWith('.marker')) ?? '';
  return states[0] ?? '';
}

/** A mailbox in several commits and a OneDrive of the same person, and two pieces of evidence. */
beforeAll(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'holdfast-damage-'));
  writeFileSync(inBase('master.key'), Buffer.alloc(32, 7).toString('base64'));
  const rig = await createRig({ store: createFilesystemBlobStore({ root: inBase('vault'), sync: false }) });
  cpSync(inBase('vault'), inBase('older'), { recursive: true });
  await rig.vault.maintenance.rotateMasterKey();
  const [person] = (await Array.fromAsync(rig.graph.directory.users())).filter(({ userType }) => userType === 'Member');
  const mailbox = rig.resource('mailbox', person?.id ?? '', 'Ada');
  const drive = rig.resource('drive', person?.id ?? '', 'Ada');
  [mailboxId, driveId] = [mailbox.id, drive.id];
  await rig.backup(mailbox, { checkpoint: { items: 5, bytes: 1024 * 1024 } });
  const key = path.dirname(filesIn('vault', 'journal')[0] ?? '');
  const [largest = '', second = ''] = filesIn('vault', 'packs').toSorted(bySize);
  names.set('pack of the mailbox', [largest, second]);
  await rig.backup(drive);
  names.set('full state', [await restate(rig, mailbox, key), largest]);
  for (let round = 0; round < 2; round += 1) await rig.vault.maintenance.verify({ depth: 'data' });
  await rig.close();
  nameObjects(key);
  whole = (await restored('vault')).contents;
}, 120_000);
afterAll(() => rmSync(base, { recursive: true }));

/** A copy of the vault with one object damaged. */
function damaged(kind: string, way: Harm): string {
  const vault = mkdtempSync(inBase('damaged-'));
  cpSync(inBase('vault'), vault, { recursive: true });
  const found = names.get(kind) ?? ['', ''];
  if (kind === 'pack index') {
    const [pack, other] = found.map((name) => path.join(vault, name)) as [string, string];
    writeFileSync(pack, withDamagedIndex(readFileSync(pack), readFileSync(other), way));
  } else harmObject(vault, found, way, kind.includes('header') ? inBase('older', found[0]) : undefined);
  return path.basename(vault);
}

const options = (vault: string): readonly string[] => ['--folder', inBase(vault), '--key-file', inBase('master.key')];

/** What an undamaged vault gives of the OneDrive alone. */
const driveAlone = (): ReadonlyMap<string, unknown> => new Map([['drive', whole.get('drive')]]);

test('an undamaged vault gives everything', async () => {
  expect(commits).toBeGreaterThan(3);
  expect([...whole.keys()].toSorted()).toEqual(['drive', 'mailbox']);
  expect(await restored('vault')).toMatchObject({ code: 0 });
});

const costless: readonly [string, Harm][] = [
  'first segment',
  'middle segment',
  'newest segment',
  'copy of a segment',
  'marker',
  'newest marker',
  'evidence',
  'header',
  'copy of the header',
  'full state',
]
  .flatMap((kind) => HARMS.map((way) => [kind, way] as [string, Harm]))
  // The other half of that swap is a pack with contents, which has rows of its own.
  .filter(([kind, way]) => kind !== 'full state' || way !== 'swap');

/**
 * What a report calls the damage: the object, or the commit whose full state is missing with its pack. Nothing is
 * called damaged that is as it may be: headers that are alike, and a newest commit without its marker, as a crash
 * leaves it.
 */
function calledBy(kind: string, way: Harm): string {
  if (kind === 'full state' && way === 'delete') return `${restatedBy}: Packs that hold parts of it are damaged`;
  const isAllowed = (kind === 'newest marker' && way === 'delete') || (kind.includes('header') && way === 'swap');
  return isAllowed ? '' : (names.get(kind)?.[0] ?? 'no object');
}

/** Verifies at the console, which fails and calls the damage by name; without a name the vault is whole. */
async function expectNoticed(vault: string, called: string): Promise<void> {
  const { code, lines } = await verdict('vault', 'verify', ...options(vault));
  expect([code, lines], called).toEqual([called === '' ? 'whole' : 'vault.damaged', expect.stringContaining(called)]);
}

/** Repairs at the console, which says of the damage what became of it, and of an undamaged vault nothing. */
async function expectRepaired(vault: string, called: string): Promise<void> {
  const { lines } = await admin('vault', 'repair', ...options(vault));
  expect(lines.at(-1), called).toBe('The vault is whole.');
  const said = lines.filter((line) => /^(?:repaired|given up): /u.test(line)).join('\n');
  const isSaid = called === '' ? said === '' : said.includes(called.split(': ')[0] ?? '');
  expect(isSaid, `${called} in ${said}`).toBe(true);
}

test.each(costless)('a damaged %s (%s) is noticed and costs nothing, and a repair makes the vault whole', async (kind, way) => {
  const vault = damaged(kind, way);
  await expectNoticed(vault, calledBy(kind, way));
  const list = await admin('vault', 'ls', ...options(vault));
  expect(list.code).toBe(0);
  expect(new Set(list.lines.map((line) => line.split('\t')[0]))).toEqual(new Set([mailboxId, driveId]));
  const all = await restored(vault);
  expect(all.contents).toEqual(whole);
  expect(all).toMatchObject({ code: 0 });
  expect(await restored(vault, '--resource', driveId)).toMatchObject({ code: 0, contents: driveAlone() });
  await expectRepaired(vault, calledBy(kind, way));
});

/** A vault without the commits before the full state, and without their copies. */
function withoutCommits(vault: string): string {
  const segments = filesIn(vault, path.dirname(restatedBy)).filter((name) => name < restatedBy && !name.endsWith('.marker'));
  for (const name of segments.flatMap((one) => [one, one.replace('journal', 'copies')])) rmSync(inBase(vault, name));
  return vault;
}

test('a full state gives the whole mailbox when the commits before it are lost', async () => {
  cpSync(inBase('vault'), inBase('state-alone'), { recursive: true });
  const mailbox = new Map([['mailbox', whole.get('mailbox')]]);
  expect(await restored(withoutCommits('state-alone'), '--resource', mailboxId)).toMatchObject({ code: 0, contents: mailbox });
});

test.each(HARMS)('a damaged full state (%s) of which nothing else is left is named, and costs the OneDrive nothing', async (way) => {
  const vault = withoutCommits(damaged('full state', way));
  const mailbox = await restored(vault, '--resource', mailboxId);
  expect(mailbox.code).toBe(INCOMPLETE);
  expect(mailbox.lines.join('\n')).toMatch(
    /^incomplete: mailbox Ada \(commits 1, 2, .* are lost; items changed there are missing or outdated\)$/m,
  );
  expect(await restored(vault, '--resource', driveId)).toMatchObject({ code: 0, contents: driveAlone() });
});

test.each(HARMS)('a damaged index of a pack (%s) is noticed and costs nothing: frames are found by their heads', async (way) => {
  const vault = damaged('pack index', way);
  await expectNoticed(vault, calledBy('pack index', way));
  expect(await admin('vault', 'ls', ...options(vault))).toMatchObject({ code: 0 });
  const all = await restored(vault);
  expect(all.contents).toEqual(whole);
  expect(all).toMatchObject({ code: 0 });
  await expectRepaired(vault, calledBy('pack index', way));
});

/** Of what costs nothing everybody gets everything; a pack takes something away, but from nobody else. */
test.each(HARMS)('a damaged pack of a mailbox (%s) costs a restore of something else nothing', async (way) => {
  const vault = damaged('pack of the mailbox', way);
  expect(await restored(vault, '--resource', driveId)).toMatchObject({ code: 0, contents: driveAlone() });
});

test.each(HARMS)('of a damaged pack (%s) everything that does not depend on it is given, and the rest is named', async (way) => {
  const vault = damaged('pack', way);
  expect(await admin('vault', 'ls', ...options(vault))).toMatchObject({ code: 0 });
  const all = await restored(vault);
  const told = all.lines.filter((line) => line.startsWith('not restored: '));
  expect(told.length).toBeGreaterThan(0);
  expect(all.code).toBe(INCOMPLETE);
  expect(all.lines.at(-1)).toMatch(new RegExp(`${told.length} things could not be read; all others are there.$`));
  const given = [...all.contents.values()].reduce((sum, hashes) => sum + hashes.size, 0);
  expect(given).toBeGreaterThan(0);
  const alone = [await restored(vault, '--resource', mailboxId), await restored(vault, '--resource', driveId)];
  expect(alone.flatMap(({ lines }) => lines).filter((line) => line.startsWith('not restored: '))).toHaveLength(told.length);
});

/** What was given of that which an undamaged vault gives: without the list of what is missing, which names reasons. */
function intactOf(contents: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map([...contents].map(([kind, hashes]) => [kind, hashes.intersection(whole.get(kind) ?? new Set())]));
}

test.each(HARMS.filter((way) => way !== 'swap'))(
  'a repair of a damaged pack (%s) without a second copy says what it did and names what is lost, and all the rest stays',
  async (way) => {
    const vault = damaged('pack', way);
    const before = intactOf((await restored(vault)).contents);
    const { code, lines } = await verdict('vault', 'repair', ...options(vault));
    expect(code).toBe('vault.damaged');
    expect(lines).toMatch(/^lost: /m);
    const [name = ''] = names.get('pack') ?? [];
    // Of a pack that is gone nothing is left to be repaired.
    expect(lines.includes(`repaired: ${name} `), lines).toBe(way !== 'delete');
    expect([...before.values()].every(({ size }) => size > 0)).toBe(true);
    expect(intactOf((await restored(vault)).contents)).toEqual(before);
  },
);

test('a repair of two packs under the names of each other gives everything back', async () => {
  const vault = damaged('pack', 'swap');
  const { code, lines } = await verdict('vault', 'repair', ...options(vault));
  expect([code, lines.split('\n').at(-1)]).toEqual(['whole', 'The vault is whole.']);
  const all = await restored(vault);
  expect(all.contents).toEqual(whole);
  expect(all.code).toBe(0);
});
