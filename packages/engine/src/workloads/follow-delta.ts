import type { Delta, DeltaCursor, DeltaEntry } from '@holdfast/m365';
import type { EnumerateContext } from '../pipeline/workload.ts';
import type { Step } from '../pipeline/step.ts';

/** A page of a delta round as a workload handles it. */
export interface FollowedPage<T> {
  readonly entries: readonly DeltaEntry<T>[];
  /** To be yielded after the entries of this page: where the scope goes on. */
  readonly afterwards: readonly Step[];
  /** Everything exists only if it was named: after the last page, compare with what is known. */
  readonly isComparison: boolean;
  readonly last: boolean;
}

export interface FollowOptions<T> {
  readonly scope: string;
  readonly open: (cursor: DeltaCursor | undefined) => Delta<T>;
  /** True when the last state has items of this scope, so that a full round must be compared with them. */
  readonly hasKnown: () => Promise<boolean>;
  /** Reads all again wherever the scope has got to: what is wanted of it has changed. */
  readonly isAnew?: boolean;
}

function parseCursor(text: string | undefined): DeltaCursor | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as DeltaCursor);
}

/**
 * Follows one delta round. The first full round of a scope may stop after any page and go on there;
 * a full round that repeats an earlier one (expired token, no change tracking) stores its place only
 * at its end, because its comparison needs every page of it.
 */
export async function* followDelta<T>(
  context: EnumerateContext,
  options: FollowOptions<T>,
): AsyncGenerator<FollowedPage<T> | 'restarted', void, undefined> {
  const stored = options.isAnew ? undefined : parseCursor(context.cursor(options.scope));
  let isComparison = stored === undefined && (await options.hasKnown());
  for await (const step of options.open(stored)) {
    context.signal.throwIfAborted();
    if (step.kind === 'reset') {
      isComparison = await options.hasKnown();
      yield 'restarted';
      continue;
    }
    const afterwards: Step[] = [];
    if (step.last || !isComparison) {
      const value = step.cursor ? JSON.stringify(step.cursor) : null;
      if (step.last || value !== null) afterwards.push({ step: 'cursor', scope: options.scope, value });
    }
    yield { entries: step.entries, afterwards, isComparison: isComparison && step.full, last: step.last };
  }
}

/**
 * What is not there any more goes on nowhere: should it come back under the same id (out of a recycle bin), only what
 * changed since would be named, and nothing of it is known. Scopes are named by a prefix and the id.
 */
export function* forgetScopes(
  context: EnumerateContext,
  prefixes: readonly string[],
  there: readonly string[],
): Generator<Step, void, undefined> {
  const ids = new Set(there);
  for (const prefix of prefixes)
    for (const scope of context.scopes(prefix)) if (!ids.has(scope.slice(prefix.length))) yield { step: 'cursor', scope, value: null };
}

/** The newest entry of each id in a page; the last one wins. */
export function lastOfEach<T>(entries: readonly DeltaEntry<T>[]): readonly DeltaEntry<T>[] {
  const byId = new Map<string, DeltaEntry<T>>();
  for (const entry of entries) {
    byId.delete(entry.id);
    byId.set(entry.id, entry);
  }
  return [...byId.values()];
}
