import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import { canonicalJson } from '../src/shared/canonical.ts';
import type { Resource, ResourceKind } from '../src/ports/item.ts';

/** A delta that has passed an item does not name it again: what could not be read then must be looked for. */
describe('what one run could not read', () => {
  let rig: Rig;
  let snapshot: string;
  const owners = new Map<ResourceKind, string>();

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    const userId = await somebody();
    owners.set('mailbox', userId);
    owners.set('drive', (await rig.graph.drives.userDrive({ userId })).id);
    await fileTask(userId);
    for await (const one of rig.graph.sites.allSites()) if (one.displayName === 'Home') owners.set('site', one.id);
    for await (const group of rig.graph.directory.groups({ teamsOnly: true })) owners.set('team', owners.get('team') ?? group.id);
    for await (const chat of rig.graph.chats.chats({ userId }))
      if (chat.chatType === 'group') owners.set('chat', owners.get('chat') ?? chat.id);
    snapshot = rig.simulator.control.snapshot();
  });
  beforeEach(() => {
    rig.simulator.control.restore(snapshot);
    rig.simulator.control.setFaults([]);
  });
  afterAll(() => rig.close());

  async function somebody(): Promise<string> {
    for await (const user of rig.graph.directory.users()) {
      const counts = await Promise.all(['contacts', 'calendar', 'todo'].map(async (kind) => (await rig.truth(kind, user.id)).length));
      if (user.userType === 'Member' && user.accountEnabled && counts.every((count) => count > 2)) return user.id;
    }
    throw new Error('Nobody has something of everything.');
  }

  async function fileTask(userId: string): Promise<void> {
    const { todo } = rig.graph.exchange;
    const { value } = await todo.lists({ userId })[Symbol.asyncIterator]().next();
    const listId = (value as { readonly id: string } | undefined)?.id ?? '';
    const { id } = await todo.createTask({ userId, listId }, { title: 'Read the plan' });
    const body = {
      '@odata.type': '#microsoft.graph.taskFileAttachment',
      name: 'Plan.txt',
      contentType: 'text/plain',
      contentBytes: 'UGxhbg==',
    };
    await todo.addTaskAttachment({ userId, listId, taskId: id }, body);
  }

  const MAIL_APART = { mailbox: { calendars: true, contacts: true, tasks: true }, include: ['Nothing of the mail'] } as const;

  function resourceOf(kind: ResourceKind): Resource {
    const graphId = owners.get(kind) ?? '';
    return { id: rig.ids.uuid(), kind, graphId, name: kind };
  }

  const backUp = (resource: Resource) => rig.backup(resource, resource.kind === 'mailbox' ? { selection: MAIL_APART } : {});

  /** All that is stored of a kind: what it says and the hashes of what it holds. */
  async function stored(resource: Resource, kinds: readonly string[]): Promise<readonly string[]> {
    const items = (await rig.items(resource)).filter(({ kind }) => kinds.includes(kind));
    return items
      .map(
        ({ key, name, properties, contents }) =>
          `${key} ${name} ${canonicalJson(properties)} ${contents.map(({ role, ref }) => `${role} ${ref.sha256}`).join()}`,
      )
      .toSorted();
  }

  /** After a run that nothing disturbs it holds what one holds that nothing has ever disturbed. */
  async function expectHealed(resource: Resource, kind: ResourceKind, kinds: readonly string[]): Promise<void> {
    rig.simulator.control.setFaults([]);
    expect(await backUp(resource)).toMatchObject({ status: 'successful', counts: { failed: 0 } });
    const undisturbed = resourceOf(kind);
    await backUp(undisturbed);
    const wanted = await stored(undisturbed, kinds);
    expect(wanted.length).toBeGreaterThan(0);
    expect(await stored(resource, kinds)).toEqual(wanted);
  }

  const refuse = (path: string, status = 400): void =>
    rig.simulator.control.setFaults([{ match: { method: 'GET', path }, do: 'status', status }]);

  const CASES = [
    ['mailbox', ['contact'], '*/contacts/*/photo/$value'],
    ['mailbox', ['event'], '/users/{id}/events/{id}'],
    ['mailbox', ['task'], '*/tasks/*/attachments'],
    ['site', ['listItem'], '*/items/*/versions'],
    ['site', ['page'], '*/pages/*/microsoft.graph.sitePage'],
    ['team', ['post', 'reply'], '*/hostedContents/*'],
    ['chat', ['chatMessage'], '*/hostedContents/*'],
    ['drive', ['file'], '*/content'],
  ] as const;

  it.each(CASES)('is whole after the next run (%s: %s)', async (kind, kinds, path) => {
    const resource = resourceOf(kind);
    refuse(path);
    const first = await backUp(resource);
    expect(first).toMatchObject({ status: 'defective' });
    expect(first.counts.failed).toBeGreaterThan(0);
    await expectHealed(resource, kind, kinds);
    expect(await backUp(resource)).toMatchObject({ status: 'successful', segments: 0 });
  });

  it.each(CASES)('stays in the list as long as it can not be read, and ends nothing else (%s: %s)', async (kind, _kinds, path) => {
    const resource = resourceOf(kind);
    refuse(path);
    const first = await backUp(resource);
    const second = await backUp(resource);
    const third = await backUp(resource);
    expect([first.status, second.status, third.status]).toEqual(['defective', 'defective', 'defective']);
    expect([second.counts.failed, third.counts.failed]).toEqual([first.counts.failed, first.counts.failed]);
    expect([third.sequence, third.segments]).toEqual([second.sequence, 0]);
  });

  it.each([
    ['mailbox', ['contact'], '*/contacts/delta*'],
    ['mailbox', ['contact'], '*/contacts/*/photo/$value'],
    ['mailbox', ['event'], '*/calendars/*/events'],
    ['mailbox', ['task'], '*/todo/lists/*/tasks'],
    ['mailbox', ['rule'], '*/messageRules'],
    ['site', ['listItem'], '*/items/delta*'],
    ['site', ['page'], '*/pages'],
    ['team', ['post', 'reply'], '*/messages/delta*'],
    ['team', ['post', 'reply'], '*/hostedContents/*'],
    ['chat', ['chatMessage'], '*/hostedContents/*'],
    ['drive', ['file', 'folder'], '*/permissions'],
  ] as const)('is in the list when all of it was said to be gone, and whole after the next run (%s: %s)', async (kind, kinds, path) => {
    const resource = resourceOf(kind);
    refuse(path, 404);
    expect(await backUp(resource)).toMatchObject({ status: 'defective' });
    await expectHealed(resource, kind, kinds);
  });

  it('of one folder is in the list when its mail was said to be gone, and the other folders are there', async () => {
    const user = owners.get('mailbox') ?? '';
    rig.act('mail.deliver', { user, folder: 'inbox', subject: 'Behind a wrong answer' });
    const resource = resourceOf('mailbox');
    const match = { method: 'GET', path: '*/messages/delta*', nth: 1 };
    rig.simulator.control.setFaults([{ match, do: 'status', status: 404, code: 'ErrorItemNotFound' }]);
    const selection = { mailbox: { calendars: false, contacts: false, tasks: false } };
    const truth = (await rig.truth('mail', user)).filter(
      ({ kind, path }) => kind === 'message' && !/^(?:Wiederherstellbare|Recoverable)/u.test(path),
    );
    const messages = async (): Promise<number> => (await rig.items(resource)).filter(({ kind }) => kind === 'message').length;
    expect(await rig.backup(resource, { selection })).toMatchObject({ status: 'defective', counts: { failed: 1 } });
    expect(await messages()).toBeLessThanOrEqual(truth.length);
    expect(await messages()).toBeGreaterThan(0);
    rig.simulator.control.setFaults([]);
    expect(await rig.backup(resource, { selection })).toMatchObject({ status: 'successful', counts: { failed: 0 } });
    expect(await messages()).toBe(truth.length);
  });

  it('is not missed any more when the job does not take it any more', async () => {
    const resource = resourceOf('mailbox');
    refuse('*/contacts/*/photo/$value');
    expect(await backUp(resource)).toMatchObject({ status: 'defective' });
    rig.simulator.control.setFaults([]);
    const mailbox = { calendars: true, contacts: false, tasks: true };
    expect(await rig.backup(resource, { selection: { ...MAIL_APART, mailbox } })).toMatchObject({
      status: 'successful',
      counts: { failed: 0 },
    });
  });

  it.each([
    ['mailbox', 'contact', '*/contacts/*/photo/$value'],
    ['site', 'listItem', '*/items/*/versions'],
  ] as const)('is not missed any more when it was deleted meanwhile (%s: %s)', async (kind, itemKind, path) => {
    const resource = resourceOf(kind);
    refuse(path);
    expect(await backUp(resource)).toMatchObject({ status: 'defective' });
    rig.simulator.control.setFaults([]);
    const { itemKey } = rig.problems.all.findLast((problem) => problem.resourceId === resource.id && problem.kind === itemKind) ?? {};
    const [, listId = '', itemId = ''] = itemKey?.split(':') ?? [];
    if (kind === 'mailbox') await rig.graph.exchange.contacts.deleteContact({ userId: resource.graphId, contactId: itemKey ?? '' });
    else await rig.graph.sites.deleteItem({ siteId: resource.graphId, listId, itemId });
    expect(await backUp(resource)).toMatchObject({ status: 'successful', counts: { failed: 0 } });
    expect((await rig.items(resource)).some(({ key }) => key === itemKey)).toBe(false);
  });

  it.each([
    ['mailbox', 'calendar', ['event'], '*/calendars/ID/events*'],
    ['mailbox', 'taskList', ['task'], '*/todo/lists/ID/tasks*'],
    ['site', 'library', ['file'], '*/drives/ID/root*'],
    ['site', 'list', ['listItem'], '*/lists/ID'],
    ['team', 'channel', ['post', 'reply'], '*/channels/ID/tabs'],
    ['team', 'channel', ['post', 'reply'], '*/channels/ID/filesFolder'],
    ['team', 'team', ['channel', 'post', 'reply'], '*/teams/ID/members'],
  ] as const)('is the one part of which the service has a fault that lasts: the others go on (%s: %s, %j, %s)', async (...given) => {
    const [kind, part, below, path] = given;
    const kinds = [part, ...below];
    const undisturbed = resourceOf(kind);
    await backUp(undisturbed);
    const all = await stored(undisturbed, kinds);
    const holding = (await rig.items(undisturbed)).find((item) => below.some((one) => one === item.kind));
    const key = part === 'team' ? `team:${undisturbed.graphId}` : String(holding?.parentKey);
    const id = key.slice(key.indexOf(':') + 1);
    const fail = (): void =>
      rig.simulator.control.setFaults([{ match: { method: 'GET', path: path.replace('ID', id) }, do: 'status', status: 503 }]);
    const resource = resourceOf(kind);
    fail();
    expect(await backUp(resource)).toMatchObject({ status: 'defective', counts: { failed: 1 } });
    const named = rig.problems.all.filter(({ resourceId }) => resourceId === resource.id);
    expect(named).toMatchObject([
      { kind: part, advice: 'retryNextRun', code: expect.stringMatching(/service-fault|page-too-large|throttled/u) },
    ]);
    const some = await stored(resource, kinds);
    expect(some.filter((one) => all.includes(one)).length, 'the others are there').toBeGreaterThan(0);
    await expectHealed(resource, kind, kinds);
    fail();
    expect(await backUp(resource)).toMatchObject({ status: 'defective', counts: { failed: 1, removed: 0, changed: 0 } });
    expect(await stored(resource, kinds), 'what is known stays as it is known').toEqual(all);
  });

  it('is missed as long as it can not be read, also when it was moved meanwhile', async () => {
    const resource = resourceOf('mailbox');
    const user = resource.graphId;
    const ids = ['inbox', 'archive'].map((folder) => String(rig.act('mail.deliver', { user, folder, subject: `From ${folder}` })['id']));
    const run = () => rig.backup(resource, { selection: { mailbox: { calendars: false, contacts: false, tasks: false } } });
    refuse('*/messages/*/$value');
    expect(await run()).toMatchObject({ status: 'defective' });
    rig.act('mail.move', { user, id: ids[0], folder: 'archive' });
    rig.act('mail.move', { user, id: ids[1], folder: 'inbox' });
    expect(await run()).toMatchObject({ status: 'defective' });
    rig.simulator.control.setFaults([]);
    expect(await run()).toMatchObject({ status: 'successful', counts: { failed: 0 } });
    const truth = (await rig.truth('mail', user)).filter(
      ({ kind, path }) => kind === 'message' && !/^(?:Wiederherstellbare|Recoverable)/u.test(path),
    );
    const stored = (await rig.items(resource)).filter(
      ({ kind, contents }) => kind === 'message' && contents.some(({ role }) => role === 'mime'),
    );
    expect(stored.map(({ key }) => key).toSorted()).toEqual(truth.map(({ id }) => id).toSorted());
  });
});
