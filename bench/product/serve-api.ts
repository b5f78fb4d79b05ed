/** The product's API in a process of its own, over a fresh data folder, as the benchmarks of its front door need it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

/** The account that exists from the start. */
export const owner = { email: 'bench@example.com', password: 'Bench-Password-2026!' };

export interface Served {
  readonly address: string;
  /** Ends the process and deletes its data. */
  stop(): Promise<void>;
}

/** Starts the role `api` on a free port with these settings, in its own profile with every limit on. */
export async function serveApi(settings: Readonly<Record<string, string>>): Promise<Served> {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-bench-'));
  const child = spawn(process.execPath, ['apps/server/src/main.ts', 'api'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      HOLDFAST_DATA_DIR: path.join(folder, 'data'),
      HOLDFAST_PORT: '0',
      HOLDFAST_OWNER_EMAIL: owner.email,
      HOLDFAST_OWNER_PASSWORD: owner.password,
      ...settings,
    },
  });
  const ended = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error(`The server ended: ${text.slice(-500)}`)));
    child.stdout.on('data', function read(data: Buffer) {
      text = `${text}${data.toString()}`.slice(-10_000);
      const found = /"address":"(http[^"]+)"/.exec(text)?.[1];
      if (found === undefined) return;
      // What it logs from here on is thrown away unread: reading it would take time from what is measured.
      child.stdout.off('data', read).resume();
      resolve(found);
    });
  });
  return {
    address,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
