import { AppError } from '@holdfast/foundation/errors';

const WAITING_PER_ADDRESS = 50;

/** Lets one sign-in of an address in at a time within this process; the database bounds it across processes. */
export interface SignInGuard {
  run<T>(address: string, work: () => Promise<T>): Promise<T>;
}

export function createSignInGuard(): SignInGuard {
  const waiting = new Map<string, { last: Promise<unknown>; count: number }>();
  return Object.freeze<SignInGuard>({
    async run<T>(address: string, work: () => Promise<T>): Promise<T> {
      const line = waiting.get(address) ?? { last: Promise.resolve(), count: 0 };
      if (line.count >= WAITING_PER_ADDRESS) throw new AppError('service.overloaded', { details: { retryAfterSeconds: 5 } });
      line.count += 1;
      waiting.set(address, line);
      const turn = line.last.then(work, work);
      line.last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        line.count -= 1;
        if (line.count === 0) waiting.delete(address);
      }
    },
  });
}
