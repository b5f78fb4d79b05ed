import { testDatabase } from '@holdfast/database/testing/test-database';
import { silentLogger } from '@holdfast/foundation/logger';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCommand } from '../../admin/run-command.ts';
import { withVault } from '../../admin/vault-command.ts';
import { readConfig } from '../../settings/config.ts';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { HARMS, harmObject, withDamagedIndex } from '../../testing/harms.ts';
import { uploadDocument } from '../documents/testing/upload.ts';
import { act, connectSimulated, type RunRow, type SimulatedTenant } from '../../testing/simulated-tenant.ts';

/**
 * Everything that can be done to a vault behind the product's back, and where people are told: the run, the evidence,
 * the overview, the mail, and the console with a witness that was written before.
 */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let vault = '';
let mailboxes: string[] = [];
let backupJob = '';
let verifyJob = '';
let witness = '';
/** The pack with the full state of the other mailbox. */
let fullState = '';
let journal = '';
let older = '';
let olderHeads: Heads = [];
/** Where the product keeps witnesses of its own. */
let second = '';

const inFolder = (...names: string[]): string => path.join(running.folder, ...names);

beforeAll(async () => {
  second = await mkdtemp(path.join(tmpdir(), 'holdfast-witness-'));
  running = await startSimulatedServer(testing, { HOLDFAST_WITNESS_DIR: second });
  const { server, simulator } = running;
  vault = inFolder('vault');
  const owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator, testing, vault });
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const people = (directory?.users() ?? []).filter((person) => person.hasMailbox).slice(0, 2);
  mailboxes = people.map((person) => person.id);
  const users = people.map(({ id, displayName: name }) => ({ id, name }));
  backupJob = await tenant.job({ type: 'backup', name: 'Mail', source: { users } });
  verifyJob = await tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 });
  for (const name of ['Report.pdf', 'Minutes.pdf']) await uploadDocument(server, owner, name);
  await writeFile(inFolder('master.key'), Buffer.alloc(32, 1).toString('base64'));
  for (let round = 1; round <= 3; round += 1) {
    for (const user of mailboxes) act(simulator, 'mail.deliver', { user, subject: `Round ${round}` });
    await successful(backupJob);
    await successful(verifyJob);
    if (round === 2) {
      await cp(vault, (older = inFolder('older')), { recursive: true });
      olderHeads = await heads();
      // From here on the headers are others than those of the older copy.
      const given = { folder: vault, 'key-file': inFolder('master.key') };
      await withVault({ config: readConfig({}), logger: silentLogger, print: () => undefined }, given, async ({ maintenance }) => {
        await maintenance.rotateMasterKey();
      });
    }
  }
  const [first = '', other = ''] = await readdir(path.join(vault, 'journal'));
  fullState = await restate(path.join('journal', other));
  witness = inFolder('witness.json');
  await atConsole('witness', '--output', witness);
  journal = path.join('journal', first);
}, 240_000);
afterAll(async () => {
  await running.close();
  await rm(second, { recursive: true, force: true });
});

type Heads = Awaited<ReturnType<typeof testing.asSuperuser>>;

/** What the catalog knows of the ends of journals. */
const heads = (): Promise<Heads> =>
  testing.asSuperuser('select source_id, head_sequence::int, head_hash from catalog_sources order by source_id', []);

async function setHeads(all: Heads): Promise<void> {
  for (const { source_id: source, head_sequence: sequence, head_hash: hash } of all) {
    await testing.asSuperuser('update catalog_sources set head_sequence = $2, head_hash = $3 where source_id = $1', [
      source,
      sequence,
      hash,
    ]);
  }
}

/** Points beyond the ends that the catalog knows. */
const forgetPoints = () =>
  testing.asSuperuser('delete from catalog_points p using catalog_sources s where s.source_id = p.source_id and sequence > head_sequence');

/** A run that has to go well for the rest to mean anything. */
async function successful(jobId: string): Promise<void> {
  const { status, code } = await tenant.finish(jobId);
  if (status !== 'successful') throw new Error(`A run of the ground ended ${status}: ${code}.`);
}

/** Lets a commit be away with its copy while the next run writes the full state of its mailbox; answers the pack with that. */
async function restate(folder: string): Promise<string> {
  const packs = await filesIn('packs');
  const [, lost = ''] = (await filesIn(folder)).filter((name) => !name.endsWith('.marker'));
  const both = await Promise.all([lost, copiesOf(lost)].map(async (name) => ({ name, data: await readFile(path.join(vault, name)) })));
  for (const { name } of both) await rm(path.join(vault, name));
  await successful(backupJob);
  for (const { name, data } of both) await writeFile(path.join(vault, name), data);
  const states = (await filesIn('packs')).filter((name) => !packs.includes(name));
  expect(states).toHaveLength(1);
  return states[0] ?? '';
}

/** Runs a line of the console over the vault; the code of what it failed with. */
async function atConsole(name: string, ...options: readonly string[]): Promise<string> {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const line = ['vault', name, '--folder', vault, '--key-file', inFolder('master.key'), ...options];
  try {
    await runCommand(readConfig({}), silentLogger, line);
    return '';
  } catch (error) {
    return String((error as { code?: unknown }).code);
  } finally {
    print.mockRestore();
  }
}

interface Evidence {
  readonly runId: string;
  readonly state: string;
  readonly deviations: number;
  readonly findings: readonly { readonly code: string; readonly count: number }[];
}

interface Told {
  readonly run: RunRow;
  readonly evidence: Evidence | undefined;
  readonly attention: readonly string[];
  readonly isMailed: boolean;
}

/** Verifies, and looks wherever people look. */
async function told(): Promise<Told> {
  const run = await tenant.finish(verifyJob);
  const { items } = await tenant.call<{ items: Evidence[] }>(`${tenant.tenantId}/reporting/evidence`);
  const overview = await tenant.call<{ attention: { code: string }[]; lastVerification: Evidence }>(
    `${tenant.tenantId}/dashboard/overview`,
  );
  const noted = await vi.waitFor(
    async () => {
      const rows = await testing.asSuperuser(`select subject from notices where kind = 'run' and subject = $1`, [run.run_id]);
      if (run.status !== 'successful') expect(rows).toHaveLength(1);
      return rows;
    },
    { timeout: 30_000 },
  );
  const evidence = items.find((item) => item.runId === run.run_id);
  expect(overview.lastVerification).toEqual(evidence);
  return { run, evidence, attention: overview.attention.map(({ code }) => code), isMailed: noted.length > 0 };
}

/** What the damage of a cell is undone with: what it changed or took away comes back; evidence that came meanwhile stays. */
async function undone(work: () => Promise<void>): Promise<void> {
  const kept = inFolder('kept');
  await rm(kept, { recursive: true, force: true });
  await cp(vault, kept, { recursive: true });
  try {
    await work();
  } finally {
    await cp(kept, vault, { recursive: true, force: true });
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(vault, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(vault, path.join(entry.parentPath, entry.name)))
    .sort();
}

const segments = async (): Promise<string[]> => (await filesIn(journal)).filter((name) => /-[0-9a-f]{16}$/.test(name));
const copies = async (): Promise<string[]> => filesIn(copiesOf(journal));
const markers = async (): Promise<string[]> => (await filesIn(journal)).filter((name) => name.endsWith('.marker'));

const objects: Readonly<Record<string, () => Promise<readonly [string, string]>>> = {
  'the first segment': async () => [(await segments())[0] ?? '', (await segments())[1] ?? ''],
  'a segment in the middle': async () => [(await segments())[1] ?? '', (await segments())[2] ?? ''],
  'the newest segment': async () => [(await segments()).at(-1) ?? '', (await segments())[0] ?? ''],
  'the copy of a segment': async () => [(await copies())[1] ?? '', (await copies())[2] ?? ''],
  'a marker': async () => [(await markers())[1] ?? '', (await markers())[0] ?? ''],
  'the newest marker': async () => [(await markers()).at(-1) ?? '', (await markers())[0] ?? ''],
  'the header': async () => ['vault.json', (await segments())[0] ?? ''],
  'the copy of the header': async () => ['vault.copy.json', (await segments())[0] ?? ''],
  'the first evidence': async () => [(await filesIn('evidence'))[0] ?? '', (await filesIn('evidence'))[1] ?? ''],
  'the newest evidence': async () => [(await filesIn('evidence')).at(-1) ?? '', (await filesIn('evidence'))[0] ?? ''],
  'a document': async () => [(await filesIn('documents'))[0] ?? '', (await filesIn('documents'))[1] ?? ''],
  'a full state': async () => [fullState, (await filesIn('packs')).find((name) => name !== fullState) ?? ''],
  'a pack': async () => [(await filesIn('packs'))[0] ?? '', (await filesIn('packs'))[1] ?? ''],
};

async function expectTold(what: string): Promise<Told> {
  const seen = await told();
  const { run, evidence, attention, isMailed } = seen;
  expect([run.status, evidence?.state, isMailed], what).toEqual([expect.stringMatching(/^(?:defective|failed)$/), 'deviation', true]);
  expect(run.code, what).toMatch(/^vault\./);
  expect(evidence?.deviations, what).toBeGreaterThan(0);
  expect(evidence?.findings.length, what).toBeGreaterThan(0);
  expect(attention, what).toContain('evidence.deviation');
  return seen;
}

async function expectIntact(): Promise<void> {
  const { run, evidence, attention, isMailed } = await told();
  expect(run).toMatchObject({ status: 'successful', code: null, errors: 0, result: { deviations: 0, findings: [], damages: [] } });
  expect(evidence).toMatchObject({ state: 'verified', deviations: 0, findings: [] });
  expect(attention).not.toContain('evidence.deviation');
  expect(isMailed).toBe(false);
  expect(await atConsole('verify', '--witness', witness)).toBe('');
}

test.each(Object.keys(objects))(
  '%s: whatever is done to it is told wherever people look',
  async (kind) => {
    // The newest commit may lack its marker, as a crash leaves it.
    for (const how of HARMS.filter((one) => one !== 'delete' || kind !== 'the newest marker')) {
      await undone(async () => {
        const [name, peer] = (await objects[kind]?.()) ?? ['', ''];
        expect(existsSync(path.join(vault, name)), name).toBe(true);
        harmObject(vault, [name, peer], how, kind.includes('header') ? path.join(older, name) : undefined);
        // The console knows of evidence what later evidence names: of the newest nobody but the database knows, nor of documents.
        const isUnknown = ['the newest evidence', 'a document'].includes(kind) && how === 'delete';
        expect(await atConsole('verify', '--witness', witness), how).toMatch(isUnknown ? /^$/ : /^vault\./);
        const { run } = await expectTold(`${kind}, ${how}`);
        const damages = (run.result?.['damages'] ?? []) as { name: string }[];
        // A pack that is gone shows by what it held.
        const isNamed = (name.startsWith('packs') && how === 'delete') || damages.some((one) => name.startsWith(one.name));
        expect(isNamed, `${kind}, ${how}`).toBe(true);
      });
    }
    await expectIntact();
  },
  300_000,
);

test('the index of a pack: whatever is done to it is told wherever people look', async () => {
  for (const how of HARMS) {
    await undone(async () => {
      const [name = '', other = ''] = await filesIn('packs');
      const file = path.join(vault, name);
      await writeFile(file, withDamagedIndex(await readFile(file), await readFile(path.join(vault, other)), how));
      expect(await atConsole('verify', '--witness', witness), how).toBe('vault.damaged');
      const { run } = await expectTold(`index of a pack, ${how}`);
      expect(run.result?.['damages'], how).toEqual([expect.objectContaining({ name })]);
    });
  }
  await expectIntact();
}, 120_000);

test('a lost segment is told with the points and items that it takes away', async () => {
  await undone(async () => {
    const [, name = ''] = await segments();
    await rm(path.join(vault, name));
    const { evidence: saved } = await expectTold('segment that has its copy');
    expect(saved?.findings).toEqual([{ code: 'vault.damaged', count: 1 }]);
    await rm(path.join(vault, name.replace(/^journal/, 'copies')));
    const { run, evidence } = await expectTold('segment and its copy');
    expect(evidence?.findings.map(({ code }) => code)).toEqual(expect.arrayContaining(['vault.damaged', 'vault.points-lost']));
    const { items } = await tenant.call<{ items: { code: string; path: string }[] }>(
      `${tenant.tenantId}/monitoring/${run.run_id}/problems?limit=200`,
    );
    const points = items.filter(({ code }) => code === 'vault.points-lost').map((one) => Date.parse(one.path));
    expect(points.length > 0 && points.every((moment) => moment > 0)).toBe(true);
    expect(items.filter(({ code }) => code === 'vault.commit-lost').map((one) => one.path)).toContain('Round 2');
  });
  await expectIntact();
}, 60_000);

const copiesOf = (folder: string): string => folder.replace(/^journal/, 'copies');

async function without(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rm(path.join(vault, folder), { recursive: true });
}

const wholes: Readonly<Record<string, { readonly work: () => Promise<void>; readonly finding: string }>> = {
  'the journal of a mailbox is gone': { work: () => without(journal, copiesOf(journal)), finding: 'vault.journal-missing' },
  'the journal of a mailbox is gone but for its copies': { work: () => without(journal), finding: 'vault.journal-older' },
  'all packs are gone': { work: () => without('packs'), finding: 'vault.items-lost' },
  'all journals are gone': { work: () => without('journal', 'copies'), finding: 'vault.journal-missing' },
  'packs and journals are gone': { work: () => without('packs', 'journal', 'copies'), finding: 'vault.journal-missing' },
  'only the headers are left': {
    work: async () => {
      for (const name of await readdir(vault)) if (!name.endsWith('.json')) await rm(path.join(vault, name), { recursive: true });
    },
    finding: 'vault.journal-missing',
  },
  'the vault was rolled back': {
    work: async () => {
      await rm(vault, { recursive: true });
      await cp(older, vault, { recursive: true });
    },
    finding: 'vault.journal-older',
  },
  'one journal was rolled back': {
    work: async () => {
      await without(journal, copiesOf(journal));
      for (const name of [journal, copiesOf(journal)]) await cp(path.join(older, name), path.join(vault, name), { recursive: true });
    },
    finding: 'vault.journal-older',
  },
};

test.each(Object.keys(wholes))(
  '%s: it is told by name',
  async (what) => {
    await undone(async () => {
      const { work, finding } = wholes[what] ?? { work: async () => undefined, finding: '' };
      await work();
      const { evidence, run } = await expectTold(what);
      expect(evidence?.findings.map(({ code }) => code)).toContain(finding);
      expect(run.status).toBe('defective');
      expect(await atConsole('verify', '--witness', witness)).toBe('vault.damaged');
    });
    await expectIntact();
  },
  60_000,
);

test.each(['both headers are gone', 'everything is gone', 'another vault was put there'])(
  '%s: no run is called successful, and no new vault is made in its place',
  async (what) => {
    await undone(async () => {
      if (what === 'both headers are gone') for (const name of ['vault.json', 'vault.copy.json']) await rm(path.join(vault, name));
      if (what === 'everything is gone') for (const name of await readdir(vault)) await rm(path.join(vault, name), { recursive: true });
      if (what === 'another vault was put there') {
        const location = { kind: 'filesystem', name: 'Second', path: inFolder('second') };
        const { locationId } = await tenant.call<{ locationId: string }>(`${tenant.tenantId}/locations`, location);
        const [id = ''] = mailboxes;
        const source = { users: [{ id, name: 'One' }] };
        await successful(await tenant.job({ type: 'backup', name: 'Second', locationId, source }));
        await rename(vault, inFolder('aside'));
        await cp(inFolder('second'), vault, { recursive: true });
      }
      try {
        const { run } = await expectTold(what);
        expect(run.code).toMatch(/^vault\.(?:not-found|foreign)$/);
        expect(existsSync(path.join(vault, 'vault.json'))).toBe(what === 'another vault was put there');
      } finally {
        if (what === 'another vault was put there') {
          await rm(vault, { recursive: true });
          await mkdir(vault);
        }
      }
    });
    await expectIntact();
  },
  60_000,
);

test('a second place remembers what vault and catalog have both lost, and says when it can not be used', async () => {
  const [name = ''] = await readdir(second);
  expect(name).toMatch(/^[0-9a-f-]{36}\.json$/);
  const file = path.join(second, name);
  const kept = await readFile(file, 'utf8');
  const newest = await heads();
  await undone(async () => {
    await without('journal', 'copies');
    for (const folder of ['journal', 'copies']) await cp(path.join(older, folder), path.join(vault, folder), { recursive: true });
    await testing.asSuperuser('create table taken_points as select * from catalog_points where sequence > 2', []);
    await setHeads(olderHeads);
    await forgetPoints();
    try {
      const { evidence } = await expectTold('vault and catalog, both rolled back');
      expect(evidence?.findings.map(({ code }) => code)).toContain('vault.journal-older');
    } finally {
      await setHeads(newest);
      await testing.asSuperuser('insert into catalog_points select * from taken_points', []);
    }
  });
  for (const text of ['{}', kept.replace(/"sequence":\d+/, '"sequence":1')]) {
    await writeFile(file, text);
    const { evidence } = await expectTold('a witness that is not one');
    expect(evidence?.findings.map(({ code }) => code)).toEqual(['vault.witness-unusable']);
  }
  await writeFile(file, kept);
  await expectIntact();
}, 60_000);

test('a commit that the catalog has not heard of, after a restart in between, is no deviation', async () => {
  const before = await heads();
  for (const user of mailboxes) act(running.simulator, 'mail.deliver', { user, subject: 'One more' });
  expect((await tenant.finish(backupJob)).status).toBe('successful');
  expect(await heads()).not.toEqual(before);
  await setHeads(before);
  await forgetPoints();
  await expectIntact();
}, 60_000);
