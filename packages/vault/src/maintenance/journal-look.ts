import { createAffected, findAffected, type Affected } from './affected-items.ts';
import type { MaintenanceContext } from './context.ts';
import { checkJournal } from './journal-check.ts';
import type { Damage, HeadsWitness } from './maintenance.ts';

/** What the journal shows: its own damages, its heads, and the items whose blobs the index does not have. */
export interface JournalLook {
  readonly damages: readonly Damage[];
  readonly heads: HeadsWitness['heads'];
  readonly segments: number;
  readonly affected: Affected;
}

/** Goes through the journal, one resource after the other; of those that are done only the findings are kept. */
export async function lookAtJournal(
  context: MaintenanceContext,
  options: { readonly maxAffectedItems?: number; readonly signal?: AbortSignal },
): Promise<JournalLook> {
  const damages: Damage[] = [];
  const heads: HeadsWitness['heads'][number][] = [];
  const affected = createAffected(options.maxAffectedItems);
  let segments = 0;
  for await (const chain of checkJournal(context.store, context.keys)) {
    options.signal?.throwIfAborted();
    damages.push(...chain.damages);
    segments += chain.segments.length;
    const last = chain.segments.at(-1);
    if (last) heads.push({ resourceId: chain.resourceId, sequence: last.body.sequence, hash: last.hash });
    await findAffected(context, chain, affected);
  }
  return { damages: [...damages, ...affected.damages], heads, segments, affected };
}
