import { createSeededRandom, type Random } from '@holdfast/foundation/random';
import { createMemoryBlobStore } from '@holdfast/vault';
import { driveOfTruth, driveOfVault } from './compare-drive.ts';
import { mailOfTruth, mailOfVault } from './compare-mail.ts';
import { createHurriedClock } from './hurried-clock.ts';
import { createRig, type Rig } from './rig.ts';
import type { Resource } from '../src/ports/item.ts';

const MAIL_ONLY = { mailbox: { calendars: false, contacts: false, tasks: false } };
const CHECKPOINTS = [1, 3, 7, 500];

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
    { do: 'reset', at: pick(random, ['before', 'middle', 'after']) },
    { do: 'truncate' },
    { do: 'empty' },
    { do: 'vanish' },
    { do: 'expireDelta' },
    { do: 'expireToken' },
    { do: 'expireUrl' },
    { do: 'corruptMessage' },
    { do: 'slowPage', items: 3 },
  ];
  return { match, times, ...pick(random, kinds) };
}

/** What one seed did and found; equal for equal seeds. */
export interface FaultyRun {
  readonly seed: number;
  readonly statuses: readonly string[];
  readonly violations: readonly string[];
}

function missing(
  wanted: ReadonlyMap<string, { readonly sha256: string }>,
  found: ReadonlyMap<string, { readonly sha256: string }>,
): string[] {
  return [...wanted].filter(([id, one]) => found.get(id)?.sha256 !== one.sha256).map(([id]) => id);
}

/** A tenant that seeds are played on, one after another; each seed has its own vault. */
export async function createFaultyTenant() {
  const clock = createHurriedClock();
  const source = await createRig({ recipes: ['tiny'], clockOfEngine: clock });
  const control = source.simulator.control;
  const tenantId = source.simulator.tenants[0]?.tenantId ?? '';
  const users: string[] = [];
  for await (const user of source.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) users.push(user.id);
  const start = control.snapshot();

  async function check(rig: Rig, resource: Resource, userId: string): Promise<{ readonly lost: string[]; readonly extra: number }> {
    const isMail = resource.kind === 'mailbox';
    const wanted = isMail ? await mailOfTruth(rig, userId) : await driveOfTruth(rig, userId);
    const found = isMail ? await mailOfVault(rig, resource) : await driveOfVault(rig, resource);
    return { lost: missing(wanted, found), extra: [...found.keys()].filter((id) => !wanted.has(id)).length };
  }

  async function play(seed: number): Promise<FaultyRun> {
    const random = createSeededRandom(seed);
    control.restore(start);
    control.setFaults([]);
    const rig = await createRig({ shared: source.simulator, store: createMemoryBlobStore(), clockOfEngine: clock, seed });
    const violations: string[] = [];
    const statuses: string[] = [];
    const userId = pick(random, users);
    const resource = rig.resource(pick(random, ['mailbox', 'drive'] as const), userId);
    const checkpoint = { items: pick(random, CHECKPOINTS), bytes: 1_000_000_000 };
    control.setSwitches({
      deltaEmptyPages: random.next() * 0.3,
      deltaRepeats: random.next() * 0.3,
      deltaReplays: random.next() * 0.2,
      deltaRandomOrder: random.next() < 0.5,
      deltaChildrenFirst: random.next() < 0.3,
    });
    for (let round = 0; round < 2; round += 1) {
      if (round > 0) control.playDay(tenantId, seed % 50);
      control.setFaults(Array.from({ length: 1 + random.below(3) }, () => aFault(random)) as never);
      const before = rig.problems.all.length;
      const result = await rig.backup(resource, { selection: MAIL_ONLY, checkpoint });
      control.setFaults([]);
      statuses.push(result.status);
      if (result.status === 'failed' || result.status === 'excluded') continue;
      const named = new Set(rig.problems.all.slice(before).map((problem) => problem.itemKey?.slice(problem.itemKey.lastIndexOf(':') + 1)));
      const { lost } = await check(rig, resource, userId);
      const isWholeFolderNamed = rig.problems.all.slice(before).some((problem) => problem.kind !== 'message' && problem.kind !== 'file');
      const silent = lost.filter((id) => !named.has(id));
      if (silent.length > 0 && !isWholeFolderNamed && result.counts.gone === 0)
        violations.push(`silently missing after ${result.status}: ${silent.join(' ')}`);
    }
    const healed = await rig.backup(resource, { selection: MAIL_ONLY, checkpoint });
    const again = await rig.backup(resource, { selection: MAIL_ONLY, checkpoint });
    statuses.push(healed.status, again.status);
    if (again.status !== 'successful') violations.push(`a clean run ended ${again.status} (${again.code ?? ''})`);
    const { lost, extra } = await check(rig, resource, userId);
    if (lost.length > 0 || extra > 0) violations.push(`after clean runs: ${lost.length} lost, ${extra} extra`);
    await rig.close();
    return { seed, statuses, violations };
  }

  return { play, close: () => source.close() };
}
