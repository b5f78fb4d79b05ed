/**
 * `npm test`: the checks and every kind of test against real parts, then one line that counts.
 * `--e2e` runs the browser journeys alone, `--long` the proofs with larger budgets.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPortal } from './build-portal.ts';
import { runChecks } from './check.ts';
import { root, run, type RunOptions } from './run.ts';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTestSuites: number;
  readonly success: boolean;
}

const artifacts = join(root, 'artifacts');

async function reportOf(file: string): Promise<VitestReport | undefined> {
  return readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as VitestReport,
    () => undefined,
  );
}

/** One vitest run over some projects. A file that could not even be loaded counts as a failure. */
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
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const failed =
    report.numFailedTests > 0 ? report.numFailedTests : done.code === 0 && report.success ? 0 : Math.max(1, report.numFailedTestSuites);
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests };
}

/** The checks and the portal's components. They ask for no time and so take what the browser journeys leave of the machine. */
async function besideJourneys(): Promise<Counts[]> {
  const options: RunOptions = { isBeside: true };
  return [{ ...(await runChecks(options)), skipped: 0 }, await vitest(['portal'], options)];
}

async function stages(only: 'all' | 'e2e' | 'long'): Promise<Counts[]> {
  if (only === 'long') return [await vitest(['long'])];
  // First of all: the size budget of the portal is measured on what was built.
  await buildPortal();
  if (only === 'e2e') return [await vitest(['e2e'])];
  const alone = await vitest(['unit', 'database']);
  const [journeys, beside] = await Promise.all([vitest(['e2e']), besideJourneys()]);
  return [alone, journeys, ...beside];
}

await mkdir(artifacts, { recursive: true });
const mode = process.argv.includes('--long') ? 'long' : process.argv.includes('--e2e') ? 'e2e' : 'all';
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
for (const counts of await stages(mode)) {
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
}
if (total.skipped > 0) console.log(`Skipped ${total.skipped}: they need a corpus or an object store that is not here.`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
