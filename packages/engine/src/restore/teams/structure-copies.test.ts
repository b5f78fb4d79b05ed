import type { GraphClient } from '@holdfast/m365';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answeredChannel, answeredChatPlace, answeredTeam } from '../../../testing/answered-places.ts';
import { compareCopies } from '../../../testing/compare-copies.ts';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { Resource } from '../../ports/item.ts';
import type { RestoreLine } from '../request.ts';
import { member } from './team-structure.ts';

const APP = 'https://graph.microsoft.com/v1.0/appCatalogs/teamsApps/1542629c-01b3-4a6d-8f76-1938b779e48d';

/** A service that has lost a team, which is still there to be compared with. */
const withoutTeam =
  (lost: string) =>
  (graph: GraphClient): GraphClient => ({
    ...graph,
    teams: { ...graph.teams, team: async ({ teamId }) => (teamId === lost ? undefined : graph.teams.team({ teamId })) },
  });

describe('the copy of a team that is gone says what the original says, or the report names the property', () => {
  let rig: Rig;
  let team: Resource;
  let described = '';
  let lines: readonly RestoreLine[];
  let newTeamId = '';

  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
    for await (const { id, displayName } of rig.graph.directory.groups({ teamsOnly: true }))
      team ??= rig.resource('team', id, displayName ?? '');
    const { graphId: teamId } = team;
    await rig.graph.teams.updateTeam(
      { teamId },
      { funSettings: { allowGiphy: false }, guestSettings: { allowCreateUpdateChannels: true } },
    );
    await rig.graph.teams.installApp({ teamId }, { 'teamsApp@odata.bind': APP });
    const [first] = await Array.fromAsync(rig.graph.teams.channels({ teamId }));
    const configuration = { entityId: 'poll', contentUrl: 'https://example.com/poll' };
    await rig.graph.teams.createTab(
      { teamId, channelId: first?.id ?? '' },
      { displayName: 'Poll', 'teamsApp@odata.bind': APP, configuration },
    );
    ({ id: described } = await rig.graph.teams.createChannel(
      { teamId },
      { displayName: 'Launches', description: 'What is to come', membershipType: 'standard' },
    ));
    await rig.backup(team);
    const request = { source: team, selection: 'all', target: { resource: team }, collisions: 'skip' } as const;
    ({ lines } = await rig.restore(request, undefined, withoutTeam(teamId)));
    newTeamId = lines.find(({ kind }) => kind === 'team')?.targetId ?? '';
  }, 120_000);
  afterAll(() => rig.close());

  it('for the team with its people and apps', async () => {
    expect(newTeamId).not.toBe(team.graphId);
    const compared = await compareCopies(lines, {
      kind: 'team',
      section: 'Teams and chats',
      original: () => answeredTeam(rig, team.graphId),
      copy: () => answeredTeam(rig, newTeamId),
    });
    expect(compared).toEqual({ untold: [], notOnPage: [], missing: [], count: 1 });
  });

  it('for its channels with their people and tabs', async () => {
    const compared = await compareCopies(lines, {
      kind: 'channel',
      section: 'Teams and chats',
      original: ({ key }) => answeredChannel(rig, { teamId: team.graphId, channelId: key.slice('channel:'.length) }),
      copy: ({ targetId: channelId }) => answeredChannel(rig, { teamId: newTeamId, channelId }),
    });
    expect(compared).toMatchObject({ untold: [], notOnPage: [], missing: [] });
    expect(compared.count).toBeGreaterThan(1);
    // What can be put back is put back, not reported as lost.
    const launches = lines.find(({ key }) => key === `channel:${described}`);
    expect(launches?.differences).toEqual([]);
  });
});

describe('the copy of a chat that is gone says what the original says, or the report names the property', () => {
  let rig: Rig;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
  }, 60_000);
  afterAll(() => rig.close());

  /** Group chats, each with somebody who takes part in it. */
  async function groupChats(userIds: readonly string[]) {
    const found = new Map<string, { readonly userId: string; readonly topic: string }>();
    for (const userId of userIds) {
      for await (const { id, chatType, topic } of rig.graph.chats.chats({ userId }))
        if (chatType === 'group') found.set(id, { userId, topic: topic ?? '' });
    }
    return found;
  }

  it('for group chats with their people, of whom one is a guest', async () => {
    const users = await Array.fromAsync(rig.graph.directory.users());
    const idsOf = (type: string): string[] => users.flatMap(({ id, userType }) => (userType === type ? id : []));
    const [employee = '', ...others] = idsOf('Member');
    const members = [member(employee, ['owner']), member(idsOf('Guest')[0] ?? '', ['guest'])];
    const { id: withGuest } = await rig.graph.chats.createChat({ chatType: 'group', topic: 'Launch', members });
    rig.act('chats.post', { chat: withGuest, content: '<p>Ready?</p>', by: employee });
    const chats = await groupChats([employee, ...others]);
    expect(chats.has(withGuest)).toBe(true);
    expect(chats.size).toBeGreaterThan(2);
    const told = new Map<string, readonly string[]>();
    for (const [chatId, { userId, topic }] of chats) {
      const source = rig.resource('chat', chatId, topic);
      await rig.backup(source);
      const target = { resource: { ...source, graphId: '19:gone@thread.v2' } };
      const { lines } = await rig.restore({ source, selection: 'all', target, collisions: 'skip' });
      const compared = await compareCopies(lines, {
        kind: 'chat',
        section: 'Teams and chats',
        toldAs: { members: ['memberRoles'] },
        original: () => answeredChatPlace(rig, { userId, chatId }),
        copy: ({ targetId }) => answeredChatPlace(rig, { userId, chatId: targetId }),
      });
      expect(compared).toEqual({ untold: [], notOnPage: [], missing: [], count: 1 });
      told.set(chatId, lines.find(({ kind }) => kind === 'chat')?.differences ?? []);
    }
    expect(told.get(withGuest)).toEqual([]);
  });
});
