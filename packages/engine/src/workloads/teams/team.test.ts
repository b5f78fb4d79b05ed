import { sha256Hex } from '@holdfast/foundation/bytes';
import { collect } from '@holdfast/foundation/streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamOfTruth, teamOfVault, type ComparedPost } from '../../../testing/compare-team.ts';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import { unzip } from '../../../testing/unzip.ts';
import { openDownload } from '../../download/open-download.ts';
import { pointOf } from '../../restore/point.ts';
import type { Resource } from '../../ports/item.ts';

/** Pictures are named in the body by addresses of the service, so the text itself is compared. */
function said(posts: readonly ComparedPost[]): readonly object[] {
  return posts
    .filter((post) => !post.isDeleted)
    .map(({ channel, id, createdAt, from, body, hosted }) => ({ channel, id, createdAt, from, isEmpty: body === '', hosted }));
}

describe('a team in a vault', () => {
  let rig: Rig;
  let team: Resource;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const group of rig.graph.directory.groups({ teamsOnly: true }))
      team ??= rig.resource('team', group.id, group.displayName ?? '');
  });
  afterAll(() => rig.close());

  it('has every message and reply of every channel with author, time and pictures', async () => {
    const result = await rig.backup(team);
    expect(result.status).toBe('successful');
    expect(said(await teamOfVault(rig, team))).toEqual(said(await teamOfTruth(rig, team.graphId)));
  });

  it('is downloaded with every message, answer, picture and file of each channel', async () => {
    const { signal } = new AbortController();
    const { sequence } = await pointOf(rig.catalog, team);
    const download = await openDownload(rig, { source: team, sequence, selection: 'all', format: 'zip' }, signal);
    const files = unzip(await collect(download.bytes, 64 * 1024 * 1024));
    const posts = await teamOfVault(rig, team);
    const pages = [...files]
      .filter(([name]) => name.endsWith('messages.json'))
      .map(([, bytes]) => JSON.parse(bytes.toString()) as object[]);
    expect(pages.flat()).toHaveLength(posts.length);
    const pictures = [...files.keys()].filter((name) => name.includes('/pictures/'));
    expect(pictures).toHaveLength(posts.reduce((sum, post) => sum + post.hosted.length, 0));
    expect(pictures.length).toBeGreaterThan(0);
    const plan = (await rig.items(team)).find(({ name }) => name === 'General plan.docx');
    const [path = '', bytes] = [...files].find(([name]) => name.endsWith('General plan.docx')) ?? [];
    expect([path, sha256Hex(bytes ?? Buffer.alloc(0))]).toEqual([
      'Everyone/General/General/General plan.docx',
      plan?.contents[0]?.ref.sha256,
    ]);
  });

  it('writes nothing when nothing was said', async () => {
    expect(await rig.backup(team)).toMatchObject({ segments: 0, bytesRead: 0 });
  });

  it('keeps what was said before an edit and before a deletion', async () => {
    const roots = new Set(
      (await rig.truth('teams', team.graphId)).filter((record) => record.metadata['rootId'] === null).map((record) => record.id),
    );
    const [first, second] = (await teamOfTruth(rig, team.graphId)).filter(
      (post) => roots.has(post.id) && !post.isDeleted && post.from !== '',
    );
    rig.act('teams.edit', { channel: first?.channel, id: first?.id, content: '<p>other words</p>' });
    rig.act('teams.delete', { channel: second?.channel, id: second?.id });
    await rig.backup(team);
    const now = await teamOfVault(rig, team);
    const before = await teamOfVault(rig, team, (await rig.catalog.points(team.id))[0]?.sequence);
    expect(now.find((post) => post.id === first?.id)?.body).toBe('<p>other words</p>');
    expect(before.find((post) => post.id === first?.id)?.body).toBe(first?.body);
    expect(now.find((post) => post.id === second?.id)).toMatchObject({
      isDeleted: true,
      body: before.find((post) => post.id === second?.id)?.body,
    });
  });

  it('comes back into new channels with authors and times, by migration mode, and nobody is told', async () => {
    const before = await teamOfTruth(rig, team.graphId);
    const { result, lines } = await rig.restore({
      source: team,
      selection: 'all',
      target: { resource: team, folder: 'Restored' },
      collisions: 'skip',
    });
    expect(lines.filter((line) => line.outcome === 'failed')).toEqual([]);
    expect(result.status).toBe('successful');
    const added = (await teamOfTruth(rig, team.graphId)).filter((post) => !before.some((known) => known.channel === post.channel));
    const stored = new Map(
      (await rig.items(team)).filter((item) => item.kind === 'post' || item.kind === 'reply').map((item) => [item.key, item]),
    );
    const imported = lines.filter((line) => (line.kind === 'post' || line.kind === 'reply') && line.outcome === 'restored');
    expect(lines.map((line) => line.key).toSorted(), 'every message and every reply has its own line').toEqual(
      expect.arrayContaining([...stored.keys()].toSorted()),
    );
    expect(imported.some((line) => line.kind === 'reply')).toBe(true);
    for (const line of imported) {
      const item = stored.get(line.key);
      const post = added.find((one) => one.id === line.targetId);
      const author = (item?.properties['from'] as { readonly user?: { readonly id?: string } } | undefined)?.user?.id;
      expect(post?.createdAt).toBe(new Date(item?.createdAt ?? 0).toISOString());
      expect(line.differences.includes('from') ? author : post?.from).toBe(author);
    }
    expect(imported.length).toBeGreaterThan(0);
    const channels = (await rig.truth('teams', team.graphId)).filter((record) => record.kind === 'channel');
    expect(channels.map((channel) => channel.metadata['migrationMode']).filter((mode) => mode === 'inProgress')).toEqual([]);
    expect(rig.outbox()).toEqual([]);
  });

  it('gives a single answer back, under the message that it answers and without the other answers', async () => {
    const replies = (await rig.items(team)).filter(({ kind, properties }) => kind === 'reply' && properties['messageType'] === 'message');
    const byPost = Map.groupBy(replies, ({ parentKey }) => parentKey);
    const [reply] = [...byPost.values()].find((answers) => answers.length > 1) ?? [];
    const target = { resource: team, folder: 'One answer' };
    const { result, lines } = await rig.restore({ source: team, selection: [reply?.key ?? ''], target, collisions: 'skip' });
    expect(result.status).toBe('successful');
    const told = lines.filter(({ kind }) => kind === 'post' || kind === 'reply').map(({ key, outcome }) => [key, outcome]);
    expect(told).toEqual([
      [reply?.parentKey, 'restored'],
      [reply?.key, 'restored'],
    ]);
  });

  it('names the answers too when the message that they answer could not be written', async () => {
    const match = { method: 'POST', path: '/teams/{id}/channels/{id}/messages' };
    rig.simulator.control.setFaults([{ match, do: 'status', status: 400, code: 'BadRequest' }]);
    const target = { resource: team, folder: 'Refused' };
    const { result, lines } = await rig.restore({ source: team, selection: 'all', target, collisions: 'skip' });
    rig.simulator.control.setFaults([]);
    expect(result.status).toBe('defective');
    const replies = (await rig.items(team)).filter(({ kind }) => kind === 'reply').map(({ key }) => key);
    expect(
      lines
        .filter(({ kind }) => kind === 'reply')
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(replies.toSorted());
    expect(lines.some(({ kind, code }) => kind === 'reply' && code === 'restore.container-failed')).toBe(true);
  });

  it('names the reply that could not be written, and goes on with the others', async () => {
    const fault = {
      match: { method: 'POST', path: '/teams/{id}/channels/{id}/messages/{id}/replies' },
      do: 'status',
      status: 400,
      times: 1,
    };
    rig.simulator.control.setFaults([fault]);
    const target = { resource: team, folder: 'With a refused reply' };
    const { result, lines } = await rig.restore({ source: team, selection: 'all', target, collisions: 'skip' });
    rig.simulator.control.setFaults([]);
    expect(result).toMatchObject({ status: 'defective', counts: { failed: 1 } });
    expect(lines.filter((line) => line.outcome === 'failed').map((line) => line.kind)).toEqual(['reply']);
    expect(lines.filter((line) => line.kind === 'reply' && line.outcome === 'restored').length).toBeGreaterThan(0);
  });

  it('is not doubled by a second restore', async () => {
    const before = (await teamOfTruth(rig, team.graphId)).length;
    const { lines } = await rig.restore({
      source: team,
      selection: 'all',
      target: { resource: team, folder: 'Restored' },
      collisions: 'skip',
    });
    expect(lines.filter((line) => line.kind !== 'channel' && line.outcome === 'restored')).toEqual([]);
    expect(lines.filter((line) => line.kind === 'reply' && line.outcome === 'skipped').length).toBeGreaterThan(0);
    expect((await teamOfTruth(rig, team.graphId)).length).toBe(before);
  });

  describe('with a post that was edited after its backup', () => {
    const words = (posts: readonly ComparedPost[]) =>
      posts.map(({ channel, createdAt, from, body }) => ({ channel, createdAt, from, body }));

    async function edited() {
      const target = { resource: team };
      const item = (await rig.items(team)).find(({ kind, properties }) => kind === 'post' && properties['messageType'] === 'message');
      const id = String(Date.parse(item?.createdAt ?? ''));
      const post = (await teamOfTruth(rig, team.graphId)).find((one) => one.id === id && !one.isDeleted);
      const replies = (await rig.items(team)).filter((one) => one.kind === 'reply' && one.parentKey === item?.key);
      rig.act('teams.edit', { channel: post?.channel, id, content: '<p>edited since</p>' });
      return { request: { source: team, selection: [item?.key ?? ''], target }, post, key: item?.key, answers: replies.length };
    }

    // Nobody can change a message so that it is another one, and no call takes one away.
    it.each(['skip', 'newerWins', 'replace'] as const)('leaves it as it is when it is to %s', async (collisions) => {
      const { request, key, answers } = await edited();
      const before = await teamOfTruth(rig, team.graphId);
      const { lines } = await rig.restore({ ...request, collisions });
      const told = lines.filter((line) => line.kind === 'post' || line.kind === 'reply');
      expect(told.find((line) => line.key === key)).toMatchObject({ outcome: 'skipped', code: 'restore.exists' });
      expect(told).toHaveLength(1 + answers);
      expect(told.every((line) => line.outcome === 'skipped' || line.code === 'restore.system-message')).toBe(true);
      expect(await teamOfTruth(rig, team.graphId)).toEqual(before);
    });

    it('takes it in beside the edited one when both are to be kept, by its author and a millisecond later', async () => {
      const { request, post, key } = await edited();
      const before = await teamOfTruth(rig, team.graphId);
      const { lines } = await rig.restore({ ...request, collisions: 'keepBoth' });
      expect(lines.find((line) => line.key === key)).toMatchObject({
        outcome: 'restored',
        differences: expect.arrayContaining(['createdDateTime']),
      });
      const now = await teamOfTruth(rig, team.graphId);
      expect(words(now)).toEqual(expect.arrayContaining(words(before)));
      const beside = now.filter((one) => one.id === String(Number(post?.id) + 1));
      expect(words(beside)).toMatchObject([{ channel: post?.channel, from: post?.from }]);
      expect(beside[0]?.body).not.toBe('<p>edited since</p>');
      expect(rig.outbox()).toEqual([]);
    });
  });
});
