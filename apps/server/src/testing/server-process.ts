import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** `main.ts` as a process of its own, as an operator meets it. */
export interface ServerProcess {
  readonly processId: number;
  /** All that it has said so far. */
  said(): string;
  /** Where it answers, once it is ready; empty for a role that does not. Fails when it ends before. */
  ready(): Promise<string>;
  /** Its exit code, once it has ended and all that it said was read. */
  readonly ended: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Ends it as a machine that loses power, unless it has ended. What it started may live on. */
  kill(): Promise<void>;
}

/** A start takes as long as the machine lets it: the test that waits has a limit of its own. */
const PATIENCE_MS = 300_000;

/** Where Node finds what it is to run, and what it has compiled before. */
const forNode = Object.fromEntries(['PATH', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]]));

/** Starts a role with nothing in its environment but these settings, and what Node itself needs. */
export function serverProcess(role: string, settings: Readonly<Record<string, string>>): ServerProcess {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [main, role], { env: { ...forNode, ...settings }, stdio });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (part: string) => (text += part));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const exited = once(child, 'exit');
  const addressIn = (): string | undefined => {
    const ready = text
      .split('\n')
      .slice(0, -1)
      .find((line) => line.includes('"event":"ready"'));
    return ready === undefined ? undefined : ((JSON.parse(ready) as { readonly address?: string }).address ?? '');
  };
  return {
    processId: child.pid ?? 0,
    said: () => text,
    ended,
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async ready() {
      await vi.waitFor(
        () => {
          if (addressIn() === undefined && child.exitCode === null) throw new Error(`not ready: ${text.slice(-1_000)}`);
        },
        { timeout: PATIENCE_MS, interval: 50 },
      );
      const address = addressIn();
      if (address === undefined) throw new Error(`The server ended: ${text.slice(-1_000)}`);
      return address;
    },
  };
}
