import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { demoOrganisation, demoOwner, type SimulatedTenant } from './demo.ts';
import { keepPort, keptPort } from './kept-port.ts';
import { root } from './run.ts';

/** A simulator that runs, as its first line of output tells it. */
export interface SimulatorAddress {
  readonly graph: string;
  readonly login: string;
  /** Ground truth and administration; never a Graph address. */
  readonly admin: string;
  /** Path of the certificate to trust. */
  readonly ca: string;
  readonly tenants: readonly SimulatedTenant[];
}

export interface ProductOptions {
  readonly dataDir: string;
  readonly port: string;
  /** Without the simulated tenant the product starts empty. */
  readonly withSimulator: boolean;
  /** The simulator holds its answers against the metadata. */
  readonly isValidating?: boolean;
  /** What the simulator is told beside its recipe. */
  readonly simulatorArgs?: readonly string[];
  /** Restart the server when its sources change. */
  readonly isWatching?: boolean;
  /** What the server says goes here, line by line. */
  readonly onOutput: (line: string) => void;
  readonly environment?: NodeJS.ProcessEnv;
}

/** The product with all its processes. */
export interface Product {
  readonly address: string;
  readonly simulator: SimulatorAddress | undefined;
  /** Resolves with the exit code when the server ends by itself. */
  readonly ended: Promise<number>;
  /** Ends the server and starts it again over the same data and address. */
  restart(): Promise<void>;
  /** Server first, so that running work is handed back while Microsoft 365 still answers. */
  stop(): Promise<void>;
}

/** Where a process complains: to the terminal, or into a text that is shown when it does not come up. */
type Complaints = 'inherit' | 'pipe';

function start(args: readonly string[], env: NodeJS.ProcessEnv, complaints: Complaints): ChildProcess {
  // A group of its own: Ctrl-C reaches the parent alone, which then stops them in order. And a channel: a parent that is
  // killed can stop nobody, so they stop when it closes.
  return spawn(process.execPath, [...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', complaints, 'ipc'],
    env: { ...process.env, ...env },
  });
}

function exited(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode ?? 1);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await exited(child);
}

/** The first line for which `read` answers something; fails when the process ends before. */
function firstOf<T>(child: ChildProcess, read: (line: string) => T | undefined, onLine: (line: string) => void): Promise<T> {
  const { stdout } = child;
  if (!stdout) throw new Error('The process has no output to read.');
  let complaints = '';
  child.stderr?.on('data', (data: Buffer) => (complaints = `${complaints}${data.toString()}`.slice(-4_000)));
  return new Promise((resolve, reject) => {
    createInterface({ input: stdout }).on('line', (line) => {
      const found = read(line);
      if (found !== undefined) resolve(found);
      onLine(line);
    });
    child.once('exit', (code) => reject(new Error(`A process ended with code ${code} before it was ready.\n${complaints}`)));
  });
}

function readyAddress(line: string): string | undefined {
  if (!line.includes('"event":"ready"')) return undefined;
  return (JSON.parse(line) as { readonly address?: string }).address;
}

function environmentOf(simulator: SimulatorAddress): NodeJS.ProcessEnv {
  return {
    HOLDFAST_GRAPH_URL: simulator.graph,
    HOLDFAST_LOGIN_URL: simulator.login,
    HOLDFAST_GRAPH_CA_FILE: simulator.ca,
    HOLDFAST_OWNER_EMAIL: demoOwner.email,
    HOLDFAST_OWNER_PASSWORD: demoOwner.password,
    HOLDFAST_OWNER_ORGANISATION: demoOrganisation,
    // Contoso journals its mail: any free port will do.
    HOLDFAST_RECEIVER_PORT: '0',
    HOLDFAST_DEMO_EMAIL: demoOwner.email,
    HOLDFAST_DEMO_PASSWORD: demoOwner.password,
  };
}

/** Its state lies beside the product's, so that what was restored is still there after a restart. */
const argsOfSimulator = ({ dataDir, isValidating, simulatorArgs = [] }: ProductOptions, port: number): string[] => [
  'packages/m365-simulator/src/main.ts',
  '--recipe',
  'contoso',
  '--seed',
  '42',
  '--port',
  String(port),
  '--data',
  path.join(dataDir, 'simulator'),
  ...(isValidating === true ? ['--validate'] : []),
  ...simulatorArgs,
];

/** Starts the simulator, if wanted, and the server; resolves when it takes requests. */
export async function startProduct(options: ProductOptions): Promise<Product> {
  // What the product has read goes on at the address that it was read from: at another one every mailbox would fail.
  const portFile = path.join(options.dataDir, 'simulator', 'port');
  const simulating = options.withSimulator ? start(argsOfSimulator(options, await keptPort(portFile)), {}, 'pipe') : undefined;
  let server: ChildProcess | undefined;
  try {
    const simulator =
      simulating &&
      (await firstOf(
        simulating,
        (line) => JSON.parse(line) as SimulatorAddress,
        () => undefined,
      ));
    if (simulator) await keepPort(portFile, Number(new URL(simulator.graph).port));
    const watch = options.isWatching === true ? ['--watch', '--watch-preserve-output'] : [];
    const startServer = async (port: string): Promise<string> => {
      server = start(
        [...watch, 'apps/server/src/main.ts', 'all'],
        {
          ...(simulator ? environmentOf(simulator) : {}),
          ...options.environment,
          HOLDFAST_DATA_DIR: options.dataDir,
          HOLDFAST_PORT: port,
        },
        'inherit',
      );
      return firstOf(server, readyAddress, options.onOutput);
    };
    const address = await startServer(options.port);
    return {
      address,
      simulator,
      ended: server ? exited(server) : Promise.resolve(0),
      async restart() {
        await end(server);
        await startServer(new URL(address).port);
      },
      async stop() {
        await end(server);
        await end(simulating);
      },
    };
  } catch (error) {
    await end(server);
    await end(simulating);
    throw error;
  }
}
