import { systemClock } from '@holdfast/foundation/clock';
import { AppError, errorText, isAppError, systemCode } from '@holdfast/foundation/errors';
import { freePort } from '@holdfast/foundation/free-port';
import type { Logger } from '@holdfast/foundation/logger';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { readdir } from 'node:fs/promises';
import { migrationsFolder } from '../migrations/migrate.ts';
import { chooseLauncher, type Launcher } from './account.ts';
import { findBinaries, type Binaries } from './binaries.ts';
import {
  administratorRole,
  clientRole,
  databaseName,
  ensureCluster,
  ensureRoles,
  ownerRole,
  passwordsOf,
  type Passwords,
} from './cluster.ts';
import { openDataDirectory } from './data-directory.ts';
import { claimCluster } from './claim.ts';
import { endOrphans } from './orphans.ts';
import { processAlive, runningAt, stopPostmaster } from './postmaster.ts';
import { watchServer, type Kept } from './watch.ts';

/** A PostgreSQL of our own. Its addresses are those of the server that runs now: another program may take its port while it is down. */
export interface EmbeddedPostgres {
  /** For `migrate` alone. */
  readonly ownerUrl: string;
  /** For the application: may become `holdfast_application` and nothing else. */
  readonly applicationUrl: string;
  readonly administratorUrl: string;
  /** The server that runs now: one that ends is started again. */
  readonly processId: number;
  /** How often it was started again since this process keeps it. */
  restarts(): number;
  /** For a keeper: resolves when the server has ended and could not be started again. */
  readonly lost: Promise<AppError>;
  /** Stops the server when this process is its keeper; a guest only takes leave. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataFolder: string;
  readonly logger: Logger;
  /**
   * `keeper` starts the server, adopts one that a crashed process left behind, and stops it in the end.
   * `guest` uses the one that another process keeps, or keeps one itself while it is needed.
   */
  readonly as: 'keeper' | 'guest';
  /** How long to wait for another keeper to end before it is refused. */
  readonly patienceMs?: number;
  /** Server settings over the safe defaults. Tests pass fast, forgetful ones here; production passes none. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A server that recovers from a crash replays what it wrote down: minutes on a slow disk, and starting over would not be faster. */
const START_TIMEOUT_MS = 15 * 60_000;
/** How long a server may run without saying that it is ready before it counts as stuck. */
const ANSWER_TIMEOUT_MS = 60_000;
/** How long a keeper that is ending may take, its running work included, before a second one is refused. */
const PATIENCE_MS = 30_000;
const CLAIM_TURNS = 20;
/** PostgreSQL's code while it recovers from a crash of one of its processes: it takes the time it takes. */
const STARTING = '57P03';
const CLAIM_AGAIN_MS = 150;

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '80',
  shared_buffers: '256MB',
  jit: 'off',
  // A first backup fills tables within seconds: until they have statistics each query is planned as for empty ones.
  autovacuum_naptime: '5s',
  log_timezone: 'UTC',
  timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  lc_messages: 'C',
  // What a killed process still asked for ends with its connection and not when it is answered. Windows can't tell that.
  ...(process.platform === 'win32' ? {} : { client_connection_check_interval: '2s' }),
};

async function lastLines(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-8).join('\n');
}

interface Starting {
  readonly cluster: string;
  readonly dataFolder: string;
  readonly binaries: Binaries;
  readonly launcher: Launcher;
  readonly settings: Readonly<Record<string, string>>;
  /** The last port; a start that failed has removed the file that names it. */
  readonly port?: number;
  /** Aborted when nobody needs the server any more. */
  readonly signal?: AbortSignal;
}

/** True when nothing else listens on the port. */
async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  probe.listen(port, '127.0.0.1');
  const isListening = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) await once(probe.close(), 'close');
  return isListening;
}

/** Where it is free, a server that crashed takes its port again: a console command that runs knows no other. */
async function portFor(known: number | undefined): Promise<number> {
  return known !== undefined && (await isFree(known)) ? known : freePort();
}

/** Starts the server and waits until it accepts connections. */
async function startPostmaster(starting: Starting, lastPort: number | undefined, logger: Logger): Promise<At> {
  const { cluster, binaries, launcher, signal } = starting;
  logger.info({ event: 'database-starts' }, 'starting PostgreSQL');
  const logFile = path.join(starting.dataFolder, 'postgres.log');
  await endOrphans(cluster, signal);
  const port = await portFor(lastPort ?? starting.port);
  const log = await open(logFile, 'a', 0o600);
  const settings = Object.entries({ ...SETTINGS, ...starting.settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const child = launcher.launch(binaries.postgres, ['-D', cluster, ...settings], ['ignore', log.fd, log.fd]);
  let failure: string | undefined;
  child.once('error', (error) => (failure = errorText(error)));
  child.once('exit', (code, signal) => (failure ??= `it ended with ${code ?? signal ?? 'no code'}`));
  child.unref();
  await log.close();
  const deadline = systemClock.monotonicMs() + START_TIMEOUT_MS;
  while (systemClock.monotonicMs() < deadline && failure === undefined && signal?.aborted !== true) {
    const running = await runningAt(cluster);
    if (running?.isReady && running.port === port) return { port, processId: running.processId };
    await systemClock.sleep(15);
  }
  if (failure === undefined) child.kill('SIGQUIT');
  throw new AppError('database.did-not-start', {
    message: `PostgreSQL did not start: ${failure ?? 'it took too long'}\n${await lastLines(logFile)}`,
  });
}

async function newestMigration(): Promise<number> {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort();
  return Number(names.at(-1)?.slice(0, 4) ?? 0);
}

/** A server that runs already: ours after a crash, or another process's. One that runs but does not answer is stopped. */
async function findRunning(cluster: string, logger: Logger): Promise<At | undefined> {
  const deadline = systemClock.monotonicMs() + ANSWER_TIMEOUT_MS;
  let isTold = false;
  while (systemClock.monotonicMs() < deadline) {
    const running = await runningAt(cluster);
    if (!running) return undefined;
    if (!(await processAlive(running.processId))) {
      logger.info({ processId: running.processId }, 'removing the lock of a PostgreSQL that is gone');
      await rm(path.join(cluster, 'postmaster.pid'), { force: true });
      return undefined;
    }
    if (running.isReady && running.port !== undefined) return { port: running.port, processId: running.processId };
    if (!isTold) logger.info({ processId: running.processId }, 'waiting for a PostgreSQL that runs to accept connections');
    isTold = true;
    await systemClock.sleep(50);
  }
  const stuck = await runningAt(cluster);
  if (stuck) await stopPostmaster(stuck.processId, 'SIGQUIT');
  return undefined;
}

interface At {
  readonly port: number;
  readonly processId: number;
}

function urlOf({ port }: At, role: string, password: string, database: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
}

/** A server that runs, and whether it is ours to stop. One that its last keeper ends while we ask is started again. */
async function keep(starting: Starting, passwords: Passwords, options: EmbeddedOptions): Promise<Kept> {
  const { patienceMs = PATIENCE_MS, logger, as } = options;
  const { cluster, signal } = starting;
  for (let turn = 1; ;) {
    const last = await runningAt(cluster);
    const running = (await findRunning(cluster, logger)) ?? (await startPostmaster(starting, last?.port, logger));
    const url = urlOf(running, administratorRole, passwords.administrator, 'postgres');
    try {
      return { running, claim: await claimCluster(url, { as, patienceMs, logger, ...(signal ? { signal } : {}) }) };
    } catch (error) {
      if (isAppError(error) || turn >= CLAIM_TURNS || signal?.aborted) throw error;
      if (systemCode(error) !== STARTING) turn += 1;
      logger.info({ reason: errorText(error) }, 'the database went away while it was claimed; trying again');
      await systemClock.sleep(CLAIM_AGAIN_MS, signal);
    }
  }
}

/**
 * Starts the embedded PostgreSQL of a data directory, making it at the first start. Recovers from an
 * earlier process that crashed: its server is adopted, a stale lock removed. Throws
 * `database.data-directory-newer` (nothing touched), `database.binaries-missing`,
 * `database.data-directory-unusable`, or `database.did-not-start` with the server's last words.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataFolder = path.resolve(options.dataFolder);
  const binaries = await findBinaries();
  await openDataDirectory(dataFolder, { schema: await newestMigration(), postgresMajor: binaries.major });
  const launcher = await chooseLauncher(binaries, dataFolder);
  const passwords = await passwordsOf(dataFolder);
  const settings = options.settings ?? {};
  const cluster = await ensureCluster({ dataFolder, binaries, launcher, passwords, isDurable: settings['fsync'] !== 'off' });
  const starting = { cluster, dataFolder, binaries, launcher, settings };
  const first = await keep(starting, passwords, options);
  // A keeper that was here first claims the server again however long a console command holds it.
  const again = ({ running }: Kept, signal: AbortSignal): Promise<Kept> =>
    keep({ ...starting, port: running.port, signal }, passwords, { ...options, patienceMs: Infinity });
  const watch = options.as === 'keeper' ? watchServer({ first, logger: options.logger, again }) : undefined;
  const current = (): Kept => watch?.kept() ?? first;
  const url = (role: string, password: string, database: string): string => urlOf(current().running, role, password, database);
  async function stop(): Promise<void> {
    await watch?.stop();
    // The claim is held to the end: whoever waits for it must not be given a server that is about to go.
    if (first.claim.isKeeper) await stopPostmaster((await runningAt(cluster))?.processId ?? current().running.processId, 'SIGINT');
    await current().claim.release();
  }
  try {
    await ensureRoles(url(administratorRole, passwords.administrator, 'postgres'), passwords);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    get ownerUrl() {
      return url(ownerRole, passwords.owner, databaseName);
    },
    get applicationUrl() {
      return url(clientRole, passwords.application, databaseName);
    },
    get administratorUrl() {
      return url(administratorRole, passwords.administrator, 'postgres');
    },
    get processId() {
      return current().running.processId;
    },
    restarts: () => watch?.restarts() ?? 0,
    lost: watch?.lost ?? new Promise<never>(() => undefined),
    stop,
  };
}
