import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { ItemVersion, Resource } from '../../ports/item.ts';
import { wipeMailbox } from '../../../testing/wipe-mailbox.ts';

const ALIKE = Buffer.from(
  ['From: lee@example.com', 'Message-ID: <alike@example.com>', 'Date: Mon, 2 Mar 2026 10:00:00 +0000', 'Subject: Alike', '', 'Twice'].join(
    '\r\n',
  ),
);

const KINDS = ['calendar', 'contacts', 'todo', 'mail'] as const;

async function somebody(rig: Rig): Promise<Resource> {
  for await (const user of rig.graph.directory.users()) {
    const counts = await Promise.all(KINDS.map(async (kind) => (await rig.truth(kind, user.id)).length));
    if (user.userType === 'Member' && counts.every((count) => count > 0)) return rig.resource('mailbox', user.id);
  }
  throw new Error('Nobody has something of everything.');
}

describe('a mailbox that is restored more than once', () => {
  let rig: Rig;
  let mailbox: Resource;
  let snapshot: string;

  const restored = (selection: 'all' | readonly string[] = 'all') =>
    rig.restore({ source: mailbox, selection, target: { resource: mailbox }, collisions: 'skip' });
  const held = async (): Promise<Readonly<Record<string, number>>> =>
    Object.fromEntries(await Promise.all(KINDS.map(async (kind) => [kind, (await rig.truth(kind, mailbox.graphId)).length] as const)));

  async function remove({ kind, key, parentKey }: ItemVersion): Promise<void> {
    const userId = mailbox.graphId;
    if (kind === 'contact') await rig.graph.exchange.contacts.deleteContact({ userId, contactId: key });
    else if (kind === 'message') rig.act('mail.purge', { user: userId, id: key });
    else await rig.graph.exchange.todo.deleteTask({ userId, listId: parentKey ?? '', taskId: key });
  }

  const wipe = () => wipeMailbox(rig, mailbox.graphId);

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'] });
    mailbox = await somebody(rig);
    const userId = mailbox.graphId;
    rig.act('contacts.create', { user: userId, contact: { mobilePhone: '+49 30 1111' } });
    rig.act('contacts.create', { user: userId, contact: { mobilePhone: '+49 30 2222' } });
    for (const jobTitle of ['Baker', 'Smith']) rig.act('contacts.create', { user: userId, contact: { displayName: 'Lee Gu', jobTitle } });
    const { id: listId = '' } = (await rig.graph.exchange.todo.lists({ userId })[Symbol.asyncIterator]().next()).value ?? {};
    for (let count = 0; count < 2; count += 1) await rig.graph.exchange.todo.createTask({ userId, listId }, { title: 'Call Lee' });
    for (let count = 0; count < 2; count += 1) rig.act('mail.deliver', { user: userId, mime: ALIKE.toString('base64') });
    await rig.backup(mailbox);
    snapshot = rig.simulator.control.snapshot();
  });
  afterAll(() => rig.close());

  it('holds after a wipe what it held before, however often it is restored', async () => {
    rig.simulator.control.restore(snapshot);
    const before = await held();
    await wipe();
    expect(await held()).toMatchObject({ calendar: 0, contacts: 0, todo: 0 });
    await restored();
    expect(await held()).toEqual(before);
    const { lines } = await restored();
    expect(await held()).toEqual(before);
    expect(lines.filter((line) => ['event', 'contact', 'task', 'message'].includes(line.kind) && line.outcome !== 'skipped')).toEqual([]);
  });

  it.each([
    ['contacts', 'contact', (text: string) => text.includes('Smith')],
    ['contacts', 'contact', (text: string) => text.includes('1111')],
    ['todo', 'task', (text: string) => text.includes('Call Lee')],
    ['mail', 'message', (text: string) => text.includes('alike@example.com')],
  ] as const)('gets one of two alike back (%s, case %#)', async (truth, kind, fits) => {
    rig.simulator.control.restore(snapshot);
    const userId = mailbox.graphId;
    const before = await held();
    const lost = (await rig.truth(truth, userId)).find((record) => fits(JSON.stringify(record.metadata)));
    const item = (await rig.items(mailbox)).find((one) => one.kind === kind && one.key === lost?.id);
    if (item) await remove(item);
    expect(await held()).not.toEqual(before);
    const { lines } = await restored([item?.key ?? '']);
    expect(lines.filter((line) => line.kind === kind)).toMatchObject([{ key: item?.key, outcome: 'restored' }]);
    expect(await held()).toEqual(before);
  });
});
