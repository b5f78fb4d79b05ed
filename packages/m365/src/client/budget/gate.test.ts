import { createIds } from '@holdfast/foundation/ids';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { describe, expect, it } from 'vitest';
import { isGraphError } from '../../errors/errors.ts';
import type { BudgetClaim, BudgetPort } from './budget-port.ts';
import { createGate } from './gate.ts';
import { createMemoryBudgets } from './memory-budgets.ts';

function aGate() {
  const clock = createFakeClock();
  const budgets = createMemoryBudgets({ clock, ids: createIds(clock, createSeededRandom(1)) });
  return { clock, budgets, gate: createGate(budgets, clock) };
}

function aClaim(bucket: string, more: Partial<BudgetClaim> = {}): BudgetClaim {
  const slots = { limit: 1, heldForRestores: 0, leaseMs: 60_000 };
  return { priority: 'backup', charges: [{ bucket, windows: [], slots }], ...more };
}

describe('the gate', () => {
  it('lets in as many as there is room for and the next when one leaves', async () => {
    const { gate, clock } = aGate();
    const leave = await gate.enter(aClaim('b'));
    let isIn = false;
    const second = gate.enter(aClaim('b')).then((next) => {
      isIn = true;
      return next;
    });
    await clock.advance(500);
    expect([isIn, gate.queued('b'), gate.queued('c')]).toEqual([false, 1, 0]);
    leave();
    leave();
    await second;
    expect(gate.queued('b')).toBe(0);
    expect(gate.waitedMs).toBeGreaterThanOrEqual(500);
  });

  it('forgets who was cancelled, and their place goes to the next', async () => {
    const { gate } = aGate();
    const leave = await gate.enter(aClaim('b'));
    const cancel = new AbortController();
    const cancelled = gate.enter(aClaim('b'), cancel.signal);
    const patient = gate.enter(aClaim('b'));
    cancel.abort(new Error('enough'));
    await expect(cancelled).rejects.toThrow('enough');
    leave();
    await expect(patient).resolves.toBeTypeOf('function');
  });

  it('refuses at once what was cancelled before', async () => {
    const { gate } = aGate();
    await expect(gate.enter(aClaim('b'), AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  });

  it('does not sit out a pause of a day', async () => {
    const { gate, budgets } = aGate();
    await budgets.pause('b', 86_400_000);
    const failure = await gate.enter(aClaim('b')).catch((reason: unknown) => reason);
    expect(isGraphError(failure, 'graph.throttled') && failure.details['bucket']).toBe('b');
  });

  it('lets nobody wait for the pause of another mailbox', async () => {
    const { gate, budgets, clock } = aGate();
    await budgets.pause('throttled', 60_000);
    let isIn = false;
    const paused = gate.enter(aClaim('throttled')).then((leave) => {
      isIn = true;
      return leave;
    });
    for (let request = 0; request < 20; request += 1) (await gate.enter(aClaim('other')))();
    expect([isIn, gate.queued('throttled'), gate.queued('other')]).toEqual([false, 1, 0]);
    await clock.advance(60_010);
    (await paused)();
    expect(isIn).toBe(true);
  });

  it('lets lines of one bucket take turns', async () => {
    const { gate, clock } = aGate();
    const counts = new Map<string, number>();
    const family = { bucket: 'family', windows: [{ name: 'w', cost: 1, limit: 2, windowMs: 1_000 }] };
    const members = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (let round = 0; round < 20; round += 1) {
      for (const member of members) {
        const own = { bucket: member, windows: [{ name: 'w', cost: 1, limit: 1, windowMs: 1_000 }] };
        gate.enter({ priority: 'backup', charges: [family, own] }).then(
          () => counts.set(member, (counts.get(member) ?? 0) + 1),
          () => undefined,
        );
      }
    }
    await clock.advance(20_000);
    const served = members.map((member) => counts.get(member) ?? 0);
    expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(2);
  });

  it('tells who waits when the budgets cannot be asked', async () => {
    const { clock } = aGate();
    const broken: BudgetPort = {
      take: () => Promise.reject(new Error('no database')),
      giveBack: () => Promise.resolve(),
      keep: () => Promise.resolve(),
      pause: () => Promise.resolve(),
      pausedForMs: () => Promise.resolve(0),
    };
    await expect(createGate(broken, clock).enter(aClaim('b'))).rejects.toThrow('no database');
  });

  describe('while the budgets are being asked', () => {
    /** Budgets that answer one moment later, and refuse a backup for a day. */
    function slowBudgets(clock: ReturnType<typeof aGate>['clock']): BudgetPort {
      return {
        async take(claim) {
          await clock.sleep(10);
          if (claim.priority === 'restore') return { granted: true, grantId: 'g' };
          return { granted: false, bucket: 'b', reason: 'window', waitMs: 86_400_000 };
        },
        giveBack: () => Promise.resolve(),
        keep: () => Promise.resolve(),
        pause: () => Promise.resolve(),
        pausedForMs: () => Promise.resolve(0),
      };
    }

    it('a restore that joins does not wait for the backup before it', async () => {
      const { clock } = aGate();
      const gate = createGate(slowBudgets(clock), clock);
      const stop = new AbortController();
      const backup = gate.enter(aClaim('b'), stop.signal);
      await clock.advance(5);
      let isIn = false;
      const restore = gate.enter(aClaim('b', { priority: 'restore' })).then((leave) => {
        isIn = true;
        return leave;
      });
      await clock.advance(1_000);
      expect(isIn).toBe(true);
      (await restore)();
      stop.abort(new Error('stopped'));
      await expect(backup).rejects.toThrow('stopped');
    });

    it('a backup that leaves keeps nobody waiting behind it', async () => {
      const { clock } = aGate();
      const gate = createGate(slowBudgets(clock), clock);
      const stop = new AbortController();
      const backup = gate.enter(aClaim('b'), stop.signal);
      await clock.advance(5);
      stop.abort(new Error('stopped'));
      await expect(backup).rejects.toThrow('stopped');
      await clock.advance(1_000);
      expect(gate.queued('b')).toBe(0);
      const restore = gate.enter(aClaim('b', { priority: 'restore' }));
      await clock.advance(1_000);
      (await restore)();
    });
  });
});
