import { expect, test } from 'vitest';
import { microsoftSeen } from './microsoft-seen.views.ts';

const early = new Date('2026-11-23T08:00:00Z');
const late = new Date('2026-11-23T09:00:00Z');
const checked = (at: Date | null, error: string | null = null) => ({ last_checked_at: at, last_error: error });

test('nothing is said of Microsoft 365 before anything was asked', () => {
  expect(microsoftSeen(checked(null), undefined).state).toBe('unknown');
});

test('the newest answer counts, whether a test or a run had it', () => {
  const answered = (at: Date) => ({ waiting: null, answeredAt: at });
  expect(microsoftSeen(checked(early), answered(late))).toEqual({ state: 'reachable', code: null, at: late.toISOString() });
  expect(microsoftSeen(checked(late), answered(early))).toEqual({ state: 'reachable', code: null, at: late.toISOString() });
});

test('a test that failed says how, until a later run ends well', () => {
  const { state, code } = microsoftSeen(checked(late, 'tenants.unreachable'), { waiting: null, answeredAt: early });
  expect([state, code]).toEqual(['unreachable', 'tenants.unreachable']);
  expect(microsoftSeen(checked(late, 'tenants.credential-refused'), undefined).state).toBe('refused');
  expect(microsoftSeen(checked(early, 'tenants.unreachable'), { waiting: null, answeredAt: late }).state).toBe('reachable');
});

test('a run that waits for Microsoft 365 says so, whatever was seen before', () => {
  const waiting = { code: 'graph.unreachable', since: late.toISOString() };
  expect(microsoftSeen(checked(late), { waiting, answeredAt: late })).toEqual({
    state: 'unreachable',
    code: 'graph.unreachable',
    at: late.toISOString(),
  });
});
