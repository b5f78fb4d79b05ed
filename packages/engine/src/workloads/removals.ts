import type { EnumerateContext } from '../pipeline/workload.ts';
import type { Step } from '../pipeline/step.ts';

/**
 * Items that one container says it lost. They may only have moved: nothing is removed before every
 * container has been asked, and what waits is kept in the cursor, so that a crash forgets none.
 */
export interface Removals {
  /** `key` is not in `parentKey` any more; containers that are gone altogether have a null parent. */
  add(key: string, parentKey: string | null): void;
  /** Seen again somewhere. */
  found(key: string): void;
  /** Keys that wait, with the container that lost them. */
  readonly waiting: ReadonlyMap<string, string | null>;
  /** The step that makes what waits durable with the next commit; none when nothing has changed. */
  remember(): readonly Step[];
  /** Removes what is still where it was lost, with everything in it, and forgets the list. */
  settle(keep?: ReadonlySet<string>): AsyncGenerator<Step, void, undefined>;
}

/** The removals of one scope of a resource, those of an interrupted run included. */
export function createRemovals(context: EnumerateContext, scope: string): Removals {
  const stored = context.cursor(scope);
  const waiting = new Map<string, string | null>(stored === undefined ? [] : (JSON.parse(stored) as [string, string | null][]));
  let isDirty = false;

  function remember(): readonly Step[] {
    if (!isDirty) return [];
    isDirty = false;
    return [{ step: 'cursor', scope, value: waiting.size === 0 ? null : JSON.stringify([...waiting]) }];
  }

  async function* removeTree(key: string): AsyncGenerator<Step, void, undefined> {
    const below: string[] = [];
    for await (const inner of context.known.descendants(key)) below.push(inner);
    for (const inner of below.reverse()) yield { step: 'remove', key: inner };
    yield { step: 'remove', key };
  }

  async function* settle(keep: ReadonlySet<string> = new Set()): AsyncGenerator<Step, void, undefined> {
    const containers: string[] = [];
    const current = await context.known.load([...waiting.keys()]);
    for (const [key, parentKey] of waiting) {
      if (keep.has(key)) continue;
      waiting.delete(key);
      isDirty = true;
      const item = current.get(key);
      if (!item) continue;
      if (parentKey === null) containers.push(key);
      else if (item.parentKey === parentKey) yield { step: 'remove', key };
    }
    for (const key of containers) if ((await context.known.load([key])).has(key)) yield* removeTree(key);
    yield* remember();
  }

  return {
    add(key, parentKey) {
      if (waiting.get(key) === parentKey && waiting.has(key)) return;
      waiting.set(key, parentKey);
      isDirty = true;
    },
    found(key) {
      if (waiting.delete(key)) isDirty = true;
    },
    waiting,
    remember,
    settle,
  };
}
