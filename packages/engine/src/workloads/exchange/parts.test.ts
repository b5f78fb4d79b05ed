import { sha256Hex } from '@holdfast/foundation/bytes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { ItemKind, Resource } from '../../ports/item.ts';

const MAIL_ONLY = { selection: { include: ['Inbox', 'Posteingang'], mailbox: { calendars: false, contacts: false, tasks: false } } };
const EVENTS_ONLY = { selection: { include: ['Nothing'], mailbox: { calendars: true, contacts: false, tasks: false } } };
const MIME = '/users/{id}/messages/{id}/$value';
const FILES = '*/attachments/*/$value';
const EVENT_FILES = '*/events/*/attachments/*/$value';
const TASK_FILES = '*/tasks/*/attachments/*/$value';
const TASK_FILE = { '@odata.type': '#microsoft.graph.taskFileAttachment', contentType: 'text/plain' };
const JSON_OF_IT = '/users/{id}/messages/{id}';

function mimeWith(...names: readonly string[]): string {
  const part = (name: string): string =>
    `--b\r\nContent-Type: text/plain; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nContent of ${name}\r\n`;
  const head =
    'From: Ann <ann@proseware.example>\r\nTo: Bob <bob@tiny.com>\r\nSubject: In parts\r\nMessage-ID: <parts@proseware.example>\r\n';
  return `${head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nWords\r\n${names.map(part).join('')}--b--\r\n`;
}

describe('what can be read of a mailbox only in parts', () => {
  let rig: Rig;
  let user = '';
  let messageId = '';
  let snapshot = '';

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const one of rig.graph.directory.users()) if (one.userType === 'Member' && one.accountEnabled) user ||= one.id;
    const mime = Buffer.from(mimeWith('one.txt', 'two.txt')).toString('base64');
    messageId = String(rig.act('mail.deliver', { user, folder: 'inbox', mime })['id']);
    snapshot = rig.simulator.control.snapshot();
  });
  beforeEach(() => {
    rig.simulator.control.restore(snapshot);
    rig.simulator.control.setFaults([]);
  });
  afterAll(() => rig.close());

  const aMailbox = (): Resource => ({ id: rig.ids.uuid(), kind: 'mailbox', graphId: user, name: 'Ann' });

  async function stored(mailbox: Resource, kind: ItemKind, key: string) {
    const item = (await rig.items(mailbox)).find((one) => one.kind === kind && one.key === key);
    return { item, contents: item?.contents.map(({ role, label }) => `${role} ${label ?? ''}`.trim()) };
  }

  const problemsOf = ({ id }: Resource) =>
    rig.problems.all
      .filter(({ resourceId, itemKey }) => resourceId === id && itemKey === messageId)
      .map(({ code, tried }) => [code, tried]);

  it('is a message with its properties and attachments when its MIME is damaged, and the run says so', async () => {
    const mailbox = aMailbox();
    rig.simulator.control.setFaults([{ match: { path: MIME }, do: 'corruptMessage' }]);
    expect(await rig.backup(mailbox, MAIL_ONLY)).toMatchObject({ status: 'defective' });
    const { item, contents } = await stored(mailbox, 'message', messageId);
    expect(contents).toEqual(['part message.json', 'attachment one.txt', 'attachment two.txt']);
    expect(JSON.stringify(item?.properties)).toContain('"incomplete":true');
    expect(item?.contents[1]?.ref.sha256).toBe(sha256Hex(Buffer.from('Content of one.txt')));
    expect(problemsOf(mailbox)).toEqual([['graph.corrupt-item', ['mime']]]);
    rig.simulator.control.setFaults([]);
    expect(await rig.backup(mailbox, MAIL_ONLY)).toMatchObject({ status: 'successful', counts: { failed: 0 } });
    const whole = await stored(mailbox, 'message', messageId);
    expect(whole.contents).toEqual(['mime']);
    expect(JSON.stringify(whole.item?.properties)).not.toContain('incomplete');
  });

  it('names each attachment that could not be read either, and keeps the rest', async () => {
    const mailbox = aMailbox();
    rig.simulator.control.setFaults([
      { match: { path: MIME }, do: 'corruptMessage' },
      { match: { method: 'GET', path: FILES }, do: 'status', status: 400 },
    ]);
    expect(await rig.backup(mailbox, MAIL_ONLY)).toMatchObject({ status: 'defective' });
    expect((await stored(mailbox, 'message', messageId)).contents).toEqual(['part message.json']);
    const tried = problemsOf(mailbox).map(([, steps]) => steps);
    expect(tried).toEqual([['mime'], ['mime', 'json', 'attachment 1'], ['mime', 'json', 'attachment 2']]);
  });

  it('is missed and named when its properties can not be read either', async () => {
    const mailbox = aMailbox();
    rig.simulator.control.setFaults([
      { match: { path: MIME }, do: 'corruptMessage' },
      { match: { method: 'GET', path: JSON_OF_IT }, do: 'status', status: 400 },
    ]);
    expect(await rig.backup(mailbox, MAIL_ONLY)).toMatchObject({ status: 'defective' });
    expect((await stored(mailbox, 'message', messageId)).item).toBeUndefined();
    expect(problemsOf(mailbox)).toEqual([['graph.bad-request', ['mime', 'json']]]);
  });

  it('keeps the files of a task, which no list of them contains; one that can not be read is named and tried again', async () => {
    const mailbox = aMailbox();
    const { todo } = rig.graph.exchange;
    const [list] = await Array.fromAsync(todo.lists({ userId: user }));
    const listId = list?.id ?? '';
    const { id: taskId } = await todo.createTask({ userId: user, listId }, { title: 'Read the plans' });
    for (const name of ['One.txt', 'Two.txt']) {
      const contentBytes = Buffer.from(`Content of ${name}`).toString('base64');
      await todo.addTaskAttachment({ userId: user, listId, taskId }, { ...TASK_FILE, name, contentBytes });
    }
    const tasks = { selection: { include: ['Nothing'], mailbox: { calendars: false, contacts: false, tasks: true } } };
    rig.simulator.control.setFaults([{ match: { path: TASK_FILES }, do: 'status', status: 400, times: 3 }]);
    expect(await rig.backup(mailbox, tasks)).toMatchObject({ status: 'defective' });
    expect((await stored(mailbox, 'task', taskId)).contents).toEqual(['export', 'attachment Two.txt']);
    const told = rig.problems.all.filter(({ resourceId, itemKey }) => resourceId === mailbox.id && itemKey === taskId);
    expect(told.map(({ code, tried }) => [code, tried])).toEqual([['graph.bad-request', ['attachment One.txt']]]);
    rig.simulator.control.setFaults([]);
    expect(await rig.backup(mailbox, tasks)).toMatchObject({ status: 'successful' });
    const { item, contents } = await stored(mailbox, 'task', taskId);
    expect(contents).toEqual(['export', 'attachment One.txt', 'attachment Two.txt']);
    expect(item?.contents.slice(1).map(({ ref }) => ref.sha256)).toEqual(
      ['One.txt', 'Two.txt'].map((name) => sha256Hex(Buffer.from(`Content of ${name}`))),
    );
  });

  it('keeps the attachments of an event: files and items as they are, and what the service tells of each', async () => {
    const mailbox = aMailbox();
    const [event] = await rig.truth('calendar', user);
    const place = { userId: user, eventId: event?.id ?? '' };
    const file = {
      '@odata.type': '#microsoft.graph.fileAttachment',
      name: 'Agenda.txt',
      contentBytes: 'QWdlbmRh',
      contentType: 'text/plain',
    };
    await rig.graph.exchange.calendar.addEventAttachment(place, file);
    const message = { '@odata.type': '#microsoft.graph.message', subject: 'Asked', body: { contentType: 'text', content: 'When?' } };
    const attached = { '@odata.type': '#microsoft.graph.itemAttachment', name: 'Asked', item: message };
    await rig.graph.exchange.calendar.addEventAttachment(place, attached);
    rig.simulator.control.setFaults([{ match: { path: EVENT_FILES }, do: 'status', status: 400, times: 3 }]);
    expect(await rig.backup(mailbox, EVENTS_ONLY)).toMatchObject({ status: 'defective' });
    const told = rig.problems.all.filter(({ resourceId, itemKey }) => resourceId === mailbox.id && itemKey === place.eventId);
    expect(told.map(({ code, tried }) => [code, tried])).toEqual([['graph.bad-request', ['attachment Asked']]]);
    rig.simulator.control.setFaults([]);
    expect(await rig.backup(mailbox, EVENTS_ONLY)).toMatchObject({ status: 'successful' });
    const { item, contents } = await stored(mailbox, 'event', place.eventId);
    expect(contents).toEqual(['export', 'attachment Agenda.txt', 'part Agenda.txt', 'attachment Asked', 'part Asked']);
    const reader = rig.vault.reader();
    const [, bytes, facts, asked] = item?.contents ?? [];
    expect(bytes && Buffer.from(await reader.readAll(bytes.ref)).toString()).toBe('Agenda');
    expect(bytes?.mediaType).toBe('text/plain');
    expect(facts && Buffer.from(await reader.readAll(facts.ref)).toString()).not.toContain('contentBytes');
    expect(asked && Buffer.from(await reader.readAll(asked.ref)).toString()).toMatch(/Subject: Asked[^]*When\?/u);
    const target = { resource: mailbox, folder: 'Again' };
    const { lines } = await rig.restore({ source: mailbox, selection: [place.eventId], target, collisions: 'skip' });
    expect(lines.flatMap(({ differences }) => differences)).toContain('attachedMessageAsFile');
  });
});
