import { expect, test } from 'vitest';
import { approverRoles, becomesEntitled, losesEntitlement, standings, type Entitlement } from './approvers.policy.ts';

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));
const rules = { days: 7, leftAt: null };

function person(accountId: string, since: number, given: Partial<Entitlement> = {}): Entitlement {
  return { accountId, role: 'owner', entitledSince: day(since), entitledBy: null, confirmedAt: null, ...given };
}
const founder = person('founder', 1, { entitledBy: 'founder', confirmedAt: day(1) });

function statusOf(who: string, people: readonly Entitlement[], at: number, leftAt: Date | null = null) {
  const found = standings(people, { ...rules, leftAt, at: day(at) }).find(({ accountId }) => accountId === who);
  return found && [found.status, found.until, found.confirmers];
}

test('owners and administrators approve', () => expect(approverRoles).toEqual(['owner', 'administrator']));

test('a founder approves at once, and who is let in by the only owner after the time that is set', () => {
  const second = person('second', 2, { entitledBy: 'founder' });
  expect(statusOf('founder', [founder, second], 1)).toEqual(['ready', null, []]);
  expect(statusOf('second', [founder, second], 8)).toEqual(['tooNew', day(9), []]);
  expect(statusOf('second', [founder, second], 9)).toEqual(['ready', null, []]);
});

test('another owner who could approve before has to confirm, and confirming does not shorten the time', () => {
  const second = person('second', 2, { entitledBy: 'founder' });
  const third = person('third', 20, { entitledBy: 'founder', role: 'administrator' });
  expect(statusOf('third', [founder, second, third], 21)).toEqual(['tooNew', day(27), ['second']]);
  expect(statusOf('third', [founder, second, third], 60)).toEqual(['unconfirmed', null, ['second']]);
  const confirmed = { ...third, confirmedAt: day(21) };
  expect(statusOf('third', [founder, second, confirmed], 21)).toEqual(['tooNew', day(27), []]);
  expect(statusOf('third', [founder, second, confirmed], 27)).toEqual(['ready', null, []]);
});

test('neither the person, nor who entitled them, nor an administrator, nor somebody newer confirms', () => {
  const administrator = person('administrator', 2, { entitledBy: 'founder', role: 'administrator' });
  const third = person('third', 20, { entitledBy: 'founder' });
  const newer = person('newer', 21, { entitledBy: 'third' });
  expect(statusOf('third', [newer, third, administrator, founder], 60)).toEqual(['ready', null, []]);
  expect(statusOf('newer', [newer, third, administrator, founder], 60)).toEqual(['unconfirmed', null, ['founder']]);
});

test('a newcomer gains nothing from the removal of everybody who could have confirmed them', () => {
  const third = person('third', 20, { entitledBy: 'founder' });
  expect(statusOf('third', [founder, third], 30, day(29))).toEqual(['tooNew', day(36), []]);
  expect(statusOf('third', [founder, third], 36, day(29))).toEqual(['ready', null, []]);
});

test('time begins when somebody becomes entitled, and an end that is set counts as a loss at once', () => {
  const owner = { role: 'owner', disabled_at: null, ends_at: null } as const;
  const reader = { ...owner, role: 'reader' } as const;
  const disabled = { ...owner, disabled_at: day(1) };
  const ended = { ...owner, ends_at: day(1) };
  for (const before of [reader, disabled, ended]) expect(becomesEntitled(before, owner, day(2))).toBe(true);
  expect(becomesEntitled({ ...owner, role: 'administrator' }, owner, day(2))).toBe(false);
  expect(becomesEntitled(owner, reader, day(2))).toBe(false);
  for (const after of [undefined, reader, disabled, ended, { ...owner, ends_at: day(9) }])
    expect(losesEntitlement(owner, after)).toBe(true);
  expect(losesEntitlement(owner, { ...owner, role: 'administrator' })).toBe(false);
  expect(losesEntitlement(reader, undefined)).toBe(false);
});
