import type { Scope } from '@holdfast/database';
import { repeat, type Repeating } from '@holdfast/foundation/repeating';

export interface RepeatingInScopes extends Pick<Repeating, 'clock' | 'everyMs' | 'onError'> {
  readonly scopes: () => Promise<readonly Scope[]>;
  readonly turn: (scope: Scope, signal: AbortSignal) => Promise<unknown>;
}

/** Takes a turn in each scope at each interval. One that fails keeps no other from its turn. Answers how to stop. */
export function repeatInScopes({ scopes, turn, onError, ...repeating }: RepeatingInScopes): () => Promise<void> {
  return repeat({
    ...repeating,
    onError,
    async turn(signal) {
      for (const scope of await scopes()) await turn(scope, signal).catch(onError);
    },
  });
}
