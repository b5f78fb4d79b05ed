import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { ChosenChannel, Selection } from '../../ports/run.ts';
import { readCoverage } from '../../coverage/read-coverage.ts';
import type { Resource } from '../../ports/item.ts';

let rig: Rig;
let team: Resource;
let first: { readonly id: string; readonly name: string };
let second: { readonly id: string; readonly name: string };

beforeAll(async () => {
  rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
  for await (const group of rig.graph.directory.groups({ teamsOnly: true }))
    team ??= rig.resource('team', group.id, group.displayName ?? '');
  const channels: { readonly id: string; readonly name: string }[] = [];
  for await (const { id, displayName } of rig.graph.teams.channels({ teamId: team.graphId }))
    channels.push({ id, name: displayName ?? '' });
  const [one, two] = channels;
  if (!one || !two) throw new Error('The team has no two channels.');
  [first, second] = [one, two];
});
afterAll(() => rig.close());

const take = (channels?: readonly ChosenChannel[], ...beside: readonly Selection[]) =>
  rig.backup(team, { selection: channels ? { channels } : {}, beside });
/** Which channels have messages in the newest point. */
const read = async (): Promise<string[]> => {
  const items = await rig.items(team);
  const holding = new Set(items.filter(({ kind }) => kind === 'post').map(({ parentKey }) => parentKey));
  return items.filter(({ kind, key }) => kind === 'channel' && holding.has(key)).map(({ name }) => name);
};
const leftOut = async () =>
  (await Array.fromAsync(readCoverage(rig.catalog, team))).filter(({ kind }) => kind === 'channel').map(({ code, path }) => [code, path]);

test('a job of one channel reads this one alone, and the others are told not to be protected', async () => {
  expect(await take([first])).toMatchObject({ status: 'successful' });
  expect(await read()).toEqual([first.name]);
  expect(await leftOut()).toContainEqual(['coverage.channel-not-selected', expect.stringContaining(second.name)]);
  expect(await take([first]), 'nothing was said since').toMatchObject({ segments: 0, bytesRead: 0 });
});

test('what other jobs choose of the team is read too, whichever job runs', async () => {
  await take([first], { channels: [second] });
  const both = await rig.items(team);
  expect(await read()).toEqual(expect.arrayContaining([first.name, second.name]));
  expect(await take([second], { channels: [first] })).toMatchObject({ segments: 0 });
  await take([first], { channels: [second] }, {});
  expect((await rig.items(team)).length, 'a job that takes the whole team has all of it read').toBeGreaterThanOrEqual(both.length);
  expect(await leftOut()).toEqual([]);
});

test('a channel that nobody chooses any more holds nothing from now on, and is read whole when it is chosen again', async () => {
  await take();
  const whole = (await rig.items(team)).length;
  const sequence = (await rig.catalog.points(team.id)).at(-1)?.sequence;
  await take([second]);
  expect(await read()).toEqual([second.name]);
  expect((await rig.items(team, sequence)).length, 'earlier points keep it').toBe(whole);
  await take();
  expect((await rig.items(team)).length).toBe(whole);
  expect(await leftOut()).toEqual([]);
});

test('a chosen channel that is not there is told, until nobody chooses it', async () => {
  const gone = { id: '19:gone@thread.tacv2', name: 'Gone' };
  const all = { channels: [first, second] };
  expect(await take([first, gone], all)).toMatchObject({ status: 'successful', counts: { excluded: 1 } });
  expect(await leftOut()).toContainEqual(['coverage.channel-gone', 'Gone']);
  await take([first], all);
  expect(await leftOut()).not.toContainEqual(['coverage.channel-gone', 'Gone']);
});
