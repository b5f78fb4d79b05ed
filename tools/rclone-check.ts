/**
 * Proves that rclone, unmodified, takes the simulator for OneDrive: listing, hashes, copies both ways, renames, server-side
 * copies, deletion, quota and links, each compared with the simulator's own store. `node tools/rclone-check.ts`; without
 * rclone on the machine it says so and succeeds.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { startSimulator, type Simulator, type TruthRecord } from '@holdfast/m365-simulator';

const run = promisify(execFile);

interface Listed {
  readonly Path: string;
  readonly Size: number;
  readonly IsDir: boolean;
  readonly Hashes?: Readonly<Record<string, string>>;
}

interface Setting {
  readonly simulator: Simulator;
  readonly folder: string;
  readonly driveId: string;
  readonly rclone: (...args: readonly string[]) => Promise<string>;
}

async function isInstalled(): Promise<boolean> {
  return run('rclone', ['version']).then(
    () => true,
    () => false,
  );
}

function sha256(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function configOf(simulator: Simulator, driveId: string): string {
  const [tenant] = simulator.tenants;
  const token = { access_token: 'x', token_type: 'Bearer', refresh_token: tenant?.refreshToken, expiry: '2020-01-01T00:00:00Z' };
  const lines = ['[sim]', 'type = onedrive', `client_id = ${tenant?.clientId ?? ''}`, `client_secret = ${tenant?.clientSecret ?? ''}`];
  return [...lines, `drive_id = ${driveId}`, 'drive_type = business', `token = ${JSON.stringify(token)}`, ''].join('\n');
}

/** The files of the drive as the simulator has them, by path. */
async function truthOf({ simulator, driveId }: Setting): Promise<Map<string, TruthRecord>> {
  const address = `${simulator.admin}/tenants/${simulator.tenants[0]?.tenantId ?? ''}/truth/drives/${driveId}`;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The ground truth answered ${response.status}.`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  const records = lines.map((line) => JSON.parse(line) as TruthRecord);
  return new Map(records.map((record) => [record.path.normalize('NFC'), record]));
}

async function localFiles(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(relative(folder, path).normalize('NFC'), sha256(await readFile(path)));
  }
  return found;
}

function expectEqual(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(wanted)) return;
  throw new Error(`${what}: found ${JSON.stringify(found)?.slice(0, 2000)}, wanted ${JSON.stringify(wanted)?.slice(0, 2000)}`);
}

function sorted(entries: Iterable<readonly unknown[]>): string[] {
  return [...entries].map((entry) => JSON.stringify(entry)).sort();
}

async function listsWithHashes(setting: Setting): Promise<void> {
  const listed = JSON.parse(await setting.rclone('lsjson', '-R', '--hash', 'sim:')) as Listed[];
  const files = listed
    .filter((entry) => !entry.IsDir)
    .map((entry) => [entry.Path.normalize('NFC'), entry.Size, entry.Hashes?.['quickxor']]);
  const truth = [...(await truthOf(setting)).values()].filter((record) => record.kind === 'file');
  const hashOf = (record: TruthRecord): string => Buffer.from(record.metadata['quickXorHash'] as string, 'base64').toString('hex');
  expectEqual('lsjson', sorted(files), sorted(truth.map((record) => [record.path.normalize('NFC'), record.sizeBytes, hashOf(record)])));
}

async function copiesOut(setting: Setting): Promise<void> {
  const target = join(setting.folder, 'out');
  await setting.rclone('copy', 'sim:', target);
  const truth = [...(await truthOf(setting)).values()].filter((record) => record.kind === 'file');
  expectEqual('copy out', sorted(await localFiles(target)), sorted(truth.map((record) => [record.path.normalize('NFC'), record.sha256])));
}

async function copiesIn(setting: Setting): Promise<void> {
  const source = join(setting.folder, 'in');
  await mkdir(join(source, 'Ärger & Größe', 'deep'), { recursive: true });
  await writeFile(join(source, 'empty.txt'), '');
  await writeFile(join(source, 'small.txt'), 'hello');
  await writeFile(join(source, 'Ärger & Größe', 'deep', 'large #1 %.bin'), randomBytes(23 * 1024 * 1024 + 17));
  await setting.rclone('copy', source, 'sim:from rclone');
  await setting.rclone('check', source, 'sim:from rclone');
  const truth = await truthOf(setting);
  const stored = [...truth].filter(([path, record]) => path.startsWith('from rclone/') && record.kind === 'file');
  expectEqual(
    'copy in',
    sorted(stored.map(([path, record]) => [path.slice('from rclone/'.length), record.sha256])),
    sorted(await localFiles(source)),
  );
  await writeFile(join(source, 'small.txt'), 'hello again');
  await setting.rclone('copy', source, 'sim:from rclone');
  const changed = (await truthOf(setting)).get('from rclone/small.txt');
  expectEqual('replaced content', changed?.sha256, sha256(Buffer.from('hello again')));
}

async function changesNames(setting: Setting): Promise<void> {
  const { rclone } = setting;
  await rclone('mkdir', 'sim:new folder');
  await rclone('moveto', 'sim:from rclone/small.txt', 'sim:new folder/moved.txt');
  await rclone('copyto', 'sim:new folder/moved.txt', 'sim:new folder/copied.txt');
  expectEqual('cat', await rclone('cat', 'sim:new folder/copied.txt'), 'hello again');
  await rclone('delete', 'sim:from rclone/empty.txt');
  const truth = await truthOf(setting);
  const names = ['new folder/moved.txt', 'new folder/copied.txt', 'from rclone/small.txt', 'from rclone/empty.txt'];
  expectEqual(
    'names',
    names.map((name) => truth.has(name)),
    [true, true, false, false],
  );
}

async function asksForMore(setting: Setting): Promise<void> {
  const about = JSON.parse(await setting.rclone('about', '--json', 'sim:')) as { total: number; used: number };
  expectEqual('about', about.total > about.used && about.used > 0, true);
  const link = await setting.rclone('link', 'sim:new folder/moved.txt');
  expectEqual('link', link.startsWith('https://'), true);
}

const STEPS = { listsWithHashes, copiesOut, copiesIn, changesNames, asksForMore } as const;

async function check(): Promise<void> {
  const simulator = await startSimulator({ recipes: ['contoso'], limits: 'off', isValidating: true });
  const folder = await mkdtemp(join(tmpdir(), 'rclone-check-'));
  try {
    const [tenant] = simulator.simulation.tenants.values();
    const response = await fetch(`${simulator.admin}/tenants/${tenant?.tenantId ?? ''}/truth/drives`);
    // The last one is the OneDrive of somebody who has nothing odd in it.
    const { owners } = (await response.json()) as { readonly owners: readonly { readonly owner: string }[] };
    const driveId = owners.at(-1)?.owner ?? '';
    const config = join(folder, 'rclone.conf');
    await writeFile(config, configOf(simulator, driveId));
    // rclone asks for the state of a copy past its own settings: that request knows the authority from SSL_CERT_FILE alone.
    const env = {
      ...process.env,
      SSL_CERT_FILE: simulator.ca,
      HTTPS_PROXY: simulator.proxy,
      NO_PROXY: '',
      RCLONE_CONFIG: config,
      RCLONE_CA_CERT: simulator.ca,
    };
    const rclone = async (...args: readonly string[]): Promise<string> =>
      (await run('rclone', ['--retries=1', ...args], { env, maxBuffer: 2 ** 26 })).stdout;
    const setting: Setting = { simulator, folder, driveId, rclone };
    for (const [name, step] of Object.entries(STEPS)) {
      await step(setting);
      console.log(`rclone ${name}: equal to the store`);
    }
    const { validator } = simulator.simulation;
    if (validator && validator.violations.length > 0)
      throw new Error(`Answers contradict the metadata: ${JSON.stringify(validator.violations)}`);
    console.log(`${validator?.checked ?? 0} answers checked against the metadata, 0 invalid`);
  } finally {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

if (await isInstalled()) await check();
else console.log('rclone is not installed: not checked.');
