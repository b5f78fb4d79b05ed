import { expect, test } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import { createBeginnings } from '../beginnings.ts';
import type { EarlierWork } from '../request.ts';
import type { RestoreContext } from '../restorer.ts';
import { beginningFor, importMessage, type ImportPlace } from './conversation.ts';
import { createThread } from './thread.ts';

test('a conversation that began before its first message keeps its beginning', () => {
  expect(beginningFor('2026-03-02T10:00:00.000Z', { createdAt: '2026-03-01T08:00:00.000Z', isMoved: false })).toBeUndefined();
});

test('a conversation that was made again begins a millisecond before its first message', () => {
  expect(beginningFor('2026-03-02T10:00:00.000Z', { createdAt: '2026-11-21T08:00:00.000Z', isMoved: false })).toBe(
    '2026-03-02T09:59:59.999Z',
  );
  expect(beginningFor('2026-03-02T10:00:00.000Z', { createdAt: undefined, isMoved: false })).toBe('2026-03-02T09:59:59.999Z');
});

test('a conversation without messages needs no other beginning', () => {
  expect(beginningFor(undefined, { createdAt: '2026-03-01T08:00:00.000Z', isMoved: false })).toBeUndefined();
});

test('a conversation that a migration has moved keeps the beginning it was given', () => {
  const moved = { createdAt: '2026-03-01T08:00:00.000Z', isMoved: true };
  expect(beginningFor('2026-03-02T10:00:00.000Z', moved)).toBe('2026-03-01T08:00:00.000Z');
  expect(beginningFor('2026-02-02T10:00:00.000Z', moved)).toBe('2026-02-02T09:59:59.999Z');
});

test('a message that a worker that died had imported is reported with all that it lost', async () => {
  const at = '2026-03-02T10:00:00.000Z';
  const body = { contentType: 'html', content: '<p>Hello</p>' };
  const properties = {
    body,
    from: { user: { id: 'gone', displayName: 'Ada' } },
    attachments: [{ contentType: 'reference', name: 'Plan' }],
  };
  const post = anItem('post', { kind: 'post', createdAt: at, properties });
  const nothing = async () => {};
  const report = { begin: nothing, uploading: nothing, tell: nothing };
  const earlier = { begun: new Map([['post', []]]), uploads: new Map(), targets: async () => new Set<string>() } as unknown as EarlierWork;
  const context = { request: { collisions: 'keepBoth' }, beginnings: createBeginnings(report, earlier) } as unknown as RestoreContext;
  const thread = createThread();
  thread.live.set(at, { id: 'left', words: '' });
  const people = { isKnownUser: () => false, nameOf: () => undefined, stand: { id: 'stand', displayName: 'Lee Gu' } };
  const again = (): never => {
    throw new Error('It is there already.');
  };
  const place: ImportPlace = { thread, post: again };
  expect(await importMessage(context, post, place, people)).toMatchObject({ targetId: 'left', differences: ['from', 'attachments'] });
});
