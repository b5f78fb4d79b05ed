import { expect, it } from 'vitest';
import { collectAll } from '../../testing/builders.ts';
import { createMemoryBlobStore } from '../index.ts';
import { listResourceKeys } from './resources.ts';
import { journalFolder, markerName, segmentName } from './segment-names.ts';

it('every resource is told once, however many segments it has, and the rest of a long one is not listed', async () => {
  const store = createMemoryBlobStore();
  const keys = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40));
  const segments = [1, 500, 3, 1];
  for (const [at, key] of keys.entries()) {
    for (let sequence = 1; sequence <= (segments[at] ?? 0); sequence += 1) {
      const folder = journalFolder(key);
      await store.put(segmentName(folder, sequence, 1, '0'.repeat(16)), [Buffer.from('a segment')]);
      await store.put(markerName(folder, sequence), [Buffer.from('a marker')]);
    }
  }
  let listed = 0;
  const counting = {
    ...store,
    async *list(prefix: string, after?: string) {
      for await (const one of store.list(prefix, after)) {
        listed += 1;
        yield one;
      }
    },
  };
  expect(await collectAll(listResourceKeys({ store: counting }))).toEqual(keys);
  expect(listed).toBeLessThan(30);
});
