import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const MOST_START_MS = 60_000;

/** One role of the product as a process of its own. */
export interface RoleProcess {
  readonly name: string;
  readonly child: ChildProcess;
  /** Where it answers, for an API. */
  readonly address: string;
  /** What it has logged. */
  log(): string;
  /** Ends it as a machine that loses power, unless it has ended. */
  kill(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void;
}

/** Starts a role and waits until it says that it is ready. */
export async function startRole(
  role: 'api' | 'worker' | 'scheduler' | 'all',
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<RoleProcess> {
  const child = spawn(process.execPath, [main, role], { env: { ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  await vi.waitFor(() => expect(text).toContain('"event":"ready"'), { timeout: MOST_START_MS, interval: 100 });
  const ready = text.split('\n').find((line) => line.includes('"event":"ready"')) ?? '{}';
  const { address = '' } = JSON.parse(ready) as { address?: string };
  return {
    name,
    child,
    address,
    log: () => text,
    signal: (signal) => void child.kill(signal),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
