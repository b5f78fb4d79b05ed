import { sha256Hex } from '@holdfast/foundation/bytes';
import { once } from '@holdfast/foundation/streams';
import type { TruthRecord } from '@holdfast/m365-simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { Resource } from '../../ports/item.ts';

const CALENDAR_ONLY = { mailbox: { calendars: true, contacts: true, tasks: true }, include: ['Nothing of the mail'] };

function shown(records: readonly TruthRecord[]): readonly object[] {
  return records
    .map(({ metadata }) => ({
      subject: metadata['subject'],
      occurrences: metadata['occurrences'],
      isAllDay: metadata['isAllDay'],
      categories: metadata['categories'],
    }))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

describe('restoring calendars, contacts and tasks', () => {
  let rig: Rig;
  let mailbox: Resource;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) {
      if (user.userType !== 'Member' || (await rig.truth('calendar', user.id)).length <= 10) continue;
      mailbox = rig.resource('mailbox', user.id);
      break;
    }
    await rig.backup(mailbox, { selection: CALENDAR_ONLY });
  });
  afterAll(() => rig.close());

  it('brings every occurrence back at its moment, across changes of the clock, with exceptions and cancelled dates, and invites nobody', async () => {
    const before = await rig.truth('calendar', mailbox.graphId);
    const target = { resource: mailbox, folder: 'Restored' };
    const { result } = await rig.restore({ source: mailbox, selection: ['area:calendars'], target, collisions: 'skip' });
    expect(result.counts.failed).toBe(0);
    const added = (await rig.truth('calendar', mailbox.graphId)).filter((record) => !before.some((known) => known.id === record.id));
    expect(shown(added)).toEqual(shown(before));
    expect(added.flatMap((record) => record.metadata['attendees'] ?? [])).toEqual([]);
    expect(rig.outbox()).toEqual([]);
  });

  it('brings a series of a customised zone back at its instants, and says that the zone is lost', async () => {
    const at = (dateTime: string) => ({ dateTime, timeZone: 'Tokyo Standard Time' });
    const range = { type: 'numbered', startDate: '2026-05-05', numberOfOccurrences: 6, recurrenceTimeZone: 'Customized Time Zone' };
    const { id } = rig.act('calendar.create', {
      user: mailbox.graphId,
      event: {
        subject: 'Morning call',
        start: at('2026-05-05T07:00:00'),
        end: at('2026-05-05T07:30:00'),
        originalStartTimeZone: 'tzone://Microsoft/Custom',
        recurrence: { pattern: { type: 'weekly', interval: 1, daysOfWeek: ['tuesday'] }, range },
      },
    });
    await rig.backup(mailbox, { selection: CALENDAR_ONLY });
    const target = { resource: mailbox, folder: 'From afar' };
    const { result, lines } = await rig.restore({ source: mailbox, selection: [String(id)], target, collisions: 'skip' });
    expect(result.counts).toMatchObject({ failed: 0, restored: 1 });
    expect(lines.flatMap((line) => line.differences ?? [])).toEqual(['timeZone']);
    const copies = (await rig.truth('calendar', mailbox.graphId)).filter((record) => record.metadata['subject'] === 'Morning call');
    expect(copies).toHaveLength(2);
    expect(copies[1]?.metadata['occurrences']).toEqual(copies[0]?.metadata['occurrences']);
    expect(copies[0]?.metadata['occurrences']).toMatchObject([{ start: '2026-05-04T22:00:00.000Z' }, {}, {}, {}, {}, {}]);
  });

  it('brings contacts back with their photos, and tasks with their parts', async () => {
    for (const [area, kind] of [
      ['area:contacts', 'contacts'],
      ['area:tasks', 'todo'],
    ] as const) {
      const before = await rig.truth(kind, mailbox.graphId);
      const target = { resource: mailbox, folder: 'Restored' };
      const { result } = await rig.restore({ source: mailbox, selection: [area], target, collisions: 'skip' });
      expect(result.counts.failed).toBe(0);
      const after = await rig.truth(kind, mailbox.graphId);
      expect(after.length).toBe(before.length * 2);
    }
  });

  it('brings a file of a task back that is too large for one request', async () => {
    const userId = mailbox.graphId;
    const { todo } = rig.graph.exchange;
    const bytes = Buffer.alloc(9 * 1024 * 1024, 'holdfast ');
    const list = await todo.createList({ userId }, { displayName: 'Large files' });
    const task = await todo.createTask({ userId, listId: list.id }, { title: 'With a large file' });
    const source = { sizeBytes: bytes.byteLength, open: (offset: number) => once(bytes.subarray(offset)) };
    await todo.uploadTaskAttachment(
      { userId, listId: list.id, taskId: task.id },
      { name: 'plan.pdf', contentType: 'application/pdf' },
      source,
    );
    await rig.backup(mailbox, { selection: CALENDAR_ONLY });
    const target = { resource: mailbox, folder: 'Again' };
    const { result } = await rig.restore({ source: mailbox, selection: [task.id], target, collisions: 'skip' });
    expect(result.counts).toMatchObject({ failed: 0, restored: 1 });
    const copies = (await rig.truth('todo', userId)).filter((record) => record.metadata['title'] === 'With a large file');
    const files = copies.flatMap((record) => record.metadata['attachments'] as readonly object[]);
    const file = { name: 'plan.pdf', contentType: 'application/pdf', size: bytes.byteLength };
    expect(files).toMatchObject([file, file]);
    expect(sha256Hex(Buffer.from(String((files[1] as { readonly contentBytes?: string }).contentBytes), 'base64'))).toBe(sha256Hex(bytes));
  });

  it('writes nothing when nothing has changed', async () => {
    await rig.backup(mailbox, { selection: CALENDAR_ONLY });
    expect(await rig.backup(mailbox, { selection: CALENDAR_ONLY })).toMatchObject({ segments: 0, bytesRead: 0 });
  });
});
