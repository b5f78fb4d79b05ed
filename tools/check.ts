/**
 * `npm run check`: what must hold before any test runs. Each check is a program; this file only says
 * which, runs two at a time, shows the output of those that fail and ends with how many passed.
 */
import { checkBudgets } from './check-budgets.ts';
import { checkDocs } from './check-docs.ts';
import { checkArchitecture } from './check-architecture.ts';
import { checkNotice } from './notice.ts';
import { run, type RunOptions } from './run.ts';

interface Check {
  readonly name: string;
  /** Resolves with what is wrong, or an empty text. */
  find(options: RunOptions): Promise<string>;
}

function program(name: string, command: string, ...args: readonly string[]): Check {
  return {
    name,
    async find(options) {
      const done = await run(command, args, options);
      return done.code === 0 ? '' : done.output;
    },
  };
}

const checks: readonly Check[] = [
  program(
    'types: server, packages and tools',
    'tsc',
    '-p',
    '.',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/tsc-server.tsbuildinfo',
  ),
  program('types: portal', 'tsc', '-p', 'apps/portal', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tsc-portal.tsbuildinfo'),
  { name: 'architecture', find: checkArchitecture },
  program('lint', 'oxlint', '--type-aware', '--deny-warnings', '.'),
  program('format', 'oxfmt', '--check', '.'),
  program('dead code', 'knip', '--no-progress'),
  { name: 'budgets', find: checkBudgets },
  { name: 'docs', find: checkDocs },
  { name: 'notice', find: checkNotice },
];

/** Runs all checks, two at a time; returns how many passed, and what those found that did not. */
export async function runChecks(options: RunOptions = {}): Promise<{ passed: number; failures: readonly string[] }> {
  const waiting = [...checks];
  const failures: string[] = [];
  async function work(): Promise<void> {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const started = performance.now();
      const wrong = await check.find(options);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${wrong ? '✗' : '✓'} ${check.name} (${seconds} s)`);
      if (wrong) failures.push(`${check.name}: ${wrong}`);
      if (wrong) console.log(wrong);
    }
  }
  await Promise.all([work(), work()]);
  return { passed: checks.length - failures.length, failures };
}

if (import.meta.main) {
  const { passed, failures } = await runChecks();
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}
