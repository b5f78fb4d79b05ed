import type { GraphClient } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { JsonObject } from '../../ports/item.ts';
import { addChannelMembers, addTeamMembers, channelBody, installApps, restoreTabs, statesLost, teamSettings } from './team-structure.ts';

const channel = { teamId: 't', channelId: 'c' };
const known = new Set(['ada', 'bo']);
const people = { isKnownUser: (id: string) => known.has(id), nameOf: () => undefined, stand: { id: 'ada', displayName: 'Ada' } };
const aChannel = (properties: JsonObject = {}) => anItem('channel:c', { kind: 'channel', name: 'Plans', properties });
const someone = (userId: string, ...roles: readonly string[]) => ({ userId, roles });

/** A team with these members and tabs, which refuses whom and what it is told to. */
function aTeam({
  members = [],
  tabs = [],
  apps = [],
  refuses = [],
}: {
  readonly members?: readonly object[];
  readonly tabs?: readonly string[];
  readonly apps?: readonly string[];
  readonly refuses?: readonly string[];
}) {
  const made: unknown[] = [];
  const take = async (_place: object, body: { readonly displayName?: string }): Promise<void> => {
    if (refuses.some((one) => JSON.stringify(body).includes(one))) throw new Error('refused');
    made.push(body);
  };
  async function* listed(all: readonly object[]) {
    yield* all;
  }
  const teams = {
    members: () => listed(members),
    channelMembers: () => listed(members),
    tabs: () => listed(tabs.map((displayName) => ({ displayName }))),
    createTab: take,
    apps: () => listed(apps.map((id) => ({ teamsApp: { id } }))),
    installApp: take,
    addChannelMember: take,
    addMembers: async (_team: object, bodies: readonly object[]) => {
      made.push(...bodies);
      return bodies.map((body) => (refuses.some((one) => JSON.stringify(body).includes(one)) ? { error: { code: 'x', message: '' } } : {}));
    },
  };
  return { made, graph: { teams } as unknown as GraphClient };
}

it('settings come back without what the service says of them', () => {
  const properties = { memberSettings: { allowCreateUpdateChannels: false, '@odata.type': 'x' }, guestSettings: null, funSettings: 'none' };
  expect(teamSettings(anItem('team:t', { kind: 'team', properties }))).toEqual({ memberSettings: { allowCreateUpdateChannels: false } });
});

describe('members of a team', () => {
  const item = (...members: readonly JsonObject[]) => anItem('team:t', { kind: 'team', properties: { members } });

  it('are added when they are missing, as owners when they were', async () => {
    const { graph, made } = aTeam({ members: [someone('ada'), {}] });
    expect(
      await addTeamMembers(graph, 't', item(someone('ada', 'owner'), someone('bo', 'owner', 'guest'), { roles: [] }, { userId: 'cy' })),
    ).toEqual([]);
    expect(made).toMatchObject([{ roles: ['owner'] }, { roles: [] }]);
    expect(JSON.stringify(made)).toContain("users('bo')");
    expect(await addTeamMembers(graph, 't', item(someone('ada')))).toEqual([]);
    expect(made).toHaveLength(2);
  });

  it('are named when the service refuses one of them', async () => {
    expect(await addTeamMembers(aTeam({ refuses: ['bo'] }).graph, 't', item(someone('ada'), someone('bo')))).toEqual(['members']);
  });
});

describe('apps of a team', () => {
  const item = (...apps: readonly JsonObject[]) => anItem('team:t', { kind: 'team', properties: { apps } });
  const app = (id: string) => ({ teamsApp: { id } });

  it('are installed when they are missing', async () => {
    const { graph, made } = aTeam({ apps: ['planner'] });
    expect(await installApps(graph, 't', item(app('planner'), app('polly')))).toEqual([]);
    expect(made).toEqual([{ 'teamsApp@odata.bind': 'https://graph.microsoft.com/v1.0/appCatalogs/teamsApps/polly' }]);
    expect(await installApps(graph, 't', item())).toEqual([]);
  });

  it('are named when the service refuses one of them or nobody knows which it was, and the others come all the same', async () => {
    const { graph, made } = aTeam({ refuses: ['polly'] });
    expect(await installApps(graph, 't', item(app('polly'), app('planner')))).toEqual(['apps']);
    expect(made).toHaveLength(1);
    expect(await installApps(graph, 't', item({ teamsApp: null }))).toEqual(['apps']);
  });
});

it('what a team or a channel that is made anew no longer is, is named', () => {
  expect(statesLost(anItem('t', { properties: { isArchived: false, classification: null, specialization: 'none' } }))).toEqual([]);
  expect(statesLost(anItem('t', { properties: { isArchived: true, isFavoriteByDefault: true } }))).toEqual([
    'isArchived',
    'isFavoriteByDefault',
  ]);
  expect(statesLost(anItem('t', { properties: { classification: 'Secret', specialization: 'educationClass' } }))).toEqual([
    'classification',
    'specialization',
  ]);
});

describe('a channel that is made anew', () => {
  it('is of its kind; one that is not open to all begins with an owner who is still there', async () => {
    const { graph } = aTeam({ members: [someone('gone', 'owner'), someone('bo', 'owner')] });
    const of = (properties: JsonObject) => channelBody(graph, 't', { item: aChannel(properties), people });
    expect(await of({})).toEqual({ displayName: 'Plans', membershipType: 'standard' });
    expect(await of({ membershipType: 'standard', description: 'What is to come' })).toMatchObject({ description: 'What is to come' });
    const closed = (...members: readonly JsonObject[]) => of({ membershipType: 'private', members });
    expect(JSON.stringify(await closed(someone('gone', 'owner'), someone('bo'), someone('ada', 'owner')))).toContain("users('ada')");
    expect(JSON.stringify(await closed(someone('gone', 'owner'), someone('bo')))).toContain("users('bo')");
    // A guest can't own it.
    expect(JSON.stringify(await closed(someone('ada', 'guest'), someone('bo')))).toContain("users('bo')");
    // All of them have left: the team's own owner.
    expect(JSON.stringify(await closed(someone('gone', 'owner')))).toContain("users('bo')");
    const nobody = aTeam({ members: [someone('ada'), {}] }).graph;
    expect(await channelBody(nobody, 't', { item: aChannel({ membershipType: 'shared' }), people })).toEqual({
      displayName: 'Plans',
      membershipType: 'shared',
    });
  });

  it('gets its members, but for those it has and those whom the service refuses', async () => {
    const { graph, made } = aTeam({ members: [someone('ada')], refuses: ['cy'] });
    const members = [someone('ada'), someone('bo', 'owner'), {}];
    expect(await addChannelMembers(graph, channel, aChannel({ members }))).toEqual([]);
    expect(made).toMatchObject([{ roles: ['owner'] }]);
    expect(await addChannelMembers(graph, channel, aChannel({ members: [someone('cy')] }))).toEqual(['members']);
    expect(await addChannelMembers(graph, channel, aChannel())).toEqual([]);
  });

  it('gets its tabs, but for those it has, those of no app, and those that the service refuses', async () => {
    const { graph, made } = aTeam({ tabs: ['Wiki'], refuses: ['Broken'] });
    const tab = (displayName: string, teamsApp?: JsonObject) => ({
      displayName,
      configuration: { contentUrl: 'x' },
      ...(teamsApp ? { teamsApp } : {}),
    });
    expect(await restoreTabs(graph, channel, aChannel({ tabs: [tab('Wiki'), tab('Board', { id: 'app' })] }))).toEqual([]);
    expect(made).toMatchObject([{ displayName: 'Board', configuration: { contentUrl: 'x' } }]);
    expect(await restoreTabs(graph, channel, aChannel({ tabs: [tab('Nothing')] }))).toEqual(['tabs']);
    expect(await restoreTabs(graph, channel, aChannel({ tabs: [tab('Broken', { id: 'app' })] }))).toEqual(['tabs']);
    expect(await restoreTabs(graph, channel, aChannel())).toEqual([]);
  });
});
