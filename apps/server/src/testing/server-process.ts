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
  /** Where it answers, once it is ready. Fails when it ends before. */
  ready(): Promise<string>;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
}

/** Starts a role with nothing in its environment but these settings. */
export function serverProcess(role: string, settings: Readonly<Record<string, string>>): ServerProcess {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [main, role], { env: { PATH: process.env['PATH'] ?? '', ...settings }, stdio });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (part: string) => (text += part));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const addressIn = (): string | undefined => /"event":"ready","address":"(http[^"]+)"/.exec(text)?.[1];
  return {
    processId: child.pid ?? 0,
    said: () => text,
    ended,
    signal: (name) => void child.kill(name),
    async ready() {
      await vi.waitFor(
        () => {
          if (addressIn() === undefined && child.exitCode === null) throw new Error(`not ready: ${text.slice(-1_000)}`);
        },
        { timeout: 60_000, interval: 50 },
      );
      const address = addressIn();
      if (address === undefined) throw new Error(`The server ended: ${text.slice(-1_000)}`);
      return address;
    },
  };
}
