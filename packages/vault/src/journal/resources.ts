import type { JournalContext } from './commit.ts';
import { createChain } from './chain.ts';
import type { ResourceHead } from './journal.ts';
import { journalFolder, parseJournalName } from './segment-names.ts';
import { headOf } from './segment.ts';

/** The keys of all resources that have something in the journal; what lies between is skipped, not listed. */
export async function* listResourceKeys(context: Pick<JournalContext, 'store'>): AsyncGenerator<string, void, undefined> {
  let after: string | undefined = 'journal/';
  while (after !== undefined) {
    let next: string | undefined;
    for await (const { name } of context.store.list('journal/', after)) {
      const resourceKey = parseJournalName(name)?.resourceKey;
      if (resourceKey !== undefined) yield resourceKey;
      next = resourceKey === undefined ? name : `journal/${resourceKey}/z`;
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
