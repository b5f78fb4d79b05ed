import { AppError } from '@holdfast/foundation/errors';
import { graphError } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { attempt, unlessGone } from './attempt.ts';
import { WOULD_WRITE } from './dry-graph.ts';

const { signal } = new AbortController();
const failing = (error: unknown) => async (): Promise<never> => {
  throw error;
};

describe('what fails while one item is restored', () => {
  it.each(['graph.bad-request', 'graph.service-fault', 'graph.item-gone', 'graph.malware'] as const)(
    'is a line of the report: %s',
    async (code) => {
      expect(await attempt(failing(graphError(code)), signal)).toEqual({ outcome: 'failed', code });
    },
  );

  it.each(['vault.damaged', 'vault.blob-missing', 'vault.item-key-destroyed', 'restore.unreadable'])(
    'is of its bytes: %s',
    async (code) => {
      expect(await attempt(failing(new AppError(code)), signal)).toEqual({ outcome: 'failed', code });
    },
  );

  it.each([
    graphError('graph.access-denied'),
    graphError('graph.credentials-refused'),
    new AppError('vault.unreachable'),
    new Error('broken'),
  ])('ends the restore when it is of more than the item: %s', async (error) => {
    await expect(attempt(failing(error), signal)).rejects.toBe(error);
  });

  it('is no failure in a dry run, which may not write, and none of the item when somebody stops the restore', async () => {
    expect(await attempt(failing(new AppError(WOULD_WRITE)), signal)).toEqual({ outcome: 'restored' });
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    let asked = 0;
    const work = async () => {
      asked += 1;
      return { outcome: 'restored' } as const;
    };
    await expect(attempt(work, stop.signal)).rejects.toThrow('stopped');
    expect(asked).toBe(0);
  });
});

it('something that is gone already need not be taken away; anything else is a fault', async () => {
  await unlessGone(failing(graphError('graph.item-gone')));
  await expect(unlessGone(failing(graphError('graph.locked')))).rejects.toMatchObject({ code: 'graph.locked' });
});
