import { expect, test } from 'vitest';
import { createBatch } from './batch.ts';

/** A load whose answers a test gives when it likes. */
function controlled() {
  const loads: { readonly keys: readonly string[]; readonly answer: (value: string) => void; readonly fail: (error: Error) => void }[] = [];
  const load = (keys: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    new Promise((resolve, reject) => {
      loads.push({ keys, answer: (value) => resolve(new Map(keys.map((key) => [key, `${key}:${value}`]))), fail: reject });
    });
  return { loads, load };
}

/** What a turn of the event loop sets going has gone. */
async function turn(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('what is asked in one turn is one load, and the same key is loaded once', async () => {
  const { loads, load } = controlled();
  const look = createBatch(load, { concurrent: 1, maxKeys: 100 });
  const answers = [look('a'), look('b'), look('a')];
  await turn();
  expect(loads.map(({ keys }) => keys)).toEqual([['a', 'b']]);
  loads[0]?.answer('1');
  expect(await Promise.all(answers)).toEqual(['a:1', 'b:1', 'a:1']);
});

test('no question is answered by a load that began before it was asked', async () => {
  const { loads, load } = controlled();
  const look = createBatch(load, { concurrent: 1, maxKeys: 100 });
  const before = look('a');
  await turn();
  const behind = look('a');
  await turn();
  expect(loads).toHaveLength(1);
  loads[0]?.answer('old');
  expect(await before).toBe('a:old');
  await turn();
  expect(loads).toHaveLength(2);
  loads[1]?.answer('new');
  expect(await behind).toBe('a:new');
});

test('a load takes no more keys than it may, and the rest comes with the next', async () => {
  const seen: number[] = [];
  const look = createBatch(
    async (keys: readonly number[]) => {
      seen.push(keys.length);
      return new Map(keys.map((key) => [key, key * 2]));
    },
    { concurrent: 2, maxKeys: 10 },
  );
  expect(await Promise.all(Array.from({ length: 25 }, (_, key) => look(key)))).toEqual(Array.from({ length: 25 }, (_, key) => key * 2));
  expect(seen).toEqual([10, 10, 5]);
});

test('what is not found is undefined, and a load that fails leaves the next one alone', async () => {
  let isBroken = true;
  const look = createBatch(
    async (keys: readonly string[]) => {
      if (isBroken) throw new Error('not reachable');
      return new Map(keys.filter((key) => key !== 'gone').map((key) => [key, key]));
    },
    { concurrent: 1, maxKeys: 10 },
  );
  const refused = await Promise.allSettled([look('a'), look('b')]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await Promise.all([look('a'), look('gone')])).toEqual(['a', undefined]);
});
