import { sha256Hex } from '@holdfast/foundation/bytes';
import { createSeededRandom, type Random } from '@holdfast/foundation/random';
import { createKeptConnections } from '@holdfast/m365/testing/kept-connections';
import type { Recipe } from '@holdfast/m365-simulator';
import { createMemoryBlobStore } from '@holdfast/vault';
import { driveOfTruth, driveOfVault } from './compare-drive.ts';
import { mailOfTruth, mailOfVault } from './compare-mail.ts';
import { createHurriedClock } from './hurried-clock.ts';
import { createRig, type Rig } from './rig.ts';
import type { RunCounts } from '../src/backup/run.ts';
import type { Resource } from '../src/ports/item.ts';
import type { Problem } from '../src/ports/problems.ts';

/** Folders that stay empty are left out: they cost requests in each run and prove nothing. */
const ALWAYS_EMPTY = ['Outbox', 'Conversation History', 'Sync Issues', 'Synchronisierungsprobleme'];
const MAIL_ONLY = { exclude: ALWAYS_EMPTY, mailbox: { calendars: false, contacts: false, tasks: false } };
/** Small enough for thousands of seeds: a few messages in every folder, a few files with versions. */
const SMALL: Recipe = {
  name: 'faulty',
  displayName: 'Faulty',
  label: 'faulty',
  people: { members: 3, guests: 1, sharedMailboxes: 1, rooms: 0, germanShare: 0.34 },
  mail: { messagesPerUser: 7, isUniform: true, total: 28, years: 1 },
  eventsPerUser: 0,
  contactsPerUser: 0,
  tasksPerUser: 0,
  drives: { filesPerUser: 5, medianBytes: 6_000, largestBytes: 60_000, foldersPerUser: 2 },
  sites: [],
  teams: [],
  chats: { oneOnOne: 0, group: 0, messagesPerChat: 0 },
  hasOddities: false,
};
const CHECKPOINTS = [1, 3, 7, 500];

type LoggedRequest = ReturnType<Rig['simulator']['simulation']['log']['list']>[number];
type Fault = Readonly<Record<string, unknown>>;

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.below(list.length)] as T;
}

const PATHS = ['*messages/delta*', '*mailFolders/delta*', '*/$value', '*/content', '*root/delta*', '*versions*', undefined] as const;

/** One fault of F1 to F9 as the seed has it; each acts only so often, so that the service heals. */
function aFault(random: Random): Fault {
  const path = pick(random, PATHS);
  const match = {
    method: 'GET',
    probability: 0.2 + random.next() * 0.8,
    seed: random.below(1_000_000),
    ...(path === undefined ? {} : { path }),
  };
  const times = pick(random, [1, 2, 4, 12, 40]);
  const status = pick(random, [500, 502, 503, 504, 429, 401, 404, 400, 423]);
  const kinds: readonly Fault[] = [
    { do: 'status', status },
    { do: 'throttle', seconds: random.below(300), form: pick(random, ['integer', 'decimal', 'date']) },
    { do: 'reset', when: pick(random, ['before', 'middle', 'after']) },
    { do: 'truncate' },
    { do: 'empty' },
    { do: 'vanish' },
    { do: 'expireDelta' },
    { do: 'expireToken' },
    { do: 'expireUrl' },
    { do: 'corruptMessage' },
    { do: 'slowPage', above: 3 },
  ];
  return { match, times, ...pick(random, kinds) };
}

/** What one seed did and found; equal for equal seeds. */
export interface FaultyRun {
  readonly seed: number;
  readonly statuses: readonly string[];
  readonly violations: readonly string[];
  /** A hash of every request with its answer, every count and every line of the error lists, in their order. */
  readonly trace: string;
}

function missing(
  wanted: ReadonlyMap<string, { readonly sha256: string }>,
  found: ReadonlyMap<string, { readonly sha256: string }>,
): string[] {
  return [...wanted].filter(([id, one]) => found.get(id)?.sha256 !== one.sha256).map(([id]) => id);
}

/** What the service may do with a delta without saying a wrong word. */
function deltaOddities(random: Random) {
  return {
    deltaEmptyPages: random.next() * 0.3,
    deltaRepeats: random.next() * 0.3,
    deltaReplays: random.next() * 0.2,
    deltaRandomOrder: random.next() < 0.5,
    deltaChildrenFirst: random.next() < 0.3,
  };
}

interface Compared {
  /** Not in the vault, or with other bytes. */
  readonly lost: readonly string[];
  /** Anything at all is other than the service has it. */
  readonly unlike: readonly string[];
  readonly extra: number;
}

function traceOf(requests: readonly LoggedRequest[], problems: readonly Problem[], rest: object): string {
  const asked = requests.map(({ method, template, status }) => [method, template, status]);
  const told = problems.map(({ itemKey, outcome, code, tried }) => [itemKey, outcome, code, tried]);
  return sha256Hex(JSON.stringify([asked, told, rest]));
}

/** A tenant that seeds are played on, one after another; each seed has its own vault. */
export async function createFaultyTenant() {
  const clock = createHurriedClock();
  const source = await createRig({ recipes: [SMALL], clockOfEngine: clock });
  const control = source.simulator.control;
  const connections = createKeptConnections(source.simulator.caPem);
  const tenantId = source.simulator.tenants[0]?.tenantId ?? '';
  const users: string[] = [];
  for await (const user of source.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) users.push(user.id);
  const start = control.snapshot();

  async function check(rig: Rig, resource: Resource, userId: string): Promise<Compared> {
    const isMail = resource.kind === 'mailbox';
    const wanted = isMail ? await mailOfTruth(rig, userId) : await driveOfTruth(rig, userId);
    const found = isMail ? await mailOfVault(rig, resource) : await driveOfVault(rig, resource);
    const unlike = [...wanted].filter(([id, one]) => JSON.stringify(found.get(id)) !== JSON.stringify(one)).map(([id]) => id);
    return { lost: missing(wanted, found), unlike, extra: [...found.keys()].filter((id) => !wanted.has(id)).length };
  }

  /** Plays one seed; with one request at a time the same seed makes the same run to the last request. */
  async function play(seed: number, readsAtATime: number): Promise<FaultyRun> {
    const random = createSeededRandom(seed);
    control.restore(start);
    control.setFaults([]);
    const rig = await createRig({ shared: source.simulator, connections, store: createMemoryBlobStore(), clockOfEngine: clock, seed });
    const violations: string[] = [];
    const statuses: string[] = [];
    const requestsBefore = source.simulator.simulation.log.total;
    const counts: RunCounts[] = [];
    const userId = pick(random, users);
    const resource = rig.resource(pick(random, ['mailbox', 'drive'] as const), userId);
    const checkpoint = { items: pick(random, CHECKPOINTS), bytes: 1_000_000_000 };
    const options = { selection: MAIL_ONLY, checkpoint, concurrency: readsAtATime };
    control.setSwitches(deltaOddities(random));
    for (let round = 0; round < 2; round += 1) {
      if (round > 0) control.playDay(tenantId, seed % 50);
      control.setFaults(Array.from({ length: 1 + random.below(3) }, () => aFault(random)) as never);
      const before = rig.problems.all.length;
      const result = await rig.backup(resource, options);
      control.setFaults([]);
      statuses.push(result.status);
      counts.push(result.counts);
      if (result.status === 'failed' || result.status === 'excluded') continue;
      const named = new Set(rig.problems.all.slice(before).map((problem) => problem.itemKey?.slice(problem.itemKey.lastIndexOf(':') + 1)));
      const { lost } = await check(rig, resource, userId);
      const isWholeFolderNamed = rig.problems.all.slice(before).some((problem) => problem.kind !== 'message' && problem.kind !== 'file');
      const silent = lost.filter((id) => !named.has(id));
      if (silent.length > 0 && !isWholeFolderNamed && result.counts.gone === 0)
        violations.push(`silently missing after ${result.status}: ${silent.join(' ')}`);
    }
    const healed = await rig.backup(resource, options);
    statuses.push(healed.status);
    counts.push(healed.counts);
    if (healed.status !== 'successful') violations.push(`a clean run ended ${healed.status} (${healed.code ?? ''})`);
    const { unlike, extra } = await check(rig, resource, userId);
    if (unlike.length > 0 || extra > 0) violations.push(`after a clean run: ${unlike.length} lost or unlike, ${extra} extra`);
    await rig.close();
    return {
      seed,
      statuses,
      violations,
      trace: traceOf(source.simulator.simulation.log.list({ after: requestsBefore }), rig.problems.all, { counts, statuses }),
    };
  }

  return {
    play,
    async close() {
      await connections.close();
      await source.close();
    },
  };
}
