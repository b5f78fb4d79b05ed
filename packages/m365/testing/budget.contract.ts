import { createSeededRandom } from '@holdfast/foundation/random';
import { createFakeClock, type FakeClock } from '@holdfast/foundation/testing/fake-clock';
import { describe, expect, it } from 'vitest';
import type { BudgetAnswer, BudgetCharge, BudgetPort, Priority } from '../src/client/budget/budget-port.ts';

export interface BudgetSubject {
  readonly budgets: BudgetPort;
  /** The time the implementation goes by. */
  readonly clock: FakeClock;
  /** A second worker over the same state; for an implementation in one process the same object. */
  readonly other: BudgetPort;
}

function aCharge(
  values: Partial<BudgetCharge> & { readonly cost?: number; readonly limit?: number; readonly windowMs?: number } = {},
): BudgetCharge {
  const { cost = 1, limit = 10, windowMs = 1_000, ...charge } = values;
  return { bucket: 'b', windows: [{ name: 'w', cost, limit, windowMs }], ...charge };
}

function take(budgets: BudgetPort, charges: readonly BudgetCharge[], priority: Priority = 'backup'): Promise<BudgetAnswer> {
  return budgets.take({ priority, charges });
}

/** What every implementation of `BudgetPort` promises. */
export function budgetContract(name: string, create: (clock: FakeClock) => Promise<BudgetSubject>): void {
  const subject = (): Promise<BudgetSubject> => create(createFakeClock());

  describe(`budgets: ${name}`, () => {
    it('grants up to the limit and says how long to wait then', async () => {
      const { budgets } = await subject();
      for (let count = 0; count < 10; count += 1) expect((await take(budgets, [aCharge()])).granted).toBe(true);
      const refused = await take(budgets, [aCharge()]);
      expect(refused).toMatchObject({ granted: false, reason: 'window', bucket: 'b' });
      expect(refused.granted || refused.waitMs).toBeGreaterThan(0);
    });

    it('grants again when the wait it named has passed', async () => {
      const { budgets, clock } = await subject();
      await take(budgets, [aCharge({ cost: 10 })]);
      const refused = await take(budgets, [aCharge()]);
      if (refused.granted) throw new Error('expected a refusal');
      await clock.advance(refused.waitMs);
      expect((await take(budgets, [aCharge()])).granted).toBe(true);
    });

    it.each([1, 2, 3, 4, 5])('never spends more than the limit in any window, whatever is asked (seed %i)', async (seed) => {
      const { budgets, other, clock } = await subject();
      const random = createSeededRandom(seed);
      const limit = 1 + random.below(400);
      const windowMs = 500 + random.below(60_000);
      const spent: { at: number; cost: number }[] = [];
      for (let turn = 0; turn < 1_500; turn += 1) {
        if (random.next() < 0.3) await clock.advance(random.below(windowMs / 10));
        const cost = 1 + random.below(3);
        const answer = await take(random.next() < 0.5 ? budgets : other, [aCharge({ cost: Math.min(cost, limit), limit, windowMs })]);
        if (answer.granted) spent.push({ at: clock.monotonicMs(), cost: Math.min(cost, limit) });
      }
      for (const [index, first] of spent.entries()) {
        let total = 0;
        for (let next = index; next < spent.length; next += 1) {
          const entry = spent[next];
          if (!entry || entry.at - first.at >= windowMs) break;
          total += entry.cost;
        }
        expect(total).toBeLessThanOrEqual(limit);
      }
      expect(spent.length).toBeGreaterThan(0);
    });

    it('takes everything or nothing', async () => {
      const { budgets } = await subject();
      await take(budgets, [aCharge({ bucket: 'full', cost: 10 })]);
      for (let count = 0; count < 20; count += 1) await take(budgets, [aCharge({ bucket: 'free' }), aCharge({ bucket: 'full' })]);
      expect((await take(budgets, [aCharge({ bucket: 'free', cost: 10 })])).granted).toBe(true);
    });

    it('keeps what is held for restores from backups', async () => {
      const { budgets } = await subject();
      const held = (cost: number): BudgetCharge => ({
        bucket: 'day',
        windows: [{ name: 'd', cost, limit: 100, windowMs: 86_400_000, heldForRestores: 20 }],
      });
      expect((await take(budgets, [held(80)])).granted).toBe(true);
      expect((await take(budgets, [held(1)])).granted).toBe(false);
      expect((await take(budgets, [held(20)], 'restore')).granted).toBe(true);
      expect((await take(budgets, [held(1)], 'restore')).granted).toBe(false);
    });

    it('gives slots to as many as there are, over all workers, and back', async () => {
      const { budgets, other } = await subject();
      const slot = { bucket: 's', windows: [], slots: { limit: 2, heldForRestores: 0, leaseMs: 60_000 } };
      const first = await take(budgets, [slot]);
      expect((await take(other, [slot])).granted).toBe(true);
      expect(await take(budgets, [slot])).toMatchObject({ granted: false, reason: 'slots' });
      if (first.granted) await budgets.giveBack(first.grantId);
      if (first.granted) await budgets.giveBack(first.grantId);
      expect((await take(other, [slot])).granted).toBe(true);
      expect((await take(other, [slot])).granted).toBe(false);
    });

    it('keeps a slot free for restores while one runs', async () => {
      const { budgets } = await subject();
      const slot = { bucket: 's', windows: [], slots: { limit: 2, heldForRestores: 1, leaseMs: 600_000 } };
      expect((await take(budgets, [slot], 'restore')).granted).toBe(true);
      expect((await take(budgets, [slot])).granted).toBe(false);
      expect((await take(budgets, [slot], 'restore')).granted).toBe(true);
    });

    it('keeps the slot of a request that goes on, and takes none back that was given away', async () => {
      const { budgets, other, clock } = await subject();
      const slot = { bucket: 'k', windows: [], slots: { limit: 1, heldForRestores: 0, leaseMs: 60_000 } };
      const held = await take(budgets, [slot]);
      const grantId = held.granted ? held.grantId : '';
      await clock.advance(50_000);
      await budgets.keep(grantId, 60_000);
      await clock.advance(50_000);
      expect((await take(other, [slot])).granted).toBe(false);
      await budgets.giveBack(grantId);
      await budgets.keep(grantId, 60_000);
      expect((await take(other, [slot])).granted).toBe(true);
    });

    it('frees the slot of a worker that died when its lease ends', async () => {
      const { budgets, other, clock } = await subject();
      const slot = { bucket: 's', windows: [], slots: { limit: 1, heldForRestores: 0, leaseMs: 60_000 } };
      await take(budgets, [slot]);
      await clock.advance(59_000);
      expect((await take(other, [slot])).granted).toBe(false);
      await clock.advance(1_001);
      expect((await take(other, [slot])).granted).toBe(true);
    });

    it('stops a paused bucket, and no other, for everyone', async () => {
      const { budgets, other, clock } = await subject();
      await budgets.pause('b', 5_000);
      expect(await take(other, [aCharge()])).toMatchObject({ granted: false, reason: 'paused' });
      expect((await take(other, [aCharge({ bucket: 'c' })])).granted).toBe(true);
      await clock.advance(4_999);
      expect((await take(budgets, [aCharge()])).granted).toBe(false);
      await clock.advance(1);
      expect((await take(budgets, [aCharge()])).granted).toBe(true);
    });

    it('never shortens a pause', async () => {
      const { budgets, clock } = await subject();
      await budgets.pause('b', 60_000);
      await budgets.pause('b', 1_000);
      await clock.advance(30_000);
      expect(await budgets.pausedForMs('b')).toBe(30_000);
      expect((await take(budgets, [aCharge()])).granted).toBe(false);
    });

    it('lets a single cost above the limit through when nothing else was spent', async () => {
      const { budgets } = await subject();
      expect((await take(budgets, [aCharge({ cost: 50, limit: 10 })])).granted).toBe(true);
      expect((await take(budgets, [aCharge()])).granted).toBe(false);
    });
  });
}
