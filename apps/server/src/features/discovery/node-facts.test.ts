import { expect, test } from 'vitest';
import { factsOf } from './node-facts.ts';

const of = (properties: unknown, has_attachments = false) => factsOf({ detail: { properties }, has_attachments });

test('a message tells that it is unread, flagged, important and in which categories', () => {
  const properties = { isRead: false, flag: { flagStatus: 'flagged' }, importance: 'high', categories: ['Red', 7, 'Blue'] };
  expect(of(properties, true)).toMatchObject({
    isUnread: true,
    isFlagged: true,
    isImportant: true,
    hasAttachments: true,
    categories: ['Red', 'Blue'],
  });
  expect(of({ isRead: true, flag: { flagStatus: 'complete' }, importance: 'low' })).toMatchObject({
    isUnread: false,
    isFlagged: false,
    isImportant: false,
    categories: [],
  });
});

test('an event tells when it is, a series that it recurs, a task when it is due', () => {
  const start = { dateTime: '2026-11-24T09:00:00.0000000', timeZone: 'UTC' };
  expect(of({ start, end: { dateTime: '2026-11-24T09:30:00', timeZone: 'UTC' }, type: 'seriesMaster', isAllDay: false })).toMatchObject({
    startsAt: '2026-11-24T09:00:00.000Z',
    endsAt: '2026-11-24T09:30:00.000Z',
    isRecurring: true,
    isAllDay: false,
  });
  expect(of({ dueDateTime: start, status: 'completed' })).toMatchObject({ dueAt: '2026-11-24T09:00:00.000Z', isDone: true });
});

test.each([
  ['a time of another zone', { start: { dateTime: '2026-11-24T09:00:00', timeZone: 'Europe/Berlin' } }],
  ['a time that is none', { start: { dateTime: 'soon', timeZone: 'UTC' } }],
  ['a text', { start: 'tomorrow' }],
  ['no properties', null],
])('%s is no start', (_name, properties) => {
  expect(of(properties)?.startsAt).toBeNull();
});

test('what has no details has no facts', () => {
  expect(factsOf({ detail: null, has_attachments: false })).toBeNull();
});
