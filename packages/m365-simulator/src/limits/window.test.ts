import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pauseFor } from './retry-after.ts';
import { createWindow } from './window.ts';

describe('a sliding window', () => {
  it('never holds more than the limit when everybody waits as long as they are told', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ afterMs: fc.nat(400), cost: fc.integer({ min: 1, max: 5 }) }), { maxLength: 200 }), (asks) => {
        const window = createWindow(1000);
        const sent: { readonly atMs: number; readonly cost: number }[] = [];
        let nowMs = 0;
        for (const { afterMs, cost } of asks) {
          nowMs += afterMs;
          nowMs += window.waitMs(nowMs, cost, 10);
          expect(window.sum(nowMs) + cost).toBeLessThanOrEqual(10);
          window.add(nowMs, cost);
          sent.push({ atMs: nowMs, cost });
          const inWindow = sent.filter((entry) => entry.atMs > nowMs - 1000).reduce((sum, entry) => sum + entry.cost, 0);
          expect(inWindow).toBeLessThanOrEqual(10);
        }
      }),
    );
  });
});

describe('Retry-After', () => {
  it('never ends before the pause that it tells', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e12 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom('integer' as const, 'decimal' as const, 'date' as const),
        (nowMs, waitMs, form) => {
          const pause = pauseFor(nowMs, waitMs, form);
          expect(pause.untilMs).toBeGreaterThanOrEqual(nowMs + waitMs);
          const read = form === 'date' ? Date.parse(pause.header) : nowMs + Number(pause.header) * 1000;
          expect(Math.abs(read - pause.untilMs)).toBeLessThan(1);
        },
      ),
    );
  });
});
