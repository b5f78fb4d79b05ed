import { createMemoryCatalog } from '../../testing/memory-catalog.ts';
import { anItem, aSegment } from '../../testing/builders.ts';
import { systemClock } from '@holdfast/foundation/clock';
import { expect, it } from 'vitest';
import type { Content } from '../ports/item.ts';
import { createMissedSince } from './gone.ts';
import { createKnownItems } from './known-items.ts';
import { createReading } from './reading.ts';

const RESOURCE = '0190aaaa-0000-7000-8000-000000000001';

it('keeps what is stored of a message that was deleted, also when not all of it could be read before', async () => {
  const picture: Content = { role: 'hosted', label: 'one', ref: { sha256: 'a', sizeBytes: 1 } as never };
  const stored = anItem('post', { kind: 'post', contents: [picture], properties: { body: 'Look' } });
  const catalog = createMemoryCatalog();
  await catalog.apply(aSegment(RESOURCE, 1, { put: [stored] }));
  const unread = new Map([['post', { key: 'post', kind: 'post', parentKey: null, name: '', code: 'engine.part-missing' } as const]]);
  const reading = createReading({
    resourceId: RESOURCE,
    catalog,
    known: createKnownItems(catalog, RESOURCE),
    sink: { store: () => Promise.reject(new Error('There is nothing to be read.')) },
    signal: new AbortController().signal,
    unread,
    missedSince: createMissedSince({ unread, clock: systemClock }),
  });
  const draft = { key: 'post', kind: 'post', parentKey: null, name: 'post', contentTag: 'tag', properties: { deletedAt: 'now' } } as const;
  const result = await reading.start({ step: 'put', draft, previous: stored });
  expect(result).toMatchObject({ kind: 'changed', item: { contents: [picture], properties: { deletedAt: 'now' } }, defects: [] });
});

it('A25: what was erased is not read again, whether its page asked for it or not; what is new or changed is', async () => {
  const catalog = createMemoryCatalog();
  await catalog.apply(aSegment(RESOURCE, 1, { put: [anItem('erased'), anItem('listed'), anItem('kept')] }));
  await catalog.apply(aSegment(RESOURCE, 2, { erased: { keys: ['erased', 'listed'], why: {} } }));
  const known = createKnownItems(catalog, RESOURCE);
  const page = await known.load(['listed', 'kept', 'new']);
  const unread = new Map();
  const reading = createReading({
    resourceId: RESOURCE,
    catalog,
    known,
    sink: { store: () => Promise.reject(new Error('Nothing is stored here.')) },
    signal: new AbortController().signal,
    unread,
    missedSince: createMissedSince({ unread, clock: systemClock }),
  });
  const read: string[] = [];
  const put = (key: string) => {
    const draft = { key, kind: 'message', parentKey: null, name: key, contentTag: 'again', properties: {} } as const;
    const reads = () => Promise.resolve({ contents: [], name: String(read.push(key)) });
    return reading.start({ step: 'put', draft: { ...draft, read: reads }, previous: page.get(key) });
  };
  // Two drafts of one key are put one after the other, however long the look at the first takes.
  const results = await Promise.all(['erased', 'listed', 'kept', 'new', 'erased'].map(put));
  expect(results.map(({ kind }) => kind)).toEqual(['erased', 'erased', 'changed', 'changed', 'erased']);
  expect(read.toSorted()).toEqual(['kept', 'new']);
});
