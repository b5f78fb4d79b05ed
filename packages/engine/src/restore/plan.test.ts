import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../testing/rig.ts';
import type { Resource, ResourceKind } from '../ports/item.ts';

/** What a run tells of that a plan does not count: the places of items, and the answers to a message. */
const NOT_COUNTED = new Set([
  'reply',
  'mailFolder',
  'calendar',
  'contactFolder',
  'taskList',
  'folder',
  'library',
  'list',
  'team',
  'channel',
  'chat',
  'site',
]);

describe('the plan of a restore', () => {
  let rig: Rig;
  let snapshot: string;
  const sources = new Map<ResourceKind, Resource>();
  const others = new Map<ResourceKind, Resource>();

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    const people: string[] = [];
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) people.push(user.id);
    const [one = '', two = ''] = people;
    const driveOf = async (userId: string) => rig.resource('drive', (await rig.graph.drives.userDrive({ userId })).id);
    sources.set('mailbox', rig.resource('mailbox', one)).set('drive', await driveOf(one));
    others.set('mailbox', rig.resource('mailbox', two)).set('drive', await driveOf(two));
    for await (const site of rig.graph.sites.allSites())
      if (site.displayName === 'Home') sources.set('site', rig.resource('site', site.id));
    for await (const group of rig.graph.directory.groups({ teamsOnly: true })) sources.set('team', rig.resource('team', group.id));
    for await (const chat of rig.graph.chats.chats({ userId: one })) sources.set('chat', rig.resource('chat', chat.id));
    for (const source of sources.values()) await rig.backup(source);
    snapshot = rig.simulator.control.snapshot();
  });
  beforeEach(() => rig.simulator.control.restore(snapshot));
  afterAll(() => rig.close());

  /** Compares what a plan counts with what a run then meets, and looks that the plan has written nothing. */
  async function compared(source: Resource, target: { readonly resource: Resource; readonly folder?: string }): Promise<number> {
    const { log } = rig.simulator.simulation;
    const since = log.total;
    const request = { source, selection: 'all' as const, target, collisions: 'replace' as const };
    const plan = await rig.plan(request);
    const written = log.list({ after: since }).filter(({ method, path }) => method !== 'GET' && !/\$batch|token/u.test(path));
    expect(written.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    const { lines } = await rig.restore({ ...request, collisions: 'skip' });
    const counted = lines.filter(({ kind }) => !NOT_COUNTED.has(kind));
    expect(plan).toMatchObject({ items: counted.length, unknown: 0 });
    expect(plan.collisions).toBe(counted.filter(({ outcome }) => outcome === 'skipped').length);
    return plan.collisions;
  }

  it.each(['mailbox', 'drive', 'site', 'team', 'chat'] as const)('counts what is there already in the %s it comes from', async (kind) => {
    const source = sources.get(kind) as Resource;
    expect(await compared(source, { resource: source })).toBeGreaterThan(0);
  });

  it.each(['mailbox', 'drive', 'site'] as const)('counts what an earlier restore has put beside a %s', async (kind) => {
    const source = sources.get(kind) as Resource;
    const target = { resource: source, folder: 'Again' };
    // Rules and categories have no folder: they meet themselves.
    const first = await compared(source, target);
    expect(await compared(source, target)).toBeGreaterThan(first);
  });

  it.each(['mailbox', 'drive'] as const)('counts what is there already in another %s', async (kind) => {
    const target = { resource: others.get(kind) as Resource };
    await compared(sources.get(kind) as Resource, target);
    expect(await compared(sources.get(kind) as Resource, target)).toBeGreaterThan(0);
  });

  it('refuses a choice that is not all there, and so does the restore, before anything is written', async () => {
    const source = sources.get('mailbox') as Resource;
    const message = (await rig.items(source)).find(({ kind }) => kind === 'message');
    const request = {
      source,
      selection: [message?.key ?? '', 'not there'],
      target: { resource: source, folder: 'Half' },
      collisions: 'skip' as const,
    };
    await expect(rig.plan(request)).rejects.toMatchObject({ code: 'restore.no-such-item' });
    const { result, lines } = await rig.restore(request);
    expect(result).toMatchObject({ status: 'failed', code: 'restore.no-such-item' });
    expect(lines).toEqual([]);
  });

  it('says of how many items it can not be known', async () => {
    const source = sources.get('drive') as Resource;
    const folder = (await rig.items(source)).find((item) => item.kind === 'folder' && item.parentKey !== null);
    const refused = { match: { method: 'GET', path: '/drives/{id}/items/{id}:/{path}' }, do: 'status', status: 400 } as const;
    rig.simulator.control.setFaults([refused]);
    const request = { source, selection: [folder?.key ?? ''], target: { resource: source }, collisions: 'skip' as const };
    const plan = await rig.plan(request).finally(() => rig.simulator.control.setFaults([]));
    expect(plan).toMatchObject({ collisions: 0, unknown: plan.items });
  });
});
