/**
 * `npm start`: the whole product on an embedded PostgreSQL, with a simulated Microsoft 365 beside it and
 * one organisation to try at once. `--empty` starts without the simulator and without data: the first
 * page then asks for the owner. `--watch` restarts the server when its sources change.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buildPortal } from './build-portal.ts';
import { setUpDemo, demoOrganisation, demoOwner, type SimulatedTenant } from './demo.ts';
import { root } from './run.ts';

interface SimulatorAddress {
  readonly graph: string;
  readonly login: string;
  /** Path of the certificate to trust. */
  readonly ca: string;
  readonly tenants: readonly SimulatedTenant[];
}

const isEmpty = process.argv.includes('--empty');
const isWatching = process.argv.includes('--watch');
const dataDir = path.resolve(root, process.env['HOLDFAST_DATA_DIR'] ?? '.holdfast');
const host = process.env['HOLDFAST_HOST'] ?? '127.0.0.1';
const port = process.env['HOLDFAST_PORT'] ?? '8080';
const children: ChildProcess[] = [];
let isStopping = false;

function start(args: readonly string[], env: NodeJS.ProcessEnv, stdout: 'inherit' | 'pipe'): ChildProcess {
  // A group of its own: Ctrl-C reaches this process alone, which then stops the server before the simulator.
  const child = spawn(process.execPath, [...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', stdout, 'inherit'],
    env: { ...process.env, ...env },
  });
  children.push(child);
  return child;
}

function exited(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode ?? 1);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/** Stops the server first, so that running work is handed back while Microsoft 365 still answers. */
async function stop(code: number): Promise<never> {
  if (!isStopping) {
    isStopping = true;
    for (const child of [...children].reverse()) {
      if (child.exitCode === null) child.kill('SIGTERM');
      await exited(child);
    }
  }
  process.exit(code);
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) throw new Error('The process has no output to read.');
    const lines = createInterface({ input: child.stdout });
    lines.once('line', resolve);
    child.once('exit', () => reject(new Error('The simulator ended before it was ready.')));
  });
}

async function startSimulator(): Promise<SimulatorAddress> {
  const child = start(['packages/m365-simulator/src/main.ts', '--recipe', 'contoso', '--seed', '42'], {}, 'pipe');
  return JSON.parse(await firstLine(child)) as SimulatorAddress;
}

function demoEnvironment(simulator: SimulatorAddress): NodeJS.ProcessEnv {
  return {
    HOLDFAST_GRAPH_URL: simulator.graph,
    HOLDFAST_LOGIN_URL: simulator.login,
    HOLDFAST_GRAPH_CA_FILE: simulator.ca,
    HOLDFAST_OWNER_EMAIL: demoOwner.email,
    HOLDFAST_OWNER_PASSWORD: demoOwner.password,
    HOLDFAST_OWNER_ORGANISATION: demoOrganisation,
    HOLDFAST_DEMO_EMAIL: demoOwner.email,
    HOLDFAST_DEMO_PASSWORD: demoOwner.password,
  };
}

/** Resolves when the server answers on `/readyz`; false when it ended before. */
async function isReady(server: ChildProcess, address: string): Promise<boolean> {
  while (server.exitCode === null && server.signalCode === null) {
    const answer = await fetch(`${address}/readyz`).catch(() => undefined);
    if (answer?.ok) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

/** Without its demo data the product runs all the same: what went wrong is said, and the pages show how to go on. */
async function trySetUp(tenant: SimulatedTenant): Promise<void> {
  try {
    await setUpDemo(address, tenant, path.join(dataDir, 'vaults'));
  } catch (error) {
    console.error(`The demo data could not be set up: ${error instanceof Error ? error.message : String(error)}`);
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

await buildPortal();
const simulator = isEmpty ? undefined : await startSimulator();
const environment = simulator ? demoEnvironment(simulator) : {};
const watch = isWatching ? ['--watch', '--watch-preserve-output'] : [];
const server = start([...watch, 'apps/server/src/main.ts', 'all'], environment, 'inherit');
server.once('exit', (code) => void stop(code ?? 1));

const address = `http://${host}:${port}`;
if (await isReady(server, address)) {
  if (simulator) {
    const tenant = simulator.tenants[0];
    if (tenant) await trySetUp(tenant);
    console.log(`\nHoldfast is ready: ${address}\nSign in as ${demoOwner.email} with the password ${demoOwner.password}`);
    console.log('Contoso is a simulated Microsoft 365 tenant; its first backup has been started. Ctrl-C ends everything.\n');
  } else {
    console.log(`\nHoldfast is ready: ${address}\nCtrl-C ends everything.\n`);
  }
}
