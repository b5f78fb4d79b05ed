import { createSeededRandom, type Random } from '@holdfast/foundation/random';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driveOfTruth, driveOfVault } from '../testing/compare-drive.ts';
import { mailOfTruth, mailOfVault } from '../testing/compare-mail.ts';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { Selection } from '../src/ports/run.ts';
import type { Resource } from '../src/ports/item.ts';

const SEEDS = [1, 3];
const ROUNDS = 8;
const CHANGES = 4;
const NAMES = ['A', 'B', 'C', 'D'] as const;
const MAIL_ONLY = { calendars: false, contacts: false, tasks: false };

/** Jobs over the same thing; which of them there are changes from run to run. */
const JOBS: readonly Selection[] = [
  { include: ['A/B', 'C'] },
  { include: ['B', 'A'], exclude: ['A/C', 'b/d'] },
  { exclude: ['A', 'D/A', 'C'] },
  { include: ['D'], fileVersions: 3 },
];

const isAt = (path: string, places: readonly string[] = []): boolean =>
  places.some((place) => `${path.toLowerCase()}/`.startsWith(`${place.toLowerCase()}/`));

/** Said here once more and in one line: a place is protected when a job includes it, or says nothing of places, and does not exclude it. */
const isProtected = (path: string, jobs: readonly Selection[]): boolean =>
  jobs.some(({ include, exclude }) => (!include || isAt(path, include)) && !isAt(path, exclude));

/** What of a place is there, and what can be done to it by a change that is drawn. */
interface Place {
  readonly resource: Resource;
  readonly begin: () => void;
  readonly change: (random: Random) => Promise<void>;
  /** What is stored, and what of the truth the jobs protect. */
  readonly compared: (jobs: readonly Selection[]) => Promise<readonly [unknown, unknown]>;
}

const drawn = <T>(random: Random, from: readonly T[]): T => {
  const one = from[random.below(from.length)];
  if (one === undefined) throw new Error('There is nothing to draw from.');
  return one;
};

/** Folders under these names beside each other and in each other, so that each move or new name changes who chooses what is in them. */
function makeFolders(make: (name: string, parent: string | undefined) => string): string[] {
  return NAMES.flatMap((name) => {
    const top = make(name, undefined);
    return [top, ...NAMES.slice(0, 3).map((inner) => make(inner, top))];
  });
}

/** A change that the service refuses, because the name is taken, is none; nor is one for which nothing is left. */
const tried = (change: () => unknown): void => {
  try {
    change();
  } catch {
    // Another one is drawn.
  }
};

function driveOf(rig: Rig, user: string): Place {
  const resource = rig.resource('drive', user);
  const act = (name: string, input: object) => rig.act(name, { user, ...input });
  return {
    resource,
    begin() {
      const folders = makeFolders((name, parentId) => String(act('drives.createFolder', { name, parentId })['id']));
      for (const [index, parentId] of folders.entries()) act('drives.createFile', { name: `${index}.txt`, parentId, sizeBytes: 500 });
    },
    async change(random) {
      const all = [...(await driveOfTruth(rig, user))];
      const folders = all.filter(([, { kind }]) => kind === 'folder');
      const file = (): string =>
        drawn(
          random,
          all.filter(([, { kind }]) => kind === 'file'),
        )[0];
      tried(() => {
        const [id, { path }] = drawn(random, folders);
        const [parentId] = drawn(
          random,
          folders.filter(([other, place]) => other !== id && !isAt(place.path, [path])),
        );
        const changes: readonly (() => unknown)[] = [
          () => act('drives.createFile', { name: `${random.below(1_000_000)}.txt`, parentId: id, sizeBytes: 500 }),
          () => act('drives.edit', { id: file(), sizeBytes: 600 }),
          () => act('drives.move', { id: file(), parentId: id }),
          () => act('drives.move', { id, name: drawn(random, NAMES) }),
          () => act('drives.move', { id, parentId }),
          () => act('drives.move', { id, parentId, name: drawn(random, NAMES) }),
          () => act('drives.delete', { id: random.below(4) === 0 ? id : file() }),
        ];
        drawn(random, changes)();
      });
    },
    async compared(jobs) {
      const truth = [...(await driveOfTruth(rig, user))];
      return [
        await driveOfVault(rig, resource),
        new Map(truth.filter(([, { kind, path }]) => kind === 'folder' || isProtected(path, jobs))),
      ];
    },
  };
}

function mailOf(rig: Rig, user: string): Place {
  const resource = rig.resource('mailbox', user);
  const act = (name: string, input: object) => rig.act(name, { user, ...input });
  const folders: string[] = [];
  return {
    resource,
    begin() {
      folders.push(...makeFolders((name, parent) => String(act('mail.createFolder', { name, parent })['id'])));
      for (const folder of folders) act('mail.deliver', { folder, subject: `In ${folder}` });
    },
    async change(random) {
      const messages = [...(await mailOfTruth(rig, user)).keys()];
      tried(() => {
        const id = drawn(random, messages);
        const folder = drawn(random, folders);
        const changes: readonly (() => unknown)[] = [
          () => act('mail.deliver', { folder, subject: `News ${random.below(1_000_000)}` }),
          () => act('mail.move', { id, folder }),
          () => act('mail.read', { id }),
          () => act('mail.renameFolder', { folder, name: drawn(random, NAMES) }),
          () => act('mail.moveFolder', { folder, parent: drawn(random, ['inbox', 'archive']) }),
          () => act('mail.purge', { id }),
        ];
        drawn(random, changes)();
      });
    },
    async compared(jobs) {
      const truth = [...(await mailOfTruth(rig, user))];
      return [await mailOfVault(rig, resource), new Map(truth.filter(([, { path }]) => isProtected(path, jobs)))];
    },
  };
}

describe('what several jobs choose of the same thing', () => {
  let rig: Rig;
  const users: string[] = [];

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const { id, userType } of rig.graph.directory.users()) if (userType === 'Member') users.push(id);
  });
  afterAll(() => rig.close());

  const cases = SEEDS.flatMap((seed, index) => [
    { kind: 'drive', placeOf: driveOf, seed, index },
    { kind: 'mailbox', placeOf: mailOf, seed, index },
  ]);
  it.each(cases)('is in the newest point of a $kind whichever has run, seed $seed', async ({ placeOf, seed, index }) => {
    const random = createSeededRandom(seed);
    const place = placeOf(rig, users[index] ?? '');
    place.begin();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const there = JOBS.filter(() => random.below(3) > 0);
      const jobs = there.length > 0 ? there : [drawn(random, JOBS)];
      const turned = random.below(jobs.length);
      const [selection = {}, ...beside] = [...jobs.slice(turned), ...jobs.slice(0, turned)].map((job) => ({ ...job, mailbox: MAIL_ONLY }));
      for (let count = random.below(CHANGES + 1); count > 0; count -= 1) await place.change(random);
      // A run that breaks off somewhere, and has stored what it had so far, changes nothing of what the next one brings.
      rig.simulator.control.setFaults([{ match: { method: 'GET', nth: 1 + random.below(8) }, do: 'status', status: 403 }]);
      if (round > 1) await rig.backup(place.resource, { selection, beside, checkpoint: { items: 1, bytes: 1 } });
      rig.simulator.control.setFaults([]);
      const result = await rig.backup(place.resource, { selection, beside });
      const [stored, wanted] = await place.compared(jobs);
      const at = `round ${round} of ${JSON.stringify(jobs)}`;
      expect(result.status, at).toBe('successful');
      expect(stored, at).toEqual(wanted);
      const [last = {}, ...others] = [selection, ...beside].reverse();
      expect(await rig.backup(place.resource, { selection: last, beside: others }), `${at}, by another job`).toMatchObject({ segments: 0 });
    }
  });
});
