import type { BlobStore } from '../blob/blob-store.ts';
import { vaultError } from '../shared/errors.ts';
import type { JournalContext } from './context.ts';
import { createChain } from './chain.ts';
import type { ListedResource, ListOptions } from './journal.ts';
import { journalFolder, parseJournalName } from './segment-names.ts';
import { headOf } from './segment.ts';

/** Names of one resource that are listed before the rest of them is skipped: a list begun anew costs more than some names. */
const LISTED_NAMES = 8;

/** The resource keys of one folder; where a resource has much, it is skipped and not listed. */
async function* keysIn(store: BlobStore, folder: string): AsyncGenerator<string, void, undefined> {
  let after: string | undefined = folder;
  let current: string | undefined;
  while (after !== undefined) {
    let next: string | undefined;
    let listed = 0;
    for await (const { name } of store.list(folder, after)) {
      const resourceKey = parseJournalName(name)?.resourceKey;
      if (resourceKey === undefined) continue;
      listed = resourceKey === current ? listed + 1 : 0;
      if (resourceKey !== current) yield resourceKey;
      current = resourceKey;
      if (listed < LISTED_NAMES) continue;
      next = `${folder}${resourceKey}/z`;
      break;
    }
    after = next;
  }
}

/** The keys of all resources that have something in the journal or among its copies, in order. */
export async function* listResourceKeys({ store }: Pick<JournalContext, 'store'>): AsyncGenerator<string, void, undefined> {
  const copies = keysIn(store, 'copies/');
  let copy = await copies.next();
  for await (const resourceKey of keysIn(store, 'journal/')) {
    for (; !copy.done && copy.value <= resourceKey; copy = await copies.next()) if (copy.value < resourceKey) yield copy.value;
    yield resourceKey;
  }
  for (; !copy.done; copy = await copies.next()) yield copy.value;
}

/**
 * Every resource with a committed segment, and its head. A resource of which no segment can be read is told to `onLost`;
 * without it, it is thrown as `vault.damaged`.
 */
export async function* listResources(
  context: Pick<JournalContext, 'store' | 'keys'>,
  { onLost }: ListOptions = {},
): AsyncGenerator<ListedResource, void, undefined> {
  for await (const resourceKey of listResourceKeys(context)) {
    const { last, lost } = await createChain(context.store, context.keys, journalFolder(resourceKey)).end();
    if (last) yield { resourceId: last.segment.body.resourceId, head: headOf(last.segment), lost };
    else if (lost.length === 0) continue;
    else if (onLost) onLost(resourceKey, lost);
    else
      throw vaultError('vault.damaged', `No segment of ${journalFolder(resourceKey)} can be read.`, { object: journalFolder(resourceKey) });
  }
}
