import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dieAt } from '../../testing/die-and-go-on.ts';
import { createHurriedClock } from '../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../testing/rig.ts';
import { pointOf } from '../restore/point.ts';
import { createRestore } from '../restore/create-restore.ts';
import type { ItemKind } from '../ports/item.ts';
import { silentProgress } from '../ports/progress.ts';
import { createDrill, drawSamples, type DrillEvidence } from './create-drill.ts';
import { clearScratch } from './scratch.ts';

async function* changed(bytes: AsyncIterable<Uint8Array>, change: (text: string) => string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(change((await Array.fromAsync(bytes, (part) => Buffer.from(part).toString('latin1'))).join('')), 'latin1');
}

describe('a drill', () => {
  let rig: Rig;
  let userId = '';

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) userId = user.id;
  });
  afterEach(() => onCrashPoint(undefined));
  afterAll(() => rig.close());

  /** All that a person has, without what lies where only an administrator finds it. */
  async function held(owner: string): Promise<readonly string[]> {
    const all: string[] = [];
    for (const kind of ['mail', 'calendar', 'contacts', 'todo', 'drives'])
      for (const { kind: what, path, id } of await rig.truth(kind, owner)) all.push(`${kind} ${what} ${path} ${id}`);
    return all.filter((one) => !/ (?:Wiederherstellbare Elemente|Recoverable Items)\//u.test(one)).sort();
  }

  let runs = 0;
  /** A drill as a worker does it, without another one after it. */
  async function drilled(from: Parameters<typeof drawSamples>[1], graph = rig.graph): Promise<DrillEvidence> {
    const { vault, catalog, clock } = rig;
    const plan = await drawSamples({ catalog, random: createSeededRandom(3) }, from);
    runs += 1;
    const request = { runId: rig.ids.uuid(), source: from.source, target: from.source, folder: `Holdfast drill ${runs}`, ...plan };
    return createDrill({ vault, graph, catalog, clock, logger: silentLogger }).run(request, new AbortController().signal);
  }

  for (const kind of ['mailbox', 'drive'] as const) {
    it(`restores samples of a ${kind}, reads them back and keeps evidence`, async () => {
      const source = rig.resource(kind, userId);
      await rig.backup(source);
      const before = await held(userId);
      const evidence = await drilled({ source, samples: 6 });
      expect(evidence.items).toHaveLength(6);
      expect(evidence.remains).toEqual([]);
      expect(await held(userId), 'what was put there is taken away, and nothing else').toEqual(before);
      expect(evidence.passed).toBe(true);
      expect(evidence.items.every((item) => item.isReadable && item.isEqualToSource !== false)).toBe(true);
      expect(rig.outbox()).toEqual([]);
    });
  }

  it('rehearses what was chosen and nothing else, and leaves what is there as it is', async () => {
    const source = rig.resource('mailbox', userId);
    const messages = (await rig.items(source)).filter((item) => item.kind === 'message' && item.properties['isDraft'] !== true);
    const folder = messages[0]?.parentKey ?? '';
    const inside = messages.filter((item) => item.parentKey === folder);
    expect([inside.length > 0, inside.length < messages.length]).toEqual([true, true]);
    const evidence = await drilled({ source, selection: [folder], samples: 1_000 });
    expect(new Set(evidence.items.map((item) => item.key))).toEqual(new Set(inside.map((item) => item.key)));
    expect(evidence.passed).toBe(true);
    expect(rig.outbox()).toEqual([]);
  });

  it('does not pass a copy of which a byte of an attachment or a word is other than in the vault', async () => {
    const source = rig.resource('mailbox', userId);
    const { graph } = rig;
    const real = graph.exchange.mail;
    /** The service, but what it gives back of a message that this drill has made has other bytes. */
    const forged = (change: (text: string) => string): typeof graph => {
      const mail: typeof real = { ...real, mime: (ref) => ({ ...real.mime(ref), bytes: changed(real.mime(ref).bytes, change) }) };
      return { ...graph, exchange: { ...graph.exchange, mail } };
    };
    const messagesOf = async (change: (text: string) => string) =>
      (await drilled({ source, samples: 1_000 }, forged(change))).items.filter((item) => item.kind === 'message');
    const words = await messagesOf((text) => text.replace(/^Subject: .*$/mu, 'Subject: Something else'));
    expect(words.every((item) => !item.isRestored && item.differences.includes('subject'))).toBe(true);
    const bytes = await messagesOf((text) =>
      text.replaceAll(/^([A-Za-z0-9+/]{60,})$/gmu, (line) => `${line.startsWith('B') ? 'C' : 'B'}${line.slice(1)}`),
    );
    expect(bytes.some((item) => !item.isRestored && item.differences.includes('content'))).toBe(true);
  });

  it.each([
    ['restore.after-item', 5],
    ['drill.compared', 1],
  ])('that is killed (%s) leaves nothing when it was taken up', async (point, nth) => {
    const source = rig.resource('mailbox', userId);
    const { vault, graph, catalog, clock } = rig;
    const before = await held(userId);
    const byKind = Map.groupBy(await rig.items(source), (item) => item.kind);
    const selection = ['contact', 'event', 'message', 'task'].flatMap((kind) =>
      (byKind.get(kind as ItemKind) ?? []).slice(-3).map(({ key }) => key),
    );
    const plan = await drawSamples({ catalog, random: createSeededRandom(4) }, { source, selection, samples: 100 });
    expect(plan.kinds.toSorted()).toEqual(['contact', 'event', 'message', 'task']);
    const request = { runId: rig.ids.uuid(), source, target: source, folder: `Killed at ${point}`, ...plan };
    const drill = createDrill({ vault, graph, catalog, clock, logger: silentLogger });
    dieAt(point, nth);
    await expect(drill.run(request, new AbortController().signal)).rejects.toThrow(`died at ${point}`);
    onCrashPoint(undefined);
    expect((await held(userId)).length).toBeGreaterThan(before.length);
    expect(await clearScratch({ graph, clock }, request)).toEqual([]);
    expect(await held(userId)).toEqual(before);
    const evidence = await drill.run(request, new AbortController().signal);
    expect(evidence).toMatchObject({ passed: true, remains: [] });
    expect(await held(userId)).toEqual(before);
  });

  it('names what it could not take away', async () => {
    const source = rig.resource('drive', userId);
    const refusal = { match: { method: 'POST', path: '/drives/{id}/items/{id}/permanentDelete' }, do: 'status', status: 403 } as const;
    rig.simulator.control.setFaults([refusal]);
    const evidence = await drilled({ source, samples: 2 });
    rig.simulator.control.setFaults([]);
    expect(evidence.passed).toBe(true);
    const remains = { kind: 'folder', path: `Holdfast drill ${runs}`, code: 'drill.copies-remain', because: 'graph.access-denied' };
    expect(evidence.remains).toEqual([remains]);
  });

  describe('of a site or a team', () => {
    let site = '';
    let team = '';

    beforeAll(async () => {
      for await (const one of rig.graph.sites.allSites()) if (one.displayName === 'Home') site = one.id;
      for await (const one of rig.graph.directory.groups({ teamsOnly: true })) team = one.id;
    });

    /** Libraries, lists, pages and files of the site, channels and folders of the team, as people see them. */
    async function seen(): Promise<readonly string[]> {
      const { sites, teams, drives } = rig.graph;
      const all: string[] = [];
      for await (const { displayName } of sites.lists({ siteId: site })) all.push(`list ${displayName ?? ''}`);
      for await (const { name } of sites.pages({ siteId: site })) all.push(`page ${name ?? ''}`);
      for await (const { displayName } of teams.channels({ teamId: team })) all.push(`channel ${displayName ?? ''}`);
      for (const listing of [drives.siteDrives({ siteId: site }), drives.groupDrives({ groupId: team })])
        for await (const { id } of listing) {
          const root = await drives.root({ driveId: id });
          for await (const { name } of drives.children({ driveId: id, itemId: root.id })) all.push(`file ${name ?? ''}`);
        }
      return all.toSorted();
    }

    const codesOf = ({ remains }: DrillEvidence): readonly string[] =>
      [...new Set(remains.map(({ kind, code }) => `${kind} ${code}`))].toSorted();

    it('takes lists, pages and a library that had to be made away, and says where the service keeps them', async () => {
      const source = rig.resource('site', site);
      await rig.backup(source);
      for await (const { id, displayName } of rig.graph.sites.lists({ siteId: site }))
        if (displayName === 'Archiv') await rig.graph.sites.deleteList({ siteId: site, listId: id });
      const before = await seen();
      expect(before).not.toContain('list Archiv');
      const evidence = await drilled({ source, samples: 1_000 });
      expect(new Set(evidence.items.map(({ kind }) => kind))).toEqual(new Set(['file', 'listItem', 'page']));
      expect(codesOf(evidence)).toEqual(['library', 'list', 'page'].map((kind) => `${kind} drill.in-recycle-bin`));
      expect(evidence.remains.every(({ path }) => path.includes(`Holdfast drill ${runs}`))).toBe(true);
      expect(await seen(), 'nothing is left where people look').toEqual(before);
    });

    it('takes channels and their folders away, also when its worker was killed, and says that they can be brought back', async () => {
      const source = rig.resource('team', team);
      await rig.backup(source);
      const before = await seen();
      const evidence = await drilled({ source, samples: 1_000 });
      expect(evidence.items.length).toBeGreaterThan(0);
      expect(evidence.items.filter(({ isRestored, isReadable }) => !isRestored || !isReadable)).toEqual([]);
      expect(codesOf(evidence)).toEqual(['channel drill.deleted-channel']);
      expect(await seen()).toEqual(before);
      dieAt('restore.after-item', 1);
      await expect(drilled({ source, samples: 1_000 })).rejects.toThrow('died at restore.after-item');
      onCrashPoint(undefined);
      expect((await seen()).length).toBeGreaterThan(before.length);
      const left = await clearScratch(rig, { target: source, folder: `Holdfast drill ${runs}`, kinds: ['post'] });
      expect(left.map(({ code }) => code)).toContain('drill.deleted-channel');
      expect(await seen()).toEqual(before);
    });

    it('compares every message, answer and file of a team, whatever of it has come back otherwise', async () => {
      const source = rig.resource('team', team);
      await rig.backup(source);
      const said = (await rig.items(source)).filter(({ kind }) => kind === 'post' || kind === 'reply');
      const importable = said.filter(
        ({ properties }) => properties['deletedDateTime'] === undefined && properties['messageType'] === 'message',
      );
      type Message = Awaited<ReturnType<typeof rig.graph.teams.message>>;
      const ways: readonly (readonly [string, (one: Message) => Partial<Message>])[] = [
        ['content', ({ body }) => ({ body: { ...body, content: `${body?.content ?? ''}<p>More</p>` } })],
        ['from', ({ from }) => ({ from: { ...from, user: { ...from?.user, id: 'somebody-else' } } })],
        ['createdDateTime', () => ({ createdDateTime: '2026-01-01T00:00:00.000Z' })],
        ['subject', () => ({ subject: 'Something else' })],
        ['importance', ({ importance }) => ({ importance: importance === 'urgent' ? 'normal' : 'urgent' })],
        ['as it was', () => ({})],
      ];
      const wanted = new Map<string, string>();
      const forged = <Given extends Message>(one: Given): Given => {
        const [name, change] = ways[wanted.size % ways.length] ?? ['', () => ({})];
        wanted.set(one.id, name);
        return { ...one, ...change(one) };
      };
      const { teams } = rig.graph;
      const messages: typeof teams.messages = async function* (channel) {
        for await (const root of teams.messages(channel)) {
          const replies = (root.replies ?? []).map((reply) => forged(reply as Message));
          yield { ...forged(root), replies };
        }
      };
      const hostedContent: typeof teams.hostedContent = (ref, id) => {
        const content = teams.hostedContent(ref, id);
        return { ...content, bytes: changed(content.bytes, (bytes) => `${bytes}!`) };
      };
      const { drives } = rig.graph;
      const content: typeof drives.content = (ref) => {
        const file = drives.content(ref);
        return { ...file, bytes: changed(file.bytes, (bytes) => `${bytes}!`) };
      };
      const forging = { ...rig.graph, teams: { ...teams, messages, hostedContent }, drives: { ...drives, content } };
      const { items: drawn, passed } = await drilled({ source, samples: 1_000 }, forging);
      const items = drawn.filter(({ kind }) => kind !== 'file');
      const files = drawn.filter(({ kind }) => kind === 'file');
      expect(files.length).toBeGreaterThan(1);
      expect(files.filter(({ differences, isRestored }) => isRestored || !differences.includes('content'))).toEqual([]);
      expect(items.map(({ key }) => key).toSorted()).toEqual(importable.map(({ key }) => key).toSorted());
      expect(passed).toBe(false);
      const held = new Map(importable.map((item) => [item.key, item]));
      for (const { key, isRestored, differences, bytes } of items) {
        const item = held.get(key);
        const way = wanted.get(String(Date.parse(item?.createdAt ?? '')));
        const hasPicture = (item?.contents.length ?? 0) > 0;
        expect(bytes).toBeGreaterThan(0);
        expect(isRestored, `${way} ${differences.join(' ')}`).toBe(way === 'as it was' && !hasPicture);
        expect([way, ...differences].filter((name) => name === way).length).toBe(way === 'as it was' ? 1 : 2);
        expect(differences.includes('hostedContents')).toBe(hasPicture);
      }
      expect(new Set(wanted.values()).size).toBe(ways.length);
      expect([items.some(({ kind }) => kind === 'reply'), importable.some(({ contents }) => contents.length > 0)]).toEqual([true, true]);
    });

    it('does not take an answer for the copy that stands under another message', async () => {
      const source = rig.resource('team', team);
      const { teams } = rig.graph;
      const messages: typeof teams.messages = async function* (channel) {
        const roots = await Array.fromAsync(teams.messages(channel));
        for (const [at, root] of roots.entries()) yield { ...root, replies: roots[(at + 1) % roots.length]?.replies ?? [] };
      };
      const { items } = await drilled({ source, samples: 1_000 }, { ...rig.graph, teams: { ...teams, messages } });
      const answers = items.filter(({ kind }) => kind === 'reply');
      expect(answers.length).toBeGreaterThan(0);
      expect(answers.filter(({ isRestored }) => isRestored)).toEqual([]);
      expect(items.filter(({ kind, isRestored }) => kind === 'post' && !isRestored)).toEqual([]);
    });

    it('names the channel that stays, and the role that would take it away', async () => {
      const tenantId = rig.simulator.tenants[0]?.tenantId ?? '';
      rig.simulator.control.withdraw(tenantId, ['Channel.Delete.All']);
      rig.simulator.control.revokeTokens(tenantId);
      const evidence = await drilled({ source: rig.resource('team', team), samples: 1_000 });
      const remains = { kind: 'channel', code: 'drill.copies-remain', because: 'graph.permission-missing' };
      expect(evidence.remains.length).toBeGreaterThan(0);
      expect(evidence.remains).toEqual(evidence.remains.map(({ path }) => ({ ...remains, path })));
    });
  });

  it('does not put anything among what people say in a chat', async () => {
    const source = rig.resource('chat', '19:some@thread.v2');
    await expect(drilled({ source, samples: 2 })).rejects.toMatchObject({ code: 'drill.no-place-beside' });
  });

  it('is planned without writing anything', async () => {
    const source = rig.resource('mailbox', userId);
    const { vault, graph, catalog, clock } = rig;
    const refuse = () => Promise.reject(new Error('A plan has no report.'));
    const report = { begin: refuse, uploading: refuse, tell: refuse };
    const restore = createRestore({ vault, graph, catalog, progress: silentProgress, report, clock, logger: silentLogger });
    const before = await rig.truth('mail', userId);
    const { sequence } = await pointOf(catalog, source);
    const plan = await restore.plan(
      { runId: rig.ids.uuid(), source, sequence, selection: 'all', target: { resource: source }, collisions: 'skip' },
      new AbortController().signal,
    );
    expect(plan.items).toBe(
      (await rig.items(source)).filter((item) =>
        ['message', 'event', 'contact', 'task', 'rule', 'category', 'mailboxSettings'].includes(item.kind),
      ).length,
    );
    expect(plan.collisions).toBeGreaterThan(0);
    expect(plan.missingRoles).toEqual([]);
    expect(await rig.truth('mail', userId)).toEqual(before);
  });

  it('and a restore name the roles that are missing before the first write', async () => {
    const tenantId = rig.simulator.tenants[0]?.tenantId ?? '';
    rig.simulator.control.withdraw(tenantId, ['Mail.ReadWrite', 'Calendars.ReadWrite']);
    rig.simulator.control.revokeTokens(tenantId);
    const source = rig.resource('mailbox', userId);
    const before = await rig.truth('mail', userId);
    await expect(rig.restore({ source, selection: 'all', target: { resource: source }, collisions: 'keepBoth' })).rejects.toMatchObject({
      code: 'restore.roles-missing',
    });
    expect(await rig.truth('mail', userId)).toEqual(before);
  });
});
