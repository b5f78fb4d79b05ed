import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRoom } from './room.ts';

const SIZE_BYTES = 16 * 1024;

it('gives out memory that nobody else has, within its bounds, and all of it again once it is given back', () => {
  const steps = fc.array(fc.record({ isTake: fc.boolean(), bytes: fc.nat(3000), which: fc.nat(100) }), { maxLength: 120 });
  fc.assert(
    fc.property(steps, (all) => {
      const room = createRoom(SIZE_BYTES);
      const taken: { at: number; bytes: number }[] = [];
      for (const { isTake, bytes, which } of all) {
        if (isTake) {
          const at = room.take(bytes);
          if (at === undefined) continue;
          expect(at + bytes).toBeLessThanOrEqual(SIZE_BYTES);
          for (const other of taken) expect(at + bytes <= other.at || other.at + other.bytes <= at).toBe(true);
          taken.push({ at, bytes });
        } else if (taken.length > 0) {
          const [given] = taken.splice(which % taken.length, 1) as [(typeof taken)[number]];
          room.give(given.at, given.bytes);
        }
      }
      for (const { at, bytes } of taken) room.give(at, bytes);
      expect(room.take(SIZE_BYTES)).toBe(0);
      expect(room.take(1)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});
