import { expect, it } from 'vitest';
import { createSharedMemory, giveUp, inTurn } from './shared-memory.ts';

it('lets tasks write in their order, goes on after one that failed, and waits for nobody once it is given up', () => {
  const shared = createSharedMemory(new SharedArrayBuffer(8));
  const order: number[] = [];
  inTurn(shared, 0, () => void order.push(0));
  expect(() =>
    inTurn(shared, 1, () => {
      throw new Error('no frame');
    }),
  ).toThrow('no frame');
  inTurn(shared, 2, () => void order.push(2));
  giveUp(shared);
  inTurn(shared, 9, () => void order.push(9));
  inTurn(shared, 8, () => void order.push(8));
  expect(order).toEqual([0, 2, 9, 8]);
});
