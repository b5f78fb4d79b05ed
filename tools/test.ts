/**
 * `npm test`: the checks and every kind of test against real parts, then one line that counts.
 * `--e2e` runs the browser journeys alone, `--long` the proofs with larger budgets.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buildPortal } from './build-portal.ts';
import { runChecks } from './check.ts';
import { unpackChromium } from './chromium.ts';
import { root, run, type RunOptions } from './run.ts';

interface Counts {
  readonly passed: number;
  readonly skipped: number;
  /** What failed, each with its reason. */
  readonly failures: readonly string[];
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const artifacts = join(root, 'artifacts');

async function reportOf(file: string): Promise<VitestReport | undefined> {
  return readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as VitestReport,
    () => undefined,
  );
}

/** What failed in a run: its tests, files that could not even be loaded, or else the run itself. */
function failuresOf(report: VitestReport, code: number): string[] {
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${file}: ${message}`];
    return failed.map((one) => `${file}: ${one.fullName}\n${one.failureMessages.join('\n')}`);
  });
  const isGreen = code === 0 && report.success;
  return failures.length > 0 || isGreen ? failures : ['An error outside of the tests: see what was printed above.'];
}

/** One vitest run over some projects. */
async function vitest(projects: readonly string[], options: RunOptions = { show: true }): Promise<Counts> {
  const file = join(artifacts, `${projects.join('-')}.json`);
  await rm(file, { force: true });
  const done = await run(
    'vitest',
    ['run', ...projects.flatMap((name) => ['--project', name]), '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    options,
  );
  if (!options.show) console.log(done.output);
  const report = await reportOf(file);
  if (!report) return { passed: 0, skipped: 0, failures: [`The tests of ${projects.join(' and ')} did not end.`] };
  return { passed: report.numPassedTests, skipped: report.numPendingTests, failures: failuresOf(report, done.code) };
}

/** The checks ask for no time, and so they take what the journeys leave of the machine. */
async function checksBeside(): Promise<Counts> {
  const { passed, failures } = await runChecks({ isBeside: true });
  return { passed, skipped: 0, failures };
}

async function stages(only: 'all' | 'e2e' | 'long'): Promise<Counts[]> {
  if (only === 'long') return [await vitest(['long'])];
  // First of all: the size budget of the portal is measured on what was built.
  await buildPortal();
  // Once, before two browsers would do it at the same time.
  await unpackChromium();
  if (only === 'e2e') return [await vitest(['e2e']), await vitest(['e2e-own'])];
  const alone = await vitest(['unit', 'database']);
  // Those that share one product, those that have one of their own, and what has no clock.
  const [journeys, own, checks] = await Promise.all([vitest(['e2e']), vitest(['e2e-own'], {}), checksBeside()]);
  // Pages wait for what they show; beside browsers of higher priority they waited for the machine.
  return [alone, journeys, own, checks, await vitest(['portal'])];
}

await mkdir(artifacts, { recursive: true });
const mode = process.argv.includes('--long') ? 'long' : process.argv.includes('--e2e') ? 'e2e' : 'all';
const counts = await stages(mode);
const passed = counts.reduce((sum, one) => sum + one.passed, 0);
const skipped = counts.reduce((sum, one) => sum + one.skipped, 0);
const failures = counts.flatMap((one) => one.failures);
// Said again at the end: the output of a whole run is long.
for (const failure of failures) console.log(`\n✗ ${failure}`);
if (skipped > 0) console.log(`Skipped ${skipped}: they need a corpus or an object store that is not here.`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
