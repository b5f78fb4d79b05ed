import { beforeEach, expect, test, vi } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createInactivity } from './activity.ts';
import type { ActivityChannel } from './activity.ts';

function sharedChannels(): readonly [ActivityChannel, ActivityChannel] {
  const listeners: [Set<(at: number) => void>, Set<(at: number) => void>] = [new Set(), new Set()];
  const channel = (own: 0 | 1): ActivityChannel => ({
    tell: (at) => listeners[own === 0 ? 1 : 0].forEach((hear) => hear(at)),
    listen(hear) {
      listeners[own].add(hear);
      return () => listeners[own].delete(hear);
    },
  });
  return [channel(0), channel(1)];
}

const onWarning = vi.fn<() => void>();
const onLogout = vi.fn<() => void>();
beforeEach(() => {
  onWarning.mockClear();
  onLogout.mockClear();
});

test('warns after 870 seconds without a click and logs out after 900', () => {
  const clock = createFakeClock();
  const inactivity = createInactivity(clock, sharedChannels()[0]);
  inactivity.start({ onWarning, onLogout });
  clock.advance(869_999);
  expect(onWarning).not.toHaveBeenCalled();
  clock.advance(1);
  expect(onWarning).toHaveBeenCalledTimes(1);
  expect(inactivity.countdown.get()).toBe(30);
  clock.advance(29_999);
  expect(onLogout).not.toHaveBeenCalled();
  clock.advance(1);
  expect(onLogout).toHaveBeenCalledTimes(1);
  expect(onWarning).toHaveBeenCalledTimes(1);
});

test('each click starts the time anew, also after the warning', () => {
  const clock = createFakeClock();
  const inactivity = createInactivity(clock, sharedChannels()[0]);
  inactivity.start({ onWarning, onLogout });
  clock.advance(880_000);
  inactivity.touch();
  expect(inactivity.countdown.get()).toBeNull();
  clock.advance(869_000);
  expect(onWarning).toHaveBeenCalledTimes(1);
  expect(onLogout).not.toHaveBeenCalled();
});

test('a click in another tab counts', () => {
  const clock = createFakeClock();
  const [here, there] = sharedChannels();
  const inactivity = createInactivity(clock, here);
  const other = createInactivity(clock, there);
  inactivity.start({ onWarning, onLogout });
  other.start({ onWarning: () => undefined, onLogout: () => undefined });
  clock.advance(800_000);
  other.touch();
  clock.advance(800_000);
  expect(onWarning).not.toHaveBeenCalled();
});

test('a tab that is opened counts as a click for those that were there before', () => {
  const clock = createFakeClock();
  const [here, there] = sharedChannels();
  const inactivity = createInactivity(clock, here);
  inactivity.start({ onWarning, onLogout });
  clock.advance(600_000);
  const late = vi.fn<() => void>();
  createInactivity(clock, there).start({ onWarning: late, onLogout: () => undefined });
  clock.advance(869_999);
  expect([onWarning.mock.calls.length, late.mock.calls.length]).toEqual([0, 0]);
  clock.advance(1);
  expect([onWarning.mock.calls.length, late.mock.calls.length]).toEqual([1, 1]);
});

test('a laptop that slept past the end logs out when it wakes up, and a click then comes too late', () => {
  const clock = createFakeClock();
  const inactivity = createInactivity(clock, sharedChannels()[0]);
  inactivity.start({ onWarning, onLogout });
  clock.jump(3_600_000);
  inactivity.touch();
  expect(onLogout).toHaveBeenCalledTimes(1);
});

test('a renewal learns whether there was a click since the last one', () => {
  const clock = createFakeClock();
  const inactivity = createInactivity(clock, sharedChannels()[0]);
  inactivity.start({ onWarning, onLogout });
  expect(inactivity.takeTouched()).toBe(true);
  expect(inactivity.takeTouched()).toBe(false);
  inactivity.touch();
  expect(inactivity.takeTouched()).toBe(true);
});
