import { approvalStatuses } from '@holdfast/contract/approvals';
import { expect, test } from 'vitest';
import type { Approver } from '../organisations/index.ts';
import { mayDelay, mayRefuse, mayWithdraw, obstacleOf, secondPersons } from './approvals.policy.ts';

const at = new Date('2026-11-20T12:00:00Z');
const before = new Date('2026-11-20T11:00:00Z');

function anApprover(accountId: string, given: Partial<Approver> = {}): Approver {
  const person = {
    accountId,
    email: `${accountId}@example.com`,
    language: 'en',
    role: 'owner',
    entitledBy: null,
    confirmedAt: null,
  } as const;
  return { ...person, entitledSince: new Date(0), status: 'ready', until: null, confirmers: [], ...given };
}
const of = (...people: readonly Approver[]) => ({ people, lossEndsAt: null });
const ann = anApprover('ann');
const ben = anApprover('ben');
const request = { status: 'waiting', requestedBy: 'ann', requestedAt: at } as const;

test('nobody is their own second person, and only what is open can be decided', () => {
  for (const status of approvalStatuses) {
    const isOpen = status === 'waiting' || status === 'delayed';
    const asked = { ...request, status };
    expect(mayRefuse(asked, 'ann')).toBe(false);
    expect(mayRefuse(asked, 'ben')).toBe(isOpen);
    expect(mayWithdraw(asked, 'ann')).toBe(isOpen);
    expect(mayWithdraw(asked, 'ben')).toBe(false);
  }
});

test('the delay is for those who have nobody to ask and did not just see to it', () => {
  expect(mayDelay(request, 'ann', of(ann), at)).toBe(true);
  expect(mayDelay(request, 'ann', of(ann, ben), at)).toBe(false);
  expect(mayDelay(request, 'ann', of(ann, anApprover('ben', { status: 'tooNew' })), at)).toBe(true);
  expect(mayDelay(request, 'ann', { people: [ann], lossEndsAt: at }, at)).toBe(false);
  expect(mayDelay(request, 'ben', of(ann), at)).toBe(false);
  expect(mayDelay({ ...request, status: 'delayed' }, 'ann', of(ann), at)).toBe(false);
  expect(secondPersons(request, of(ann, ben))).toEqual([ben]);
});

test.each([
  ['has been one for long', ben, null],
  ['is too new', anApprover('ben', { status: 'tooNew' }), 'tooNew'],
  ['is not confirmed', anApprover('ben', { status: 'unconfirmed' }), 'unconfirmed'],
  ['became one at the moment of the request', anApprover('ben', { entitledSince: at }), 'afterRequest'],
  ['became one before the request', anApprover('ben', { entitledSince: before }), null],
] as const)('an approver who %s', (_what, approver, obstacle) => {
  expect(obstacleOf(request, approver, of(ann, approver))).toBe(obstacle);
});

test('whoever lets the requester in does not approve for them until that requester could approve as well', () => {
  const recent = anApprover('ann', { status: 'tooNew', entitledBy: 'ben' });
  expect(obstacleOf(request, ben, of(recent, ben))).toBe('requesterYours');
  expect(obstacleOf(request, anApprover('eve'), of(recent, ben))).toBeNull();
  expect(obstacleOf(request, ben, of(anApprover('ann', { entitledBy: 'ben' }), ben))).toBeNull();
  expect(obstacleOf(request, ben, of(ben))).toBe('requesterGone');
});
