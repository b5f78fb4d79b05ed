import { systemClock } from '@holdfast/foundation/clock';
import { endProcess } from './processes.ts';
import { createSeededRandom, type Random } from '@holdfast/foundation/random';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { startSmallObjectStore, type SmallObjectStore } from '@holdfast/vault/testing/small-object-store';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { ACTIVE, killDatabaseAlone, requireWhole, startProduct, type Product } from './prove-product-kills.ts';
import { owner, signedIn } from './prove-cluster.ts';
import { act, connectSimulated, everyone, type SimulatedTenant } from './simulated-tenant.ts';

export interface SoakOptions {
  /** Longer when each part has not had its turn by then. */
  readonly minutes: number;
  readonly seed: number;
}

const LONGEST_CALM_MS = 2_000;
const LONGEST_OUTAGE_MS = 9_000;
const LARGEST_JUMP_MS = 2 * 3_600_000;
const MESSAGES_EACH = 10;
const REST_EVERY = 10;
const MICROSOFT_FAULTS = [
  { do: 'status', status: 500, code: 'generalException' },
  { do: 'status', status: 503, code: 'serviceNotAvailable' },
  { do: 'throttle', seconds: 1 },
  { do: 'reset', when: 'middle' },
  { do: 'truncate', share: 0.5 },
  { do: 'expireToken' },
] as const;

/** Everything that a soak disturbs. */
interface World {
  readonly random: Random;
  readonly simulator: Simulator;
  readonly objects: SmallObjectStore;
  readonly dataFolder: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly clockFile: string;
  product: Product;
}

type Fault = (world: World) => Promise<void>;

/** The server's clock is wrong by so many milliseconds, once this has ended. */
async function setClock({ clockFile }: World, offsetMs: number): Promise<void> {
  await writeFile(clockFile, String(offsetMs));
  const seen = (): Promise<string> => readFile(`${clockFile}.seen`, 'utf8');
  await expect.poll(seen, { timeout: 300_000 }).toBe(String(offsetMs));
}

const sleepUpTo = (world: World, ms: number): Promise<void> => systemClock.sleep(world.random.below(ms));

/** What happens to an installation. Each comes back with everything in order again, but for the clock. */
const faults: Readonly<Record<string, Fault>> = {
  async database(world) {
    world.product = await killDatabaseAlone(world.product, world.dataFolder);
  },
  async storage(world) {
    world.objects.goAway();
    await sleepUpTo(world, LONGEST_OUTAGE_MS);
    world.objects.comeBack();
  },
  async microsoft(world) {
    const { random, simulator } = world;
    const { do: action, ...options } = MICROSOFT_FAULTS[random.below(MICROSOFT_FAULTS.length)] ?? MICROSOFT_FAULTS[0];
    simulator.control.setFaults([{ match: { probability: 0.4, seed: random.below(1_000) }, do: action, ...options }]);
    await sleepUpTo(world, LONGEST_OUTAGE_MS);
    simulator.control.setFaults([]);
  },
  async worker(world) {
    await world.product.server.kill();
    world.product = await startProduct(world.dataFolder, world.settings);
  },
  async clock(world) {
    await setClock(world, world.random.below(2 * LARGEST_JUMP_MS) - LARGEST_JUMP_MS);
  },
};

/** Each part in its turn, and often a second one at once. */
function choose(world: World, turn: number): readonly string[] {
  const names = Object.keys(faults);
  const chosen = [names[turn % names.length] ?? 'worker'];
  // Two that restart something would each wait for what the other one stopped.
  const second = ['storage', 'microsoft', 'clock'][world.random.below(6)];
  if (second !== undefined && second !== chosen[0]) chosen.push(second);
  return chosen;
}

async function connect(world: World): Promise<SimulatedTenant> {
  const { simulator, objects } = world;
  let session = await signedIn(world.product.server.address);
  return connectSimulated({
    owner: session.owner,
    server: {
      async send(to, options) {
        // The process, its address and with the clock its sessions change under the test.
        session = await signedIn(world.product.server.address);
        return session.server.send(to, { ...options, token: session.owner.tokens.main });
      },
    },
    testing: { asSuperuser: (text, values) => world.product.sql(text, values) },
    simulator,
    vault: {
      kind: 's3',
      name: 'Bucket',
      endpoint: objects.endpoint,
      region: 'us-east-1',
      bucket: 'soak',
      prefix: 'v/',
      forcePathStyle: true,
      accessKeyId: 'soak',
      secretAccessKey: 'soak-secret',
    },
  });
}

/** A little mail for everybody. */
function deliver({ simulator }: World, turn: number): void {
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  for (const { id: user, hasMailbox, kind } of directory?.users() ?? []) {
    if (!hasMailbox || kind !== 'member') continue;
    for (let at = 0; at < MESSAGES_EACH; at += 1) act(simulator, 'mail.deliver', { user, subject: `Message ${turn}.${at}` });
  }
}

async function allEnded(world: World): Promise<void> {
  await vi.waitFor(async () => expect(await world.product.sql(ACTIVE)).toEqual([{ runs: 0 }]), { timeout: 300_000, interval: 250 });
}

async function soak(world: World, minutes: number, history: string[]): Promise<void> {
  const tenant = await connect(world);
  const jobId = await tenant.job({ type: 'backup', name: 'Mail', source: everyone });
  const endsAtMs = systemClock.monotonicMs() + minutes * 60_000;
  for (let turn = 0; turn < Object.keys(faults).length || systemClock.monotonicMs() < endsAtMs; turn += 1) {
    deliver(world, turn);
    // One that still works at the mail before it is enough.
    await tenant.start(jobId).catch(() => undefined);
    await sleepUpTo(world, LONGEST_CALM_MS);
    const chosen = choose(world, turn);
    history.push(chosen.join(' and '));
    await Promise.all(chosen.map(async (name) => faults[name]?.(world)));
    // Now and then everything comes to rest: nothing may be stuck.
    if (turn % REST_EVERY === REST_EVERY - 1) await allEnded(world);
  }
  await setClock(world, 0);
  await allEnded(world);
  expect(await tenant.finish(jobId)).toMatchObject({ status: 'successful', errors: 0 });
  await requireWhole(world.product, tenant, world.simulator, jobId);
}

/** Disturbs every part of a working installation at random; in the end the vault verifies and equals what there is. */
export async function proveSoak({ minutes, seed }: SoakOptions): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-soak-'));
  const [simulator, objects] = await Promise.all([startSimulator({ recipes: ['tiny'], limits: 'off' }), startSmallObjectStore()]);
  const dataFolder = path.join(folder, 'data');
  const clockFile = path.join(folder, 'clock');
  const settings = {
    HOLDFAST_DATA_DIR: dataFolder,
    HOLDFAST_PORT: '0',
    HOLDFAST_GRAPH_URL: simulator.graph,
    HOLDFAST_LOGIN_URL: simulator.login,
    HOLDFAST_GRAPH_CA_FILE: simulator.ca,
    HOLDFAST_ALLOWED_HOSTS: '127.0.0.1',
    HOLDFAST_OWNER_EMAIL: owner.email,
    HOLDFAST_OWNER_PASSWORD: owner.password,
    HOLDFAST_OWNER_ORGANISATION: 'Contoso',
    NODE_OPTIONS: `--import ${new URL('jumping-clock.mjs', import.meta.url).href}`,
    TEST_CLOCK_FILE: clockFile,
  };
  const product = await startProduct(dataFolder, settings);
  const world: World = { random: createSeededRandom(seed), simulator, objects, dataFolder, settings, clockFile, product };
  const history: string[] = [];
  try {
    await world.product.sql('update pgboss.queue set heartbeat_seconds = 10');
    await soak(world, minutes, history);
  } catch (error) {
    const last = world.product.server.log().slice(-4_000);
    // The message itself says why: the report of a failed run leaves out the cause.
    const reason = `The soak failed after ${history.length} turns, the last ones: ${history.slice(-5).join(', ')}.\n${String(error)}\n${last}`;
    throw new Error(reason, { cause: error });
  } finally {
    await world.product.server.kill();
    endProcess(world.product.databaseId, 'SIGQUIT');
    await Promise.all([simulator.close(), objects.close()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
