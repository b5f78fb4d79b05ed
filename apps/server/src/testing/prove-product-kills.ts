import { startEmbedded } from '@holdfast/database';
import { queryOnce } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { endProcess, startRole, type RoleProcess } from './processes.ts';
import { owner, recordedMessages, signedIn } from './prove-cluster.ts';
import { act, connectSimulated, everyone, truthOf, type SimulatedTenant } from './simulated-tenant.ts';

const VICTIMS = ['server', 'database', 'both'] as const;
export const ACTIVE = `select count(*)::int as runs from runs where status in ('pending', 'running', 'cancelling')`;
const LONGEST_LIFE_MS = 4_000;
/** A crash of PostgreSQL alone waits for a worker that works: it needs less time to meet it in the middle. */
const LONGEST_CALM_MS = 1_500;
const WORKING = `select count(*)::int as workers from pgboss.job where name = 'runs' and state = 'active' and heartbeat_on > now() - interval '30 seconds'`;
const QUEUE = `select state, retry_count, start_after, started_on, heartbeat_on, now() from pgboss.job where name = 'runs' order by created_on desc limit 3`;
/** As if the worker had been dead for long: kills are to meet runs and not the wait for them. */
const LONG_DEAD = `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`;
const MESSAGES_EACH = 40;
const RESTARTED = '"event":"database-restarted"';

/** The whole product on one machine: one process, and the PostgreSQL that it keeps. */
export interface Product {
  readonly server: RoleProcess;
  readonly databaseId: number;
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export async function startProduct(dataFolder: string, settings: Readonly<Record<string, string>>): Promise<Product> {
  return productOver(await startRole('all', 'all', settings), dataFolder);
}

async function productOver(server: RoleProcess, dataFolder: string): Promise<Product> {
  const guest = await startEmbedded({ dataFolder, logger: silentLogger, as: 'guest' });
  const administrator = new URL(guest.administratorUrl);
  administrator.pathname = new URL(guest.ownerUrl).pathname;
  const { processId } = guest;
  await guest.stop();
  const sql: Product['sql'] = (text, values) => queryOnce(administrator.href, text, values);
  await sql(LONG_DEAD);
  return { server, databaseId: processId, sql };
}

/** Kills PostgreSQL under a server that must start it again and live on. */
export async function killDatabaseAlone({ server, databaseId }: Product, dataFolder: string): Promise<Product> {
  const lives = server.log().split(RESTARTED).length;
  process.kill(databaseId, 'SIGKILL');
  await vi.waitFor(() => expect(server.log().split(RESTARTED)).toHaveLength(lives + 1), { timeout: 60_000, interval: 50 });
  return productOver(server, dataFolder);
}

/** Ends what it says as a machine that loses power. */
async function kill({ server, databaseId }: Product, victim: Exclude<(typeof VICTIMS)[number], 'database'>): Promise<void> {
  if (victim === 'both') process.kill(databaseId, 'SIGKILL');
  await server.kill();
}

/** When PostgreSQL began its present life: after a crash it starts its processes anew. */
const LIFE = `select backend_start::text as began from pg_stat_activity where backend_type = 'checkpointer'`;

/** Kills one of the processes that serve our connections: PostgreSQL drops all of them, forgets what it had in memory and recovers. */
async function crashDatabase(product: Product): Promise<void> {
  const [life] = await product.sql(LIFE);
  const [serving] = await product.sql(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1`,
  );
  expect(life).toBeDefined();
  expect(serving).toBeDefined();
  process.kill(Number(serving?.['pid']), 'SIGKILL');
  // For a moment after the kill PostgreSQL has not noticed it and answers as before.
  const recovered = async (): Promise<void> => {
    const [next] = await product.sql(LIFE);
    expect(next).toBeDefined();
    expect(next).not.toEqual(life);
  };
  await vi.waitFor(recovered, { timeout: 60_000, interval: 50 });
}

/** Every message of every mailbox once and nothing else, no run left behind, and all of it readable. */
export async function requireWhole(product: Product, tenant: SimulatedTenant, simulator: Simulator, jobId: string): Promise<void> {
  expect(await product.sql(ACTIVE)).toEqual([{ runs: 0 }]);
  const mailboxes = await product.sql(`select graph_id from catalog_sources join resources using (organisation_id, realm, resource_id)`);
  expect(mailboxes.length).toBeGreaterThan(2);
  for (const { graph_id: mailbox } of mailboxes) {
    const truth = (await truthOf(simulator, 'mail', String(mailbox))).filter((record) => record.kind === 'message');
    expect(await recordedMessages((text, values) => product.sql(text, values), String(mailbox))).toEqual(
      truth.map((record) => record.sha256 ?? '').sort(),
    );
  }
  const verified = await tenant.finish(await tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 }));
  expect(verified).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
  expect(await tenant.finish(jobId)).toMatchObject({ status: 'successful', added: 0, changed: 0, removed: 0 });
}

/** Each turn is one kill of server, PostgreSQL or both, after some crashes of PostgreSQL under a server that lives on. */
export interface ProductKills {
  readonly turns: number;
  readonly crashesEach: number;
  readonly seed: number;
}

/** Kills server, PostgreSQL or both at random moments of a backup; nothing is lost, doubled or stuck. */
export async function proveProductKills({ turns, crashesEach, seed }: ProductKills): Promise<void> {
  const random = createSeededRandom(seed);
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-kills-'));
  const simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  const dataFolder = path.join(folder, 'data');
  const settings = {
    HOLDFAST_DATA_DIR: dataFolder,
    HOLDFAST_PORT: '0',
    HOLDFAST_GRAPH_URL: simulator.graph,
    HOLDFAST_LOGIN_URL: simulator.login,
    HOLDFAST_GRAPH_CA_FILE: simulator.ca,
    HOLDFAST_LOCATION_ROOTS: folder,
    HOLDFAST_OWNER_EMAIL: owner.email,
    HOLDFAST_OWNER_PASSWORD: owner.password,
    HOLDFAST_OWNER_ORGANISATION: 'Contoso',
  };
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const people = (directory?.users() ?? []).filter((person) => person.hasMailbox && person.kind === 'member');
  let product = await startProduct(dataFolder, settings);
  try {
    // The death of the only worker is seen sooner than in the product, so that kills meet runs and not the wait for them.
    await product.sql('update pgboss.queue set heartbeat_seconds = 10');
    let session = await signedIn(product.server.address);
    const tenant = await connectSimulated({
      owner: session.owner,
      server: { send: (to, options) => session.server.send(to, { ...options, token: session.owner.tokens.main }) },
      testing: { asSuperuser: (text, values) => product.sql(text, values) },
      simulator,
      vault: path.join(folder, 'vault'),
    });
    const jobId = await tenant.job({ type: 'backup', name: 'Mail', source: everyone, schedule: { mode: 'interval', everyMinutes: 1_440 } });
    let delivered = 0;
    const deliver = (): void => {
      for (const { id: user } of people) {
        for (let at = 0; at < MESSAGES_EACH; at += 1) act(simulator, 'mail.deliver', { user, subject: `Message ${(delivered += 1)}` });
      }
    };
    /** Somebody works at a run of the job: the one that goes on, or a new one. */
    const working = async (): Promise<void> => {
      const refused = await tenant.start(jobId).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      const works = await product.sql(WORKING);
      // What else it says is for whoever reads that it failed: why no run began, and what the queue waits for.
      expect({ works, refused, queue: await product.sql(QUEUE) }).toMatchObject({ works: [{ workers: 1 }] });
    };
    for (let turn = 0; turn < turns; turn += 1) {
      for (let crash = 0; crash < crashesEach; crash += 1) {
        deliver();
        await vi.waitFor(working, { timeout: 60_000, interval: 100 });
        await systemClock.sleep(random.below(LONGEST_CALM_MS));
        await crashDatabase(product);
      }
      deliver();
      await product.sql(`update jobs set next_run_at = now(), anchored_at = now() - interval '1 day'`);
      await systemClock.sleep(random.below(LONGEST_LIFE_MS));
      const victim = VICTIMS[turn % VICTIMS.length] ?? 'both';
      if (victim === 'database') {
        product = await killDatabaseAlone(product, dataFolder);
        continue;
      }
      await kill(product, victim);
      product = await startProduct(dataFolder, settings);
      session = await signedIn(product.server.address);
    }
    await vi.waitFor(async () => expect(await product.sql(ACTIVE)).toEqual([{ runs: 0 }]), { timeout: 180_000, interval: 250 });
    const last = await tenant.finish(jobId);
    expect(last).toMatchObject({ status: 'successful', errors: 0 });
    await requireWhole(product, tenant, simulator, jobId);
  } finally {
    await product.server.kill();
    endProcess(product.databaseId, 'SIGQUIT');
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}
