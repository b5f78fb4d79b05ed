import { expect, test } from 'vitest';
import { createSemaphore, forEachConcurrent, mapConcurrent } from './concurrency.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a semaphore lets in no more than its limit, in the order they asked', async () => {
  const semaphore = createSemaphore(2);
  const order: number[] = [];
  let most = 0;
  await Promise.all(
    [1, 2, 3, 4, 5].map((number) =>
      semaphore.run(async () => {
        order.push(number);
        most = Math.max(most, semaphore.inUse);
        await turn();
      }),
    ),
  );
  expect(most).toBe(2);
  expect(order).toEqual([1, 2, 3, 4, 5]);
  expect(semaphore.inUse).toBe(0);
});

test('waiting for a place can be given up without losing the place of others', async () => {
  const semaphore = createSemaphore(1);
  const leave = await semaphore.acquire();
  const controller = new AbortController();
  const given = semaphore.acquire(controller.signal);
  const kept = semaphore.acquire();
  controller.abort(new Error('given up'));
  await expect(given).rejects.toThrow('given up');
  leave();
  (await kept)();
  expect(semaphore.inUse).toBe(0);
});

test('what holders weigh together stays within the limit, a heavier one is let in alone, and nobody overtakes it', async () => {
  const semaphore = createSemaphore(10);
  const inside = new Set<string>();
  const seen: string[] = [];
  const hold = (name: string, weight: number): Promise<void> =>
    semaphore.run(
      async () => {
        inside.add(name);
        seen.push([...inside].join('+'));
        await turn();
        inside.delete(name);
      },
      undefined,
      weight,
    );
  await Promise.all([hold('light', 4), hold('half', 6), hold('heavy', 25), hold('last', 1)]);
  expect(seen).toEqual(['light', 'light+half', 'heavy', 'last']);
  expect(semaphore.inUse).toBe(0);
});

test('who waited behind somebody that gave up is let in when there is room', async () => {
  const semaphore = createSemaphore(10);
  const leave = await semaphore.acquire(undefined, 4);
  const controller = new AbortController();
  const heavy = semaphore.acquire(controller.signal, 8);
  const light = semaphore.acquire(undefined, 5);
  controller.abort(new Error('given up'));
  await expect(heavy).rejects.toThrow('given up');
  (await light)();
  leave();
  expect(semaphore.inUse).toBe(0);
});

test('results come in order although the work ends in any order, and at most `limit` run', async () => {
  let running = 0;
  let most = 0;
  const results: number[] = [];
  for await (const result of mapConcurrent([5, 1, 4, 2, 3], 3, async (number) => {
    running += 1;
    most = Math.max(most, running);
    for (let turns = 0; turns < number; turns += 1) await turn();
    running -= 1;
    return number * 10;
  })) {
    results.push(result);
  }
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(3);
});

test('a failure ends the whole and waits for what was started', async () => {
  let settled = 0;
  const work = forEachConcurrent([1, 2, 3], 3, async (number) => {
    await turn();
    settled += 1;
    if (number === 1) throw new Error('one');
  });
  await expect(work).rejects.toThrow('one');
  expect(settled).toBe(3);
});
