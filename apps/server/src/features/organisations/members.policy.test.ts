import { expect, test } from 'vitest';
import { wouldLoseLastOwner } from './members.policy.ts';

test('the last owner neither leaves nor steps down, one of two may', () => {
  expect(wouldLoseLastOwner(['a'], { accountId: 'a', isLeaving: true })).toBe(true);
  expect(wouldLoseLastOwner(['a'], { accountId: 'a', role: 'reader', isLeaving: false })).toBe(true);
  expect(wouldLoseLastOwner(['a'], { accountId: 'a', role: 'owner', isLeaving: false })).toBe(false);
  expect(wouldLoseLastOwner(['a', 'b'], { accountId: 'a', isLeaving: true })).toBe(false);
  expect(wouldLoseLastOwner(['a'], { accountId: 'b', isLeaving: true })).toBe(false);
});
