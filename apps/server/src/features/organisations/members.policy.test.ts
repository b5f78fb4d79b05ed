import { roles } from '@holdfast/contract/actions';
import { expect, test } from 'vitest';
import { mayHandleRole, rolesToGive, wouldLoseLastOwner } from './members.policy.ts';

test('nobody handles a role above their own, and everybody their own', () => {
  for (const [index, own] of roles.entries()) {
    for (const [other, role] of roles.entries()) expect(mayHandleRole(own, role)).toBe(index <= other);
  }
  expect(rolesToGive('administrator')).toEqual(['administrator', 'operator', 'auditor', 'reader']);
});

test('the last owner neither leaves nor steps down, one of two may', () => {
  expect(wouldLoseLastOwner(['a'], { accountId: 'a', isLeaving: true })).toBe(true);
  expect(wouldLoseLastOwner(['a'], { accountId: 'a', role: 'reader', isLeaving: false })).toBe(true);
  expect(wouldLoseLastOwner(['a'], { accountId: 'a', role: 'owner', isLeaving: false })).toBe(false);
  expect(wouldLoseLastOwner(['a', 'b'], { accountId: 'a', isLeaving: true })).toBe(false);
  expect(wouldLoseLastOwner(['a'], { accountId: 'b', isLeaving: true })).toBe(false);
});
