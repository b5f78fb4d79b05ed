import { systemClock, type Clock } from './clock.ts';
import { afterEach, expect, test } from 'vitest';
import { createKillableProcess, ProcessEnded, type KillableProcess, type KillableProcessOptions } from './killable-process.ts';

type Echo = KillableProcess<{ readonly does: string }, string>;
const open: Echo[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function anEcho(options: Partial<KillableProcessOptions> = {}): Echo {
  const program = new URL('./testing/echo.process.ts', import.meta.url);
  const echo: Echo = createKillableProcess({ clock: systemClock, program, mostMs: 30_000, mostHeapMb: 64, ...options });
  open.push(echo);
  return echo;
}

test('one process answers one question after the other, and has nothing of the environment', async () => {
  const echo = anEcho({ arguments: ['an argument'] });
  const first = await Promise.all([echo.ask({ does: 'pid' }), echo.ask({ does: 'pid' })]);
  expect(first[0]).toBe(first[1]);
  expect(first[0]).not.toBe(String(process.pid));
  expect(await echo.ask({ does: 'environment' })).toBe('an argument');
});

test('what the program throws is an answer; it goes on in a new process', async () => {
  const echo = anEcho();
  const before = await echo.ask({ does: 'pid' });
  await expect(echo.ask({ does: 'throw' })).rejects.toThrow('not like this');
  expect(await echo.ask({ does: 'pid' })).not.toBe(before);
});

test.each([
  ['exits', 'memory'],
  ['fills', 'memory'],
] as const)('a process that %s is replaced, and says why', async (does, ending) => {
  const echo = anEcho();
  await expect(echo.ask({ does })).rejects.toMatchObject({ name: 'ProcessEnded', ending, wasFresh: true });
  expect(await echo.ask({ does: 'pid' })).toMatch(/^\d+$/);
  await expect(echo.ask({ does })).rejects.toMatchObject({ ending, wasFresh: false });
});

test('a process that never comes back is ended', async () => {
  const echo = anEcho({ mostMs: 2_000 });
  const failure = await echo.ask({ does: 'spins' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProcessEnded);
  expect(failure).toHaveProperty('ending', 'time');
});

test('a process that nobody asks is ended, and the next question starts another', async () => {
  const timers: { ms: number; run: () => void }[] = [];
  const clock: Clock = { ...systemClock, after: (ms, run) => (timers.push({ ms, run }), () => undefined) };
  const echo = anEcho({ clock, idleMs: 77 });
  const pid = Number(await echo.ask({ does: 'pid' }));
  timers.findLast(({ ms }) => ms === 77)?.run();
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(Number(await echo.ask({ does: 'pid' }))).not.toBe(pid);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
