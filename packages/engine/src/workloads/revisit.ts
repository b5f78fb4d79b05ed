import { graphOutcome, isGraphError } from '@holdfast/m365';
import type { Unread } from '../pipeline/cursor-state.ts';
import { adviceFor } from '../pipeline/failure.ts';
import type { Step } from '../pipeline/step.ts';
import type { EnumerateContext } from '../pipeline/workload.ts';

/** Items that earlier runs could not read. A delta that has passed them does not name them again: they are looked for one by one. */
export interface Revisits {
  /** Notes what is tried in this run, so that nothing is tried twice. */
  noting(steps: AsyncIterable<Step>): AsyncGenerator<Step, void, undefined>;
  /** Tries what nobody has tried, of those that `isOurs` says; `put` finds one and puts it. */
  rest(isOurs: (unread: Unread) => boolean, put: (unread: Unread) => AsyncIterable<Step>): AsyncGenerator<Step, void, undefined>;
}

/** The revisits of a run; to be made before anything is enumerated. */
export function createRevisits(context: EnumerateContext): Revisits {
  const before = new Map(context.unread);
  const attempted = new Set<string>();
  return {
    async *noting(steps) {
      for await (const step of steps) {
        if (step.step === 'put' && before.has(step.draft.key)) attempted.add(step.draft.key);
        if (step.step === 'failed') attempted.add(step.failure.key);
        // One container has lost what another has named in this run: it was moved, and is still missed if it could not be read.
        const isMoved = step.step === 'resolved' && (attempted.has(step.key) || !before.has(step.key));
        if (!isMoved) yield step;
      }
    },
    async *rest(isOurs, put) {
      for (const unread of before.values()) {
        if (attempted.has(unread.key) || !isOurs(unread)) continue;
        try {
          yield* put(unread);
        } catch (error) {
          const outcome = graphOutcome(error);
          if (outcome !== 'gone' && outcome !== 'record' && outcome !== 'retry') throw error;
          // What knows it is deleted is the delta, which then removes what is stored of it.
          if (outcome === 'gone') yield { step: 'resolved', key: unread.key };
          else {
            const code = isGraphError(error) ? error.code : 'internal';
            const { key, kind, parentKey, name } = unread;
            yield { step: 'failed', failure: { key, kind, parentKey, name, code, tried: ['json'], advice: adviceFor(code) } };
          }
        }
      }
    },
  };
}

/** For `rest`, of items that a listing just named one and all: what it did not name is not there any more. */
export async function* notListed({ key }: Unread): AsyncGenerator<Step, void, undefined> {
  yield { step: 'resolved', key };
}

/** Parts of which an earlier run could not list the items, and which are not there any more, have nothing left to be read. */
export function* resolveLost(context: EnumerateContext, prefix: string, there: readonly string[]): Generator<Step, void, undefined> {
  const kept = new Set(there.map((id) => `${prefix}${id}`));
  for (const key of context.unread.keys()) if (key.startsWith(prefix) && !kept.has(key)) yield { step: 'resolved', key };
}
