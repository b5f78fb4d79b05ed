import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { ChannelSelection } from '../../backup/run.ts';
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

const take = (channels?: ChannelSelection) => rig.backup(team, { selection: channels ? { channels } : {} });
/** Which channels have messages in the newest point. */
const read = async (): Promise<string[]> => {
  const items = await rig.items(team);
  const holding = new Set(items.filter(({ kind }) => kind === 'post').map(({ parentKey }) => parentKey));
  return items.filter(({ kind, key }) => kind === 'channel' && holding.has(key)).map(({ name }) => name);
};
const leftOut = async () =>
  (await Array.fromAsync(readCoverage(rig.catalog, team))).filter(({ kind }) => kind === 'channel').map(({ code, path }) => [code, path]);

test('a job of one channel reads this one alone, and the others are told not to be protected', async () => {
  expect(await take({ chosen: [first], kept: [] })).toMatchObject({ status: 'successful' });
  expect(await read()).toEqual([first.name]);
  expect(await leftOut()).toContainEqual(['coverage.channel-not-selected', expect.stringContaining(second.name)]);
  expect(await take({ chosen: [first], kept: [] }), 'nothing was said since').toMatchObject({ segments: 0, bytesRead: 0 });
});

test('what another job reads of the team stays as that has left it', async () => {
  await take();
  const all = await read();
  expect(all).toEqual(expect.arrayContaining([first.name, second.name]));
  expect(await take({ chosen: [first], kept: 'all' })).toMatchObject({ segments: 0 });
  expect(await take({ chosen: [first], kept: [second.id] })).toMatchObject({ counts: { seen: expect.any(Number) } });
  expect(await read()).toEqual(expect.arrayContaining([first.name, second.name]));
});

test('a channel that nobody chooses any more holds nothing from now on, and is read whole when it is chosen again', async () => {
  await take();
  const whole = (await rig.items(team)).length;
  const sequence = (await rig.catalog.points(team.id)).at(-1)?.sequence;
  await take({ chosen: [second], kept: [] });
  expect(await read()).toEqual([second.name]);
  expect((await rig.items(team, sequence)).length, 'earlier points keep it').toBe(whole);
  await take();
  expect((await rig.items(team)).length).toBe(whole);
  expect(await leftOut()).toEqual([]);
});

test('a chosen channel that is not there is told, until nobody chooses it', async () => {
  const gone = { id: '19:gone@thread.tacv2', name: 'Gone' };
  expect(await take({ chosen: [first, gone], kept: 'all' })).toMatchObject({ status: 'successful', counts: { excluded: 1 } });
  expect(await leftOut()).toEqual([['coverage.channel-gone', 'Gone']]);
  await take({ chosen: [first], kept: 'all' });
  expect(await leftOut()).toEqual([]);
});
