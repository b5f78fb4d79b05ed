import { expect, it } from 'vitest';
import { BATCH_BYTES, createGatheredMemory } from './batch-memory.ts';

it('asks for full batches of each content, and for less as soon as all of them hold too much together', () => {
  const gathered = createGatheredMemory(3 * BATCH_BYTES);
  expect(gathered.isEnough(BATCH_BYTES - 1)).toBe(false);
  expect(gathered.isEnough(BATCH_BYTES)).toBe(true);
  gathered.hold(3 * BATCH_BYTES + 1);
  expect(gathered.isEnough(BATCH_BYTES / 4)).toBe(true);
  expect(gathered.isEnough(BATCH_BYTES / 4 - 1)).toBe(false);
  gathered.giveBack(1);
  expect(gathered.isEnough(BATCH_BYTES / 4)).toBe(false);
});
