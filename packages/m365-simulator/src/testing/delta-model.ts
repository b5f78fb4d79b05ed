import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { allChannels, type ChannelRecord } from '../places/team-records.ts';
import { teamsWorkload } from '../teams/teams-workload.ts';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { objectField, textField } from '../http/body-fields.ts';
import type { JsonObject } from '../values/json.ts';
import { placesOf } from '../places/places.ts';
import { sitesWorkload } from '../sites/sites-workload.ts';
import type { Switches } from '../state/switches.ts';
import { createInProcess, type InProcess } from './in-process.ts';
import { drivesWorkload } from '../drives/drives-workload.ts';

const workloads = [directoryWorkload, drivesWorkload, sitesWorkload, teamsWorkload];

/** Every knob that makes a delta hard to follow, in any mixture. */
const someKnobs = fc.record({
  deltaEmptyPages: fc.constantFrom(0, 0.3),
  deltaRepeats: fc.constantFrom(0, 0.4),
  deltaReplays: fc.constantFrom(0, 0.5),
  deltaRandomOrder: fc.boolean(),
  deltaChildrenFirst: fc.boolean(),
  deltaHoldBack: fc.constantFrom(0, 0.4),
});

/** What happens between two pages: numbers choose what it is done to. */
const someActions = fc.array(fc.tuple(fc.nat(8), fc.nat(), fc.nat()), { maxLength: 6 });
const someRounds = fc.array(someActions, { minLength: 3, maxLength: 12 });

/** A client that keeps what delta tells it, page by page, and acts as people do in between. */
interface Follower {
  readonly view: Map<string, string>;
  /** Reads one page; true when a round ended with it. */
  page(): Promise<boolean>;
}

function follow(sim: InProcess, first: string, apply: (view: Map<string, string>, entry: JsonObject) => void): Follower {
  const view = new Map<string, string>();
  let next = first;
  return {
    view,
    async page() {
      const { status, json } = await sim.get(next);
      if (status !== 200) throw new Error(`${next} answered ${status}`);
      for (const entry of json['value'] as unknown as JsonObject[]) apply(view, entry);
      const delta = json['@odata.deltaLink'];
      next = (delta ?? json['@odata.nextLink']) as string;
      return delta !== undefined;
    },
  };
}

/** Follows to the end: as many whole rounds as it takes until nothing is held back any more. */
async function settle(sim: InProcess, follower: Follower): Promise<void> {
  sim.set({ deltaHoldBack: 0 });
  for (let round = 0; round < 3;) if (await follower.page()) round += 1;
}

interface Actor {
  act(kind: number, first: number, second: number): Promise<void>;
}

async function play(
  sim: InProcess,
  follower: Follower,
  actor: Actor,
  rounds: readonly (readonly [number, number, number][])[],
): Promise<void> {
  for (const actions of rounds) {
    for (const [kind, first, second] of actions) await actor.act(kind, first, second);
    sim.clock.advance(1000);
    await follower.page();
  }
  await settle(sim, follower);
}

/** What people do to a drive, by number. */
function driveActions(sim: InProcess, drive: string) {
  const items = `/drives/${drive}/items`;
  const put = (address: string, text: string): Promise<unknown> => sim.ask('PUT', address, { body: Buffer.from(text) });
  type Doing = (to: { readonly id: string; readonly folder: string; readonly count: number }) => Promise<unknown>;
  const actions: readonly Doing[] = [
    ({ folder, count }) => sim.ask('POST', `${items}/${folder}/children`, { body: { name: `folder ${count}`, folder: {} } }),
    ({ folder, count }) => put(`${items}/${folder}:/file%20${count}.txt:/content`, `${count}`),
    ({ id, count }) => sim.ask('PATCH', `${items}/${id}`, { body: { name: `renamed ${count}` } }),
    ({ id, folder }) => sim.ask('PATCH', `${items}/${id}`, { body: { parentReference: { id: folder } } }),
    ({ id }) => sim.ask('DELETE', `${items}/${id}`),
    ({ id }) => sim.ask('POST', `${items}/${id}/createLink`, { body: { type: 'view', scope: 'organization' } }),
    ({ id, count }) => put(`${items}/${id}/content`, `content ${count}`),
    ({ id }) => sim.ask('POST', `${items}/${id}/permanentDelete`),
    // As a restore does: under a name that something had that may be gone by now.
    ({ folder, count }) => put(`${items}/${folder}:/restored.txt:/content`, `restored ${count}`),
  ];
  return actions;
}

function driveActor(sim: InProcess, drive: string): Actor {
  const actions = driveActions(sim, drive);
  let count = 0;
  return {
    async act(kind, first, second) {
      const truth = await sim.truth('drives', drive);
      const folders = ['root', ...truth.filter((line) => line.kind === 'folder').map((line) => line.id)];
      const folder = folders[second % folders.length] ?? 'root';
      const item = truth[first % Math.max(1, truth.length)];
      count += 1;
      // Where nothing is there yet, a file comes first.
      await actions[item || kind === 0 ? kind : 1]?.({ id: item?.id ?? '', folder, count });
    },
  };
}

function listActor(sim: InProcess, list: string): Actor {
  let count = 0;
  return {
    async act(kind, first) {
      count += 1;
      const id = 1 + (first % 14);
      if (kind < 2) await sim.ask('POST', `${list}/items`, { body: { fields: { Title: `new ${count}` } } });
      else if (kind < 5) await sim.ask('PATCH', `${list}/items/${id}/fields`, { body: { Title: `changed ${count}` } });
      else await sim.ask('DELETE', `${list}/items/${id}`);
    },
  };
}

function channelActor(sim: InProcess, channel: ChannelRecord): Actor {
  let count = 0;
  return {
    async act(kind, first) {
      count += 1;
      const truth = (await sim.truth('channels', channel.id)).filter((line) => line.metadata['rootId'] === null);
      const id = truth[first % truth.length]?.id ?? '';
      const input = { channel: channel.id, content: `text ${count}` };
      if (kind < 2) sim.act('teams.post', input);
      else if (kind < 4) sim.act('teams.post', { ...input, rootId: id });
      else sim.act(kind === 4 ? 'teams.edit' : kind === 5 ? 'teams.react' : 'teams.delete', { ...input, id });
    },
  };
}

function start(knobs: Partial<Switches>): InProcess {
  const sim = createInProcess({ workloads, recipe: 'tiny' });
  sim.set({ ...knobs, channelDeltaMonths: 1200 });
  return sim;
}

function sorted(lines: Iterable<readonly [string, string]>): [string, string][] {
  return [...lines].map(([id, text]): [string, string] => [id, text]).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Follows files and folders by delta through `numRuns` random histories; throws when view and store differ. */
export async function checkDrive(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(someKnobs, someRounds, async (knobs, rounds) => {
      const sim = start(knobs);
      const drive = placesOf(sim.tenant).libraries.find((library) => library.driveType === 'business')?.driveId ?? '';
      const follower = follow(sim, `/drives/${drive}/root/delta?$top=4`, (view, entry) => {
        if (entry['deleted']) view.delete(textField(entry, 'id') ?? '');
        else if (!entry['root'])
          view.set(
            textField(entry, 'id') ?? '',
            `${textField(objectField(entry, 'parentReference'), 'id')}/${textField(entry, 'name')}/${textField(entry, 'eTag')?.split(',')[1]}`,
          );
      });
      await play(sim, follower, driveActor(sim, drive), rounds);
      const truth = await sim.truth('drives', drive);
      const wanted = truth.map((line): [string, string] => [
        line.id,
        `${textField(line.metadata, 'parentId')}/${textField(line.metadata, 'name')}/${String(line.metadata['revision'] as number)}"`,
      ]);
      deepStrictEqual(sorted(follower.view), sorted(wanted));
      sim.requireValid();
    }),
    { numRuns },
  );
}

/** Follows rows by delta through `numRuns` random histories; throws when view and store differ. */
export async function checkList(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(someKnobs, someRounds, async (knobs, rounds) => {
      const sim = start(knobs);
      const site = placesOf(sim.tenant).sites.find((place) => place.lists > 0)?.id ?? '';
      const follower = follow(sim, `/sites/${site}/lists/Vorgaenge/items/delta?$expand=fields&$top=3`, (view, entry) => {
        const id = textField(entry, 'id') ?? '';
        if (entry['deleted']) view.delete(id);
        else view.set(id, textField(objectField(entry, 'fields'), 'Title') ?? '');
      });
      await play(sim, follower, listActor(sim, `/sites/${site}/lists/Vorgaenge`), rounds);
      const truth = (await sim.truth('sites', site)).filter((line) => line.kind === 'listItem' && line.path.includes('Vorgaenge'));
      deepStrictEqual(
        sorted(follower.view),
        sorted(truth.map((line): [string, string] => [line.id, textField(objectField(line.metadata, 'fields'), 'Title') ?? ''])),
      );
      sim.requireValid();
    }),
    { numRuns },
  );
}

/** Follows posts and replies by delta through `numRuns` random histories; throws when view and store differ. */
export async function checkChannel(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(someKnobs, someRounds, async (knobs, rounds) => {
      const sim = start(knobs);
      const [channel] = allChannels(sim.tenant);
      if (!channel) throw new Error('The recipe has no channel.');
      const follower = follow(
        sim,
        `/teams/${channel.teamId}/channels/${channel.id}/messages/delta?$expand=replies&$top=3`,
        (view, entry) => {
          for (const message of [entry, ...(entry['replies'] as unknown as JsonObject[])])
            view.set(textField(message, 'id') ?? '', textField(message, 'etag') ?? '');
        },
      );
      await play(sim, follower, channelActor(sim, channel), rounds);
      const truth = await sim.truth('channels', channel.id);
      deepStrictEqual(
        sorted(follower.view),
        sorted(truth.map((line): [string, string] => [line.id, String(Date.parse(textField(line.metadata, 'modifiedAt') ?? ''))])),
      );
      sim.requireValid();
    }),
    { numRuns },
  );
}
