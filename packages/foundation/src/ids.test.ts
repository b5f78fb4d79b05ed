import { expect, test } from 'vitest';
import { createIds, isUuid } from './ids.ts';
import { createSeededRandom } from './random.ts';
import { createFakeClock } from './testing/fake-clock.ts';

test('ids are valid and sort in the order they were made, also within one millisecond', () => {
  const ids = createIds(createFakeClock(), createSeededRandom(1));
  const made = Array.from({ length: 10_000 }, () => ids.uuid());
  expect(made.every(isUuid)).toBe(true);
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test('a clock that steps back does not make ids go back', () => {
  const clock = createFakeClock(1_000_000);
  const ids = createIds(clock, createSeededRandom(2));
  const before = ids.uuid();
  clock.setNow(0);
  expect(ids.uuid() > before).toBe(true);
});

test('text that only looks like an id is none', () => {
  expect(isUuid('00000000-0000-0000-0000-000000000000')).toBe(false);
  expect(isUuid('01890A5D-AC96-774B-BCCE-B302099A8057')).toBe(false);
  expect(isUuid('01890a5d-ac96-774b-bcce-b302099a8057')).toBe(true);
});
