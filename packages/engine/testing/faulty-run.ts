import { sha256Hex } from '@holdfast/foundation/bytes';
import { createSeededRandom, type Random } from '@holdfast/foundation/random';
import { createKeptConnections } from '@holdfast/m365/testing/kept-connections';
import type { Recipe } from '@holdfast/m365-simulator';
import { createMemoryBlobStore } from '@holdfast/vault';
import type { Facts } from './facts.ts';
import { SUBJECTS, type Owners, type Subject } from './faulty-subjects.ts';
import { createHurriedClock } from './hurried-clock.ts';
import { createRig, type Rig } from './rig.ts';
import type { RunCounts } from '../src/ports/run.ts';
import type { Problem } from '../src/ports/problems.ts';

/** Small enough for thousands of seeds: a few messages in every folder, a few files with versions, a little of all else. */
const SMALL: Recipe = {
  name: 'faulty',
  displayName: 'Faulty',
  label: 'faulty',
  people: { members: 3, guests: 1, sharedMailboxes: 1, rooms: 0, germanShare: 0.34 },
  mail: { messagesPerUser: 7, isUniform: true, total: 28, years: 1 },
  eventsPerUser: 6,
  contactsPerUser: 8,
  tasksPerUser: 5,
  drives: { filesPerUser: 5, medianBytes: 6_000, largestBytes: 60_000, foldersPerUser: 2 },
  sites: [{ path: 'home', displayName: 'Home', files: 2, lists: 1, itemsPerList: 6, pages: 2 }],
  teams: [
    {
      displayName: 'Everyone',
      members: 3,
      files: 0,
      channels: [
        { displayName: 'General', membershipType: 'standard', messages: 5 },
        { displayName: 'Leads', membershipType: 'private', messages: 3 },
      ],
    },
  ],
  chats: { oneOnOne: 1, group: 1, messagesPerChat: 6 },
  hasOddities: false,
};
const CHECKPOINTS = [1, 3, 7, 500];

type LoggedRequest = ReturnType<Rig['simulator']['simulation']['log']['list']>[number];
type Fault = Readonly<Record<string, unknown>>;

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.below(list.length)] as T;
}

/** One fault of F1 to F9 as the seed has it; each acts only so often, so that the service heals. */
function aFault(random: Random, paths: readonly string[]): Fault {
  const path = pick(random, [...paths, undefined]);
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
  /** What was backed up. */
  readonly of: string;
  readonly statuses: readonly string[];
  readonly violations: readonly string[];
  /** A hash of every request with its answer, every count and every line of the error lists, in their order. */
  readonly trace: string;
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

/** Everything that the error list speaks of: the items, and what they are in. */
function namedBy(problems: readonly Problem[]): ReadonlySet<string> {
  const named = problems.flatMap(({ itemKey, kind, path }) => [itemKey ?? '', `${kind}:${path.slice(path.lastIndexOf('/') + 1)}`]);
  return new Set(named);
}

/** What is not in the vault as the service has it. */
function unlikeOf(wanted: Facts, found: Facts): readonly string[] {
  return [...wanted].filter(([key, { says }]) => found.get(key)?.says !== says).map(([key]) => key);
}

function told(keys: readonly string[], wanted: Facts, found: Facts): string {
  return keys.map((key) => `${key} is ${found.get(key)?.says ?? 'nothing'} instead of ${wanted.get(key)?.says ?? 'nothing'}`).join('\n');
}

function traceOf(requests: readonly LoggedRequest[], problems: readonly Problem[], rest: object): string {
  const asked = requests.map(({ method, template, status }) => [method, template, status]);
  const told = problems.map(({ itemKey, outcome, code, tried }) => [itemKey, outcome, code, tried]);
  return sha256Hex(JSON.stringify([asked, told, rest]));
}

async function ownersOf({ graph, simulator }: Rig): Promise<Owners> {
  const users: string[] = [];
  const drives: string[] = [];
  for await (const user of graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) users.push(user.id);
  for (const userId of users) drives.push((await graph.drives.userDrive({ userId })).id);
  const { control, tenants } = simulator;
  const of = (kind: string): readonly string[] => control.owners(tenants[0]?.tenantId ?? '', kind).map(({ owner }) => owner);
  const sites: string[] = [];
  for await (const site of graph.sites.allSites()) if (site.displayName === 'Home') sites.push(site.id);
  return { users, drives, sites, teams: of('teams'), chats: of('chats') };
}

/** A tenant that seeds are played on, one after another; each seed has its own vault. */
export async function createFaultyTenant() {
  const clock = createHurriedClock();
  const source = await createRig({ recipes: [SMALL], clockOfEngine: clock });
  const control = source.simulator.control;
  const connections = createKeptConnections(source.simulator.caPem);
  const tenantId = source.simulator.tenants[0]?.tenantId ?? '';
  const owners = await ownersOf(source);
  const start = control.snapshot();

  async function live(rig: Rig, subject: Subject, owner: string, seed: number): Promise<void> {
    control.playDay(tenantId, seed % 50);
    await subject.act?.(rig, owner, createSeededRandom(seed));
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
    const subject = SUBJECTS[seed % SUBJECTS.length] as Subject;
    const owner = pick(random, subject.owners(owners));
    const resource = rig.resource(subject.kind, owner);
    const checkpoint = { items: pick(random, CHECKPOINTS), bytes: 1_000_000_000 };
    const options = { selection: subject.selection, checkpoint, concurrency: readsAtATime };
    control.setSwitches(deltaOddities(random));
    for (let round = 0; round < 2; round += 1) {
      if (round > 0) await live(rig, subject, owner, seed);
      control.setFaults(Array.from({ length: 1 + random.below(3) }, () => aFault(random, subject.paths)) as never);
      const before = rig.problems.all.length;
      const result = await rig.backup(resource, options);
      control.setFaults([]);
      statuses.push(result.status);
      counts.push(result.counts);
      if (result.status === 'failed' || result.status === 'excluded') continue;
      const named = namedBy(rig.problems.all.slice(before));
      const [wanted, found] = [await subject.wanted(rig, owner), await subject.found(rig, resource)];
      const silent = unlikeOf(wanted, found).filter((key) => ![key, ...(wanted.get(key)?.within ?? [])].some((one) => named.has(one)));
      // What the service said to be deleted is counted, and looked for once more.
      if (silent.length > result.counts.gone) violations.push(`silently missing after ${result.status}: ${told(silent, wanted, found)}`);
    }
    const healed = await rig.backup(resource, options);
    statuses.push(healed.status);
    counts.push(healed.counts);
    if (healed.status !== 'successful') violations.push(`a clean run ended ${healed.status} (${healed.code ?? ''})`);
    const [wanted, found] = [await subject.wanted(rig, owner), await subject.found(rig, resource)];
    const unlike = [...unlikeOf(wanted, found), ...[...found.keys()].filter((key) => !wanted.has(key))];
    if (unlike.length > 0) violations.push(`after a clean run: ${told(unlike, wanted, found)}`);
    await rig.close();
    const requests = source.simulator.simulation.log.list({ after: requestsBefore });
    return { seed, of: subject.name, statuses, violations, trace: traceOf(requests, rig.problems.all, { counts, statuses }) };
  }

  return {
    play,
    async close() {
      await connections.close();
      await source.close();
    },
  };
}
