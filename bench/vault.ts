/**
 * The vault beside restic and borg: the same corpus, the same machine, the same run. Figures are
 * ratios; CPU seconds stand beside wall seconds, because other work on the machine moves the latter.
 *
 * `npm run bench -- vault [--json] [--mail 20000] [--files 200]`, or over folders that are there:
 * `--mail-folder MAIL --files-folder FILES`.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createBorg } from './competitors/borg.ts';
import { measureProcess, type Measured } from './competitors/process.ts';
import { createRestic } from './competitors/restic.ts';
import { obtainCorpus } from './corpora.ts';

const MEGABYTE = 1e6;
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    mail: { type: 'string', default: '20000' },
    files: { type: 'string', default: '200' },
    'mail-folder': { type: 'string' },
    'files-folder': { type: 'string' },
  },
});

interface Figures {
  intakeSeconds?: number;
  intakeCpu?: number;
  intakePeak?: number;
  storedMail?: number;
  storedFiles?: number;
  restoreSeconds?: number;
  restoreCpu?: number;
  restorePeak?: number;
  verifySeconds?: number;
  verifyCpu?: number;
  verifyPeak?: number;
  oneMs?: number;
  oneP95Ms?: number;
  coldMs?: number;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(path.join(folder, file)).isFile());
}

function megabytesIn(folder: string): number {
  return filesIn(folder).reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0) / MEGABYTE;
}

function checkEqual(source: string, target: string): void {
  for (const file of filesIn(source)) {
    if (!readFileSync(path.join(source, file)).equals(readFileSync(path.join(target, file))))
      throw new Error(`${file} came back differently`);
  }
}

async function ours(step: string, ...args: readonly string[]): Promise<Measured & { readonly result: Record<string, number> }> {
  const script = path.join(import.meta.dirname, 'vault-run.ts');
  const env = {
    // Two arenas: the C library otherwise keeps one of its own for every thread, and what was freed in each.
    MALLOC_ARENA_MAX: '2',
    // The others are compiled too; what is measured is not the compiler.
    NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'holdfast-compile-cache'),
  };
  const done = await measureProcess(process.execPath, [script, step, ...args], env);
  if (!done) throw new Error('GNU time is not installed');
  return { ...done, result: JSON.parse(done.output.trim().split('\n').at(-1) ?? '{}') as Record<string, number> };
}

/** Every step once over one message, so that all that is run has been compiled before it is measured, wherever the cache of that lies. */
async function compileOurs(base: string): Promise<void> {
  const [root, mail] = [path.join(base, 'warm'), path.join(base, 'warm-mail', 'one')];
  for (const folder of [root, mail]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(mail, 'one.eml'), 'Subject: one\r\n\r\none\r\n');
  await ours('intake', root, path.dirname(mail));
  await ours('restore', root, path.join(base, 'warm-restored'));
  await ours('verify', root);
}

async function benchOurs(base: string, mail: string, files: string): Promise<Figures> {
  await compileOurs(base);
  const root = path.join(base, 'ours');
  mkdirSync(root, { recursive: true });
  const intake = await ours('intake', root, mail);
  const storedMail = megabytesIn(path.join(root, 'vault'));
  const target = path.join(base, 'restored-ours');
  const restore = await ours('restore', root, target);
  checkEqual(mail, target);
  rmSync(target, { recursive: true });
  const verify = await ours('verify', root);
  const { result } = await ours('one', root);
  const filesRoot = path.join(base, 'ours-files');
  mkdirSync(filesRoot, { recursive: true });
  await ours('intake', filesRoot, files);
  return {
    intakeSeconds: intake.seconds,
    intakeCpu: intake.cpuSeconds,
    intakePeak: intake.peakMegabytes,
    storedMail,
    storedFiles: megabytesIn(path.join(filesRoot, 'vault')),
    restoreSeconds: restore.seconds,
    restoreCpu: restore.cpuSeconds,
    restorePeak: restore.peakMegabytes,
    verifySeconds: verify.seconds,
    verifyCpu: verify.cpuSeconds,
    verifyPeak: verify.peakMegabytes,
    oneMs: result['p50Ms'] ?? 0,
    oneP95Ms: result['p95Ms'] ?? 0,
    coldMs: result['coldMs'] ?? 0,
  };
}

type Competitor = ReturnType<typeof createRestic> | ReturnType<typeof createBorg>;

async function benchOther(make: (folder: string) => Competitor, base: string, mail: string, files: string): Promise<Figures | undefined> {
  const folder = path.join(base, 'other');
  mkdirSync(folder, { recursive: true });
  const other = make(folder);
  if (!(await other.create())) return undefined;
  const intake = await other.backup(mail);
  const storedMail = megabytesIn(other.repository);
  const target = path.join(base, 'restored-other');
  const restore = await other.restore(target);
  rmSync(target, { recursive: true });
  const verify = await other.verify();
  const one = await other.one(path.join(mail, filesIn(mail)[7] ?? ''));
  const filesFolder = path.join(base, 'other-files');
  mkdirSync(filesFolder, { recursive: true });
  const second = make(filesFolder);
  await second.create();
  await second.backup(files);
  const storedFiles = megabytesIn(second.repository);
  rmSync(folder, { recursive: true });
  rmSync(filesFolder, { recursive: true });
  if (!intake || !restore || !verify || !one) return undefined;
  return {
    intakeSeconds: intake.seconds,
    intakeCpu: intake.cpuSeconds,
    intakePeak: intake.peakMegabytes,
    storedMail,
    storedFiles,
    restoreSeconds: restore.seconds,
    restoreCpu: restore.cpuSeconds,
    restorePeak: restore.peakMegabytes,
    verifySeconds: verify.seconds,
    verifyCpu: verify.cpuSeconds,
    verifyPeak: verify.peakMegabytes,
    oneMs: one.seconds * 1000,
  };
}

const format = (value: number | undefined, unit: string): string =>
  value === undefined ? '–' : `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ${unit}`;

function printTable(all: { readonly [name: string]: Figures | undefined }, mailMegabytes: number): void {
  const rows: readonly [string, keyof Figures, string][] = [
    ['intake, wall', 'intakeSeconds', 's'],
    ['intake, CPU', 'intakeCpu', 's'],
    ['intake, peak memory', 'intakePeak', 'MB'],
    ['stored, mail', 'storedMail', 'MB'],
    ['stored, files', 'storedFiles', 'MB'],
    ['restore, wall', 'restoreSeconds', 's'],
    ['restore, CPU', 'restoreCpu', 's'],
    ['restore, peak memory', 'restorePeak', 'MB'],
    ['verify all data, wall', 'verifySeconds', 's'],
    ['verify all data, CPU', 'verifyCpu', 's'],
    ['verify, peak memory', 'verifyPeak', 'MB'],
    ['one message', 'oneMs', 'ms'],
    ['one message, p95', 'oneP95Ms', 'ms'],
    ['one message, cold', 'coldMs', 'ms'],
  ];
  const names = Object.keys(all);
  console.log(`| ${['', ...names, 'holdfast : restic'].join(' | ')} |\n|${'---|'.repeat(names.length + 2)}`);
  for (const [label, field, unit] of rows) {
    const mine = all['holdfast']?.[field];
    const theirs = all['restic']?.[field];
    const ratio = mine !== undefined && theirs !== undefined ? (mine / theirs).toFixed(3) : '–';
    console.log(`| ${[label, ...names.map((name) => format(all[name]?.[field], unit)), ratio].join(' | ')} |`);
  }
  for (const name of names) console.log(`${name}: ${format(mailMegabytes / (all[name]?.intakeSeconds ?? Number.NaN), 'MB/s intake')}`);
}

const base = mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
const corpora = path.join(os.tmpdir(), 'holdfast-corpora');
mkdirSync(corpora, { recursive: true });
try {
  const mail = values['mail-folder'] ?? obtainCorpus(corpora, 'mail', Number(values.mail));
  const files = values['files-folder'] ?? obtainCorpus(corpora, 'files', Number(values.files));
  const figures = {
    holdfast: await benchOurs(base, mail, files),
    restic: await benchOther(createRestic, base, mail, files),
    borg: await benchOther(createBorg, base, mail, files),
  };
  const machine = `${os.cpus()[0]?.model ?? ''}, ${os.availableParallelism()} cores, load ${os.loadavg()[0]?.toFixed(1) ?? ''}`;
  const report = { machine, node: process.version, mailMegabytes: megabytesIn(mail), filesMegabytes: megabytesIn(files), figures };
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else printTable(figures, report.mailMegabytes);
  console.log(machine);
  const results = path.join(import.meta.dirname, 'results');
  mkdirSync(results, { recursive: true });
  writeFileSync(path.join(results, 'vault.json'), `${JSON.stringify(report, null, 2)}\n`);
} finally {
  rmSync(base, { recursive: true, force: true });
}
