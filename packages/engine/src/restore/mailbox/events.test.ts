import { graphError } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { Content, ItemVersion } from '../../ports/item.ts';
import { createBeginnings } from '../beginnings.ts';
import type { CollisionPolicy } from '../request.ts';
import type { PlacedContainer, RestoreContext } from '../restorer.ts';
import { createEventRestorer } from './events.ts';

const CALENDAR: PlacedContainer = { outcome: 'skipped', targetId: 'calendar' };
const utc = (dateTime: string) => ({ dateTime, timeZone: 'UTC' });
const times = { start: utc('2026-03-02T08:00:00'), end: utc('2026-03-02T09:00:00') };

interface Given {
  readonly collisions?: CollisionPolicy;
  readonly changedAt?: string;
  readonly refusal?: Error;
  readonly folder?: string;
}

/** A mailbox with one calendar, in which the event is there already under the id that all calendars share. */
function aMailbox({ collisions = 'replace', changedAt, refusal, folder }: Given = {}) {
  const asked: unknown[] = [];
  const calendar = {
    async *calendars() {
      yield { id: 'default', name: 'Calendar', isDefaultCalendar: true };
      yield { id: 'team', name: 'Team' };
      yield { id: 'nameless' };
    },
    async *events() {
      yield { id: 'old', iCalUId: 'shared', subject: 'Review', ...times };
    },
    async *instances() {},
    event: async () => ({ id: 'old', lastModifiedDateTime: changedAt }),
    createCalendar: async (_user: object, body: object) => {
      asked.push(['calendar', body]);
      return { id: 'made-calendar' };
    },
    createEvent: async (_place: object, body: { readonly subject?: string }) => {
      asked.push(['event', body.subject]);
      return { id: 'made' };
    },
    deleteEvent: async () => {
      if (refusal) throw refusal;
      asked.push(['delete']);
    },
    addEventAttachment: async (_event: object, { name, contentType }: { readonly name: string; readonly contentType: string }) => {
      asked.push(['attachment', name, contentType]);
    },
    uploadEventAttachment: async (_event: object, { name }: { readonly name: string }, source: { readonly sizeBytes: number }) => {
      asked.push(['upload', name, source.sizeBytes]);
    },
  };
  const report = { begin: async () => {}, uploading: async () => {}, tell: async () => {} };
  const target = { resource: { graphId: 'u' }, ...(folder === undefined ? {} : { folder }) };
  const context = {
    request: { collisions, target, source: { id: 'r' } },
    graph: { exchange: { calendar } },
    reader: { readAll: async ({ told }: { readonly told?: object }) => Buffer.from(told ? JSON.stringify(told) : 'Plan') },
    catalog: { lookup: async () => new Map() },
    beginnings: createBeginnings(report, undefined),
  } as unknown as RestoreContext;
  return { asked, restorer: createEventRestorer(context) };
}

function anEvent(properties = {}, changes: Partial<ItemVersion> = {}): ItemVersion {
  const all = { subject: 'Review', iCalUId: 'shared', ...times, ...properties };
  return anItem('key', { kind: 'event', name: 'Review', modifiedAt: '2026-03-01T08:00:00Z', properties: all, ...changes });
}

describe('an event that is there already', () => {
  it('is replaced, unless it is newer where the newer wins', async () => {
    const newer = aMailbox({ collisions: 'newerWins', changedAt: '2026-04-01T08:00:00Z' });
    expect(await newer.restorer.restore(anEvent(), CALENDAR)).toEqual({
      outcome: 'skipped',
      targetId: 'old',
      code: 'restore.existing-newer',
    });
    expect(newer.asked).toEqual([]);
    for (const changedAt of ['2026-02-01T08:00:00Z', undefined]) {
      const older = aMailbox({ collisions: 'newerWins', ...(changedAt === undefined ? {} : { changedAt }) });
      expect(await older.restorer.restore(anEvent(), CALENDAR)).toMatchObject({ outcome: 'replaced', targetId: 'made', differences: [] });
      expect(older.asked).toEqual([['event', 'Review'], ['delete']]);
    }
    expect(await aMailbox({ collisions: 'skip' }).restorer.restore(anEvent(), CALENDAR)).toMatchObject({ code: 'restore.exists' });
  });

  it('stays beside the new one when taking it away would tell those who were asked; that it is gone is no fault', async () => {
    const kept = aMailbox({ refusal: graphError('graph.bad-request') });
    expect(await kept.restorer.restore(anEvent(), CALENDAR)).toMatchObject({ differences: ['originalKeptBecauseOfAttendees'] });
    const gone = aMailbox({ refusal: graphError('graph.item-gone') });
    expect(await gone.restorer.restore(anEvent(), CALENDAR)).toMatchObject({ outcome: 'replaced', differences: [] });
    const down = aMailbox({ refusal: graphError('graph.service-fault') });
    await expect(down.restorer.restore(anEvent(), CALENDAR)).rejects.toMatchObject({ code: 'graph.service-fault' });
  });
});

it('what the service does not take of an event is named, and its files come with it, however large', async () => {
  const large = { role: 'attachment', label: 'Film.mp4', mediaType: 'video/mp4', ref: { sizeBytes: 20_000_000 } };
  const parts = ['file', 'item', 'reference'].map((type) => ({
    role: 'part',
    ref: { told: { '@odata.type': `#microsoft.graph.${type}Attachment` } },
  }));
  const contents = [...parts, { role: 'attachment', ref: { sizeBytes: 4 } }, large] as unknown as readonly Content[];
  const { restorer, asked } = aMailbox({ collisions: 'keepBoth' });
  const attendees = [{ emailAddress: { address: 'bo@example.com' } }];
  const item = anEvent({ attendees, isOnlineMeeting: true, originalStartTimeZone: 'Somewhere' }, { contents });
  expect(await restorer.restore(item, CALENDAR)).toMatchObject({
    outcome: 'restored',
    differences: ['attachedMessageAsFile', 'attachedLinks', 'attendees', 'organizer', 'isOnlineMeeting', 'timeZone'],
  });
  expect(asked).toEqual([
    ['event', 'Review'],
    ['attachment', 'attachment', 'application/octet-stream'],
    ['upload', 'Film.mp4', 20_000_000],
  ]);
});

it('a calendar is the default one, one of its name, or a new one of its colour', async () => {
  const of = (name: string, properties = {}) => anItem(name, { kind: 'calendar', name, properties });
  const { restorer, asked } = aMailbox();
  expect(await restorer.place(of('Kalender', { isDefaultCalendar: true }))).toEqual({ outcome: 'skipped', targetId: 'default' });
  expect(await restorer.place(of('TEAM'))).toEqual({ outcome: 'skipped', targetId: 'team' });
  expect(await restorer.place(of('New', { color: 'lightBlue' }))).toEqual({ outcome: 'restored', targetId: 'made-calendar' });
  expect(await restorer.place(of('new'))).toEqual({ outcome: 'skipped', targetId: 'made-calendar' });
  const beside = aMailbox({ folder: 'Looked at' });
  await beside.restorer.place(of('Kalender', { isDefaultCalendar: true }));
  expect([...asked, ...beside.asked]).toEqual([
    ['calendar', { name: 'New', color: 'lightBlue' }],
    ['calendar', { name: 'Kalender (Looked at)' }],
  ]);
});
