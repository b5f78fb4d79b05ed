import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const root: string = join(dirname(fileURLToPath(import.meta.url)), '..');

export interface Finished {
  readonly code: number;
  readonly output: string;
  readonly ms: number;
}

export interface RunOptions {
  readonly show?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Takes what other work leaves of the processor: it runs beside something that has a clock. */
  readonly isBeside?: boolean;
}

const LOW_PRIORITY = 10;

/** Runs a program of node_modules/.bin (or any on the PATH) and collects what it prints. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const bin = join(root, 'node_modules', '.bin');
    const child = spawn(program, args, {
      cwd: root,
      stdio: options.show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FORCE_COLOR: '0', ...options.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    });
    if (options.isBeside && child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
    const parts: string[] = [];
    child.stdout?.on('data', (part: Buffer) => parts.push(part.toString()));
    child.stderr?.on('data', (part: Buffer) => parts.push(part.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output: parts.join(''), ms: performance.now() - started }));
  });
}
