import type { JournalContext } from './commit.ts';
import { createChain } from './chain.ts';
import type { ResourceHead } from './journal.ts';
import { journalFolder, parseJournalName } from './segment-names.ts';
import { headOf } from './segment.ts';

/** Names of one resource that are listed before the rest of them is skipped: a list begun anew costs more than some names. */
const LISTED_NAMES = 8;

/** The keys of all resources that have something in the journal; where they have much, it is skipped and not listed. */
export async function* listResourceKeys(context: Pick<JournalContext, 'store'>): AsyncGenerator<string, void, undefined> {
  let after: string | undefined = 'journal/';
  let current: string | undefined;
  while (after !== undefined) {
    let next: string | undefined;
    let listed = 0;
    for await (const { name } of context.store.list('journal/', after)) {
      const resourceKey = parseJournalName(name)?.resourceKey;
      if (resourceKey === undefined) continue;
      listed = resourceKey === current ? listed + 1 : 0;
      if (resourceKey !== current) yield resourceKey;
      current = resourceKey;
      if (listed < LISTED_NAMES) continue;
      next = `journal/${resourceKey}/z`;
      break;
    }
    after = next;
  }
}

/** Every resource with a committed segment, and its head. */
export async function* listResources(
  context: Pick<JournalContext, 'store' | 'keys'>,
): AsyncGenerator<{ readonly resourceId: string; readonly head: ResourceHead }, void, undefined> {
  for await (const resourceKey of listResourceKeys(context)) {
    const last = await createChain(context.store, context.keys, journalFolder(resourceKey)).last();
    if (last) yield { resourceId: last.segment.body.resourceId, head: headOf(last.segment) };
  }
}
