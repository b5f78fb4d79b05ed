import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { anOrganisationId, testDatabase } from '../../testing/test-database.ts';
import type { Scope } from '../access/scope.ts';
import { createTaskQueue, type Task, type TaskQueue } from './task-queue.ts';

const { database, asSuperuser } = testDatabase(import.meta.url);
let queue: TaskQueue;
const seen: Task[] = [];
const scope: Scope = { organisationId: anOrganisationId(), realm: 'staging' };

beforeAll(async () => {
  queue = await createTaskQueue({ database, logger: silentLogger, supervises: true });
  await queue.work('tasks', { slots: 2, slotsPerOrganisation: 2 }, async (task) => {
    seen.push(task);
    if (task.key === 'fails-once' && task.attempt === 1) throw new Error('once');
    if (task.key === 'waits') await new Promise<void>((resolve) => task.signal.addEventListener('abort', () => resolve()));
  });
});
afterAll(() => queue.stop(1_000));

test('a task reaches a worker with its scope and payload', async () => {
  await queue.send('tasks', { key: 'one', scope, payload: { n: 1 } });
  await vi.waitFor(() => expect(seen.find((task) => task.key === 'one')).toMatchObject({ scope, payload: { n: 1 }, attempt: 1 }), 10_000);
});

test('a task that is rolled back with its transaction was never there', async () => {
  await expect(
    database.within(scope, async (tx) => {
      await queue.send('tasks', { key: 'undone', scope, payload: {} }, tx);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await queue.send('tasks', { key: 'after', scope, payload: {} });
  await vi.waitFor(() => expect(seen.some((task) => task.key === 'after')).toBe(true), 10_000);
  expect(seen.some((task) => task.key === 'undone')).toBe(false);
});

test('a task that throws comes back', async () => {
  await queue.send('tasks', { key: 'fails-once', scope, payload: {} });
  await vi.waitFor(() => expect(seen.filter((task) => task.key === 'fails-once').map((task) => task.attempt)).toEqual([1, 2]), 20_000);
});

test('a second task of a key is refused while the first runs, and the first is told when the process drains', async () => {
  expect(await queue.send('tasks', { key: 'waits', scope, payload: {} })).toBe(true);
  await vi.waitFor(() => expect(seen.some((task) => task.key === 'waits')).toBe(true), 10_000);
  expect(await queue.send('tasks', { key: 'waits', scope, payload: {} })).toBe(false);
});

test('a task that ends while its process drains has ended', async () => {
  const leaving = await createTaskQueue({ database, logger: silentLogger, supervises: true });
  const done = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  await leaving.work('runs', { slots: 1, slotsPerOrganisation: 1 }, async () => {
    begun.resolve();
    await done.promise;
  });
  await leaving.send('runs', { key: 'ends while draining', scope, payload: {} });
  await begun.promise;
  const stopped = leaving.stop(5_000);
  done.resolve();
  await stopped;
  expect(await asSuperuser(`select state::text from pgboss.job where singleton_key = 'ends while draining'`)).toEqual([
    { state: 'completed' },
  ]);
});

test('an organisation with much to do leaves a slot to the others', async () => {
  const started: string[] = [];
  const released = Promise.withResolvers<void>();
  await queue.work('runs', { slots: 2, slotsPerOrganisation: 1 }, async ({ key }) => {
    started.push(key);
    await released.promise;
  });
  for (const key of ['busy 1', 'busy 2', 'busy 3']) await queue.send('runs', { key, scope, payload: {} });
  await vi.waitFor(() => expect(started).toHaveLength(1), 10_000);
  await queue.send('runs', { key: 'other', scope: { ...scope, organisationId: anOrganisationId() }, payload: {} });
  await vi.waitFor(() => expect(started).toEqual([expect.stringMatching(/^busy/u), 'other']), 10_000);
  released.resolve();
  await vi.waitFor(() => expect(started.toSorted()).toEqual(['busy 1', 'busy 2', 'busy 3', 'other']), 20_000);
});

describe('a task that another worker was given meanwhile', () => {
  const attempts: { readonly task: Task; readonly end: PromiseWithResolvers<void> }[] = [];
  const stateOf = (key: string) => asSuperuser('select state::text from pgboss.job where singleton_key = $1', [key]);
  const attemptAt = async (key: string, number: number): Promise<PromiseWithResolvers<void>> => {
    const found = () => attempts.find(({ task }) => task.key === key && task.attempt === number);
    await vi.waitFor(() => expect(found()).toBeDefined(), 10_000);
    return found()?.end ?? Promise.reject(new Error('no attempt'));
  };
  beforeAll(async () => {
    await queue.work('restores', { slots: 3, slotsPerOrganisation: 3 }, async (task) => {
      const end = Promise.withResolvers<void>();
      attempts.push({ task, end });
      await end.promise;
    });
  });

  test.for(['returning', 'throwing'])('is ended by the worker that has it, not by the one that lost it and ends %s', async (how) => {
    await queue.send('restores', { key: how, scope, payload: {} });
    const first = await attemptAt(how, 1);
    // What the watch over heartbeats does to the task of a worker that was not heard of.
    await asSuperuser(`update pgboss.job set state = 'retry', start_after = now() where singleton_key = $1`, [how]);
    const second = await attemptAt(how, 2);
    if (how === 'returning') first.resolve();
    else first.reject(new Error('lost'));
    await systemClock.sleep(1_500);
    expect(await stateOf(how)).toEqual([{ state: 'active' }]);
    second.reject(new Error('the worker that has it gives it back'));
    const third = await attemptAt(how, 3);
    third.resolve();
    await vi.waitFor(async () => expect(await stateOf(how)).toEqual([{ state: 'completed' }]), 10_000);
  });
});
