import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBoundedQueue } from './queue.ts';

test('everything that goes in comes out once, in order, whatever the capacity', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer()), fc.integer({ min: 1, max: 5 }), async (values, capacity) => {
      const queue = createBoundedQueue<number>(capacity);
      const out: number[] = [];
      let most = 0;
      const writing = (async () => {
        for (const value of values) {
          await queue.push(value);
          most = Math.max(most, queue.size);
        }
        queue.close();
      })();
      for await (const value of queue) out.push(value);
      await writing;
      expect(out).toEqual(values);
      expect(most).toBeLessThanOrEqual(capacity);
    }),
  );
});

test('a failure reaches a waiting writer and a waiting reader', async () => {
  const full = createBoundedQueue<number>(1);
  await full.push(1);
  const writing = full.push(2);
  full.fail(new Error('broken'));
  await expect(writing).rejects.toThrow('broken');

  const empty = createBoundedQueue<number>(1);
  const reading = empty[Symbol.asyncIterator]().next();
  empty.fail(new Error('broken'));
  await expect(reading).rejects.toThrow('broken');
});
