import { createIds } from '@holdfast/foundation/ids';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { describe, expect, it } from 'vitest';
import { budgetContract } from '../../../testing/budget.contract.ts';
import { createMemoryBudgets } from './memory-budgets.ts';
import { createSpendingWindow } from './spending-window.ts';

budgetContract('memory', (clock) => {
  const budgets = createMemoryBudgets({ clock, ids: createIds(clock, createSeededRandom(1)) });
  return Promise.resolve({ budgets, clock, other: budgets });
});

describe('spending window', () => {
  it('permits at least 85 % of what a large limit allows over a long time', async () => {
    const clock = createFakeClock();
    const window = createSpendingWindow(9_600, 600_000);
    let granted = 0;
    for (let second = 0; second < 3_600; second += 1) {
      for (let ask = 0; ask < 40; ask += 1) {
        if (window.waitMs(clock.monotonicMs(), 9_599) > 0) break;
        window.spend(clock.monotonicMs(), 1);
        granted += 1;
      }
      await clock.advance(1_000);
    }
    expect(granted).toBeGreaterThanOrEqual(0.85 * 9_600 * 6);
  });
});
