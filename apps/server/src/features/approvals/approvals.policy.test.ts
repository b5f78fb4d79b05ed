import { approvalStatuses } from '@holdfast/contract/approvals';
import { expect, test } from 'vitest';
import { entitledRoles, mayDecide, mayDelay, mayWithdraw, secondPersons } from './approvals.policy.ts';

const ann = { accountId: 'ann', email: 'ann@example.com' };
const ben = { accountId: 'ben', email: 'ben@example.com' };

test('nobody is their own second person, and only what is open can be decided', () => {
  for (const status of approvalStatuses) {
    const isOpen = status === 'waiting' || status === 'delayed';
    const request = { status, requestedBy: 'ann' };
    expect(mayDecide(request, 'ann')).toBe(false);
    expect(mayDecide(request, 'ben')).toBe(isOpen);
    expect(mayWithdraw(request, 'ann')).toBe(isOpen);
    expect(mayWithdraw(request, 'ben')).toBe(false);
  }
});

test('the delay is for those who have nobody to ask', () => {
  const request = { status: 'waiting', requestedBy: 'ann' } as const;
  expect(mayDelay(request, 'ann', [ann])).toBe(true);
  expect(mayDelay(request, 'ann', [ann, ben])).toBe(false);
  expect(mayDelay(request, 'ben', [ann])).toBe(false);
  expect(mayDelay({ ...request, status: 'delayed' }, 'ann', [ann])).toBe(false);
  expect(secondPersons([ann, ben], 'ann')).toEqual([ben]);
});

test('owners and administrators are entitled', () => expect(entitledRoles).toEqual(['owner', 'administrator']));
