import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The whole product as `npm start` makes it, on data of its own: server, PostgreSQL, vault, simulator. */
export interface Product {
  readonly address: string;
  readonly email: string;
  readonly password: string;
  /** Everything the processes have printed so far. */
  readonly output: () => string;
  stop(): Promise<void>;
}

const root = path.resolve(import.meta.dirname, '../..');

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('No port.'))));
    });
  });
}

async function ready(child: ChildProcess, output: () => string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      if (output().includes('Holdfast is ready')) resolve();
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', (code) => reject(new Error(`The product ended with ${code}.\n${output()}`)));
  });
}

/** Starts the product with its demo organisation; `stop` ends every process and removes the data. */
export async function startProduct(): Promise<Product> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-e2e-'));
  const port = await freePort();
  const printed: string[] = [];
  const output = (): string => printed.join('');
  const child = spawn(process.execPath, ['tools/start.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOLDFAST_DATA_DIR: dataDir, HOLDFAST_PORT: String(port), HOLDFAST_LOG_LEVEL: 'warn' },
  });
  child.stdout.on('data', (data: Buffer) => printed.push(data.toString()));
  child.stderr.on('data', (data: Buffer) => printed.push(data.toString()));
  await ready(child, output);
  const signIn = /Sign in as (\S+) with the password (\S+)/.exec(output());
  if (signIn?.[1] === undefined || signIn[2] === undefined) throw new Error(`No way to sign in was printed.\n${output()}`);
  return {
    address: `http://127.0.0.1:${port}`,
    email: signIn[1],
    password: signIn[2],
    output,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
