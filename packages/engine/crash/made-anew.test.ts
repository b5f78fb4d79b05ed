import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { teamOfTruth } from '../testing/compare-team.ts';
import { dieAndGoOn, requireOnce } from '../testing/die-and-go-on.ts';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { Resource } from '../src/ports/item.ts';

afterEach(() => onCrashPoint(undefined));

describe('a restore that makes anew what is gone', () => {
  let rig: Rig;
  let team: Resource;
  let chat: Resource;
  let drive: Resource;
  let people: readonly string[];
  let snapshot: string;

  /** Who waits lets the time of the service pass as well. */
  function waitingClock() {
    const clock = createHurriedClock();
    const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
      rig.simulator.clock.advance(ms);
      return clock.sleep(ms, signal);
    };
    return Object.freeze({ ...clock, sleep });
  }

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: waitingClock() });
    const members: string[] = [];
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) members.push(user.id);
    people = members.slice(0, 3);
    for await (const group of rig.graph.directory.groups({ teamsOnly: true }))
      team ??= rig.resource('team', group.id, group.displayName ?? '');
    chat = rig.resource('chat', await groupChat(), 'Some people');
    for (const content of ['one', 'two', 'three']) {
      rig.simulator.clock.advance(60_000);
      rig.act('chats.post', { chat: chat.graphId, content: `<p>${content}</p>`, by: people[0] });
    }
    drive = rig.resource('drive', (await rig.graph.drives.userDrive({ userId: people[0] ?? '' })).id);
    await sharedFolder();
    for (const one of [team, chat, drive]) await rig.backup(one);
    rig.simulator.control.setSwitches({ teamCreationMs: 45_000 });
    snapshot = rig.simulator.control.snapshot();
  });
  beforeEach(() => rig.simulator.control.restore(snapshot));
  afterAll(() => rig.close());

  async function groupChat(): Promise<string> {
    const members = people.map((id) => ({
      '@odata.type': '#microsoft.graph.aadUserConversationMember',
      roles: ['owner'],
      'user@odata.bind': `https://graph.microsoft.com/v1.0/users('${id}')`,
    }));
    return (await rig.graph.chats.createChat({ chatType: 'group', members })).id;
  }

  async function sharedFolder(): Promise<void> {
    const { id } = await rig.graph.drives.root({ driveId: drive.graphId });
    const root = { driveId: drive.graphId, itemId: id };
    const made = await rig.graph.drives.createFolder(root, { name: 'Shared plans', conflict: 'fail' });
    await rig.graph.drives.createFolder(root, { name: 'Other plans', conflict: 'fail' });
    const recipients = [{ objectId: people[1] ?? '' }];
    await rig.graph.drives.invite({ driveId: drive.graphId, itemId: made.id }, { recipients, roles: ['write'], requireSignIn: true });
    rig.simulator.clock.advance(3_600_000);
  }

  function tenant() {
    const [one] = rig.simulator.simulation.tenants.values();
    if (!one) throw new Error('There is no tenant.');
    return one;
  }

  const teamsNow = () =>
    tenant()
      .directory.groups()
      .filter((group) => group.isTeam && group.displayName === team.name);
  const said = async (id: string) =>
    (await teamOfTruth(rig, id)).filter((post) => !post.isDeleted).map(({ createdAt, from, body }) => ({ createdAt, from, body }));

  async function chatsNow(): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const one of rig.graph.chats.chats({ userId: people[0] ?? '' })) {
      if (one.chatType === 'group' && (one.members ?? []).length === people.length) found.push(one.id);
    }
    return found;
  }

  async function topicOf(id: string): Promise<string | null | undefined> {
    for await (const one of rig.graph.chats.chats({ userId: people[0] ?? '' })) if (one.id === id) return one.topic;
    return undefined;
  }

  async function wordsOf(id: string): Promise<readonly unknown[]> {
    const records = (await rig.truth('chats', id)).filter((record) => record.kind === 'chatMessage');
    return records.map(({ metadata }) => [metadata['body'], metadata['createdAt']]);
  }

  it.each(['restore.team-ordered', 'restore.container-made', 'restore.before-item', 'restore.before-import'])(
    'makes a team once, also when its worker dies (%s)',
    async (point) => {
      tenant().directory.removeGroup(team.graphId);
      const { result } = await rig.restore({ source: team, selection: 'all', target: { resource: team }, collisions: 'skip' });
      expect(result.status).toBe('successful');
      const wanted = await said(teamsNow()[0]?.id ?? '');
      expect(wanted.length).toBeGreaterThan(3);

      rig.simulator.control.restore(snapshot);
      tenant().directory.removeGroup(team.graphId);
      const ended = await dieAndGoOn(rig, { source: team, collisions: 'skip' }, [point, 1]);
      requireOnce(ended);
      expect(teamsNow()).toHaveLength(1);
      expect(ended.lines.find(({ key }) => key.startsWith('team:'))).toMatchObject({ outcome: 'restored', targetId: teamsNow()[0]?.id });
      expect(await said(teamsNow()[0]?.id ?? '')).toEqual(wanted);
    },
  );

  it('makes a team once when the answer to its creation is lost', async () => {
    tenant().directory.removeGroup(team.graphId);
    rig.simulator.control.setFaults([{ match: { method: 'POST', path: '/teams' }, do: 'applyThenFail', times: 1 }]);
    const { result } = await rig.restore({ source: team, selection: 'all', target: { resource: team }, collisions: 'skip' });
    expect(result.status).toBe('successful');
    expect(teamsNow()).toHaveLength(1);
    expect((await said(teamsNow()[0]?.id ?? '')).length).toBeGreaterThan(3);
  });

  it('gives a team to somebody who is still there when all its owners have left', async () => {
    const owners = tenant().directory.group(team.graphId)?.ownerIds ?? [];
    expect(owners.length).toBeGreaterThan(0);
    tenant().directory.removeGroup(team.graphId);
    for (const user of owners) rig.act('directory.removeUser', { user });
    const { result, lines } = await rig.restore({ source: team, selection: 'all', target: { resource: team }, collisions: 'skip' });
    expect(lines.filter((line) => line.outcome === 'failed')).toEqual([]);
    expect(result.status).toBe('successful');
    const [made] = teamsNow();
    expect(made?.ownerIds).toHaveLength(1);
    expect(owners).not.toContain(made?.ownerIds[0]);
    expect(lines.find(({ key }) => key.startsWith('team:'))?.differences).toContain('members');
  });

  const goneChat = (): Resource => ({ ...chat, graphId: '19:gone@thread.v2' });

  it.each(['restore.container-made', 'restore.before-item', 'restore.before-import'])(
    'makes a chat once, also when its worker dies (%s)',
    async (point) => {
      const before = await chatsNow();
      const ended = await dieAndGoOn(rig, { source: chat, target: goneChat(), collisions: 'skip' }, [point, 1]);
      requireOnce(ended);
      const made = (await chatsNow()).filter((id) => !before.includes(id));
      expect(made).toHaveLength(1);
      expect(ended.lines.find(({ key }) => key.startsWith('chat:'))).toMatchObject({ outcome: 'restored', targetId: made[0] });
      expect(await wordsOf(made[0] ?? '')).toEqual(await wordsOf(chat.graphId));
      expect(await topicOf(made[0] ?? '')).toBe('Some people');
    },
  );

  it('gives no topic to a chat that went by the names of its members', async () => {
    const names = tenant()
      .directory.users()
      .filter(({ id }) => people.includes(id))
      .map(({ displayName }) => displayName);
    const source = { ...rig.resource('chat', await groupChat(), names.toReversed().join(', ')) };
    await rig.backup(source);
    const { lines } = await rig.restore({
      source,
      selection: 'all',
      target: { resource: { ...source, graphId: goneChat().graphId } },
      collisions: 'skip',
    });
    const line = lines.find(({ key }) => key.startsWith('chat:'));
    expect(line).toMatchObject({ outcome: 'restored' });
    expect(await topicOf(line?.targetId ?? '')).toBeNull();
  });

  it('makes a chat once when the answer to its creation is lost', async () => {
    const before = await chatsNow();
    rig.simulator.control.setFaults([{ match: { method: 'POST', path: '/chats' }, do: 'reset', when: 'middle', times: 2 }]);
    await rig.restore({ source: chat, selection: 'all', target: { resource: goneChat() }, collisions: 'skip' });
    const made = (await chatsNow()).filter((id) => !before.includes(id));
    expect(made).toHaveLength(1);
    expect(await wordsOf(made[0] ?? '')).toEqual(await wordsOf(chat.graphId));
  });

  it.each(['skip', 'keepBoth'] as const)('tries the answer again that failed before the worker died (%s)', async (collisions) => {
    const folder = 'Again';
    const fault = {
      match: { method: 'POST', path: '/teams/{id}/channels/{id}/messages/{id}/replies' },
      do: 'status',
      status: 400,
      times: 1,
    };
    const wanted = (await rig.items(team)).filter(({ kind }) => kind === 'post' || kind === 'reply').map(({ key }) => key);
    let imports = 0;
    onCrashPoint((point) => void (imports += point === 'restore.before-import' ? 1 : 0));
    await rig.restore({ source: team, selection: 'all', target: { resource: team, folder }, collisions });
    const said = (await teamOfTruth(rig, team.graphId)).length;
    rig.simulator.control.restore(snapshot);
    rig.simulator.control.setFaults([fault]);
    const ended = await dieAndGoOn(rig, { source: team, folder, collisions }, ['restore.before-import', imports]);
    rig.simulator.control.setFaults([]);
    requireOnce(ended);
    expect(ended.counts).toMatchObject({ failed: 0 });
    expect(ended.lines.map(({ key }) => key)).toEqual(expect.arrayContaining(wanted));
    expect(await teamOfTruth(rig, team.graphId)).toHaveLength(said);
  });

  it('makes a chat of those who are still there, and puts what several said nowhere where two talk alone', async () => {
    rig.act('directory.removeUser', { user: people[2] });
    const pair = `19:${people.slice(0, 2).toSorted().join('_')}@unq.gbl.spaces`;
    const before = await wordsOf(pair);
    const { result, lines } = await rig.restore({ source: chat, selection: 'all', target: { resource: goneChat() }, collisions: 'skip' });
    expect(result.status).toBe('successful');
    const line = lines.find(({ key }) => key.startsWith('chat:'));
    expect(line).toMatchObject({ outcome: 'restored', differences: ['members'] });
    expect(await wordsOf(line?.targetId ?? '')).toEqual(await wordsOf(chat.graphId));
    expect(await wordsOf(pair)).toEqual(before);
  });

  it('gives a folder its people and its times, also when its worker dies right after it was made', async () => {
    const { source, folder } = { source: drive, folder: 'Again' };
    const state = async (): Promise<unknown> => {
      const record = (await rig.truth('drives', drive.graphId)).find(
        (one) => one.kind === 'folder' && one.path.endsWith('Again/Shared plans'),
      );
      const permissions = (record?.metadata['permissions'] ?? []) as readonly {
        readonly role: string;
        readonly people: readonly string[];
      }[];
      const { fileCreatedAt, fileModifiedAt } = record?.metadata ?? {};
      return { given: permissions.map(({ role, people: to }) => [role, to]), fileCreatedAt, fileModifiedAt };
    };
    const request = { source, folder, collisions: 'skip', options: { permissions: true } } as const;
    let folders = 0;
    onCrashPoint((point) => void (folders += point === 'restore.folder-made' ? 1 : 0));
    await rig.restore({ ...request, selection: 'all', target: { resource: source, folder } });
    const wanted = await state();
    expect(wanted).toMatchObject({ given: expect.arrayContaining([['write', [people[1]]]]) });
    expect(folders).toBeGreaterThan(1);
    for (let nth = 1; nth <= folders; nth += 1) {
      rig.simulator.control.restore(snapshot);
      requireOnce(await dieAndGoOn(rig, request, ['restore.folder-made', nth]));
      expect(await state()).toEqual(wanted);
    }
  });

  it('names a folder that could not be given its times, and goes on with the others', async () => {
    const selection = (await rig.items(drive))
      .filter(({ kind, name }) => kind === 'folder' && name.endsWith(' plans'))
      .map(({ key }) => key);
    expect(selection).toHaveLength(2);
    rig.simulator.control.setFaults([{ match: { method: 'PATCH', path: '/drives/{id}/items/{id}' }, do: 'status', status: 400, times: 1 }]);
    const target = { resource: drive, folder: 'Again' };
    const { result, lines } = await rig.restore({ source: drive, selection, target, collisions: 'skip' });
    expect(result).toMatchObject({ status: 'defective', counts: { failed: 1, restored: 1 } });
    expect(lines.map(({ kind, outcome, code }) => [kind, outcome, code])).toEqual([
      ['folder', 'failed', 'graph.bad-request'],
      ['folder', 'restored', undefined],
    ]);
  });
});
