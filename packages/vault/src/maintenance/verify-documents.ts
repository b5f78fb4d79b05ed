import { isAppError } from '@holdfast/foundation/errors';
import { isUuid } from '@holdfast/foundation/ids';
import { createVaultDocuments, DOCUMENTS_FOLDER } from '../documents/documents.ts';
import type { MaintenanceContext } from './context.ts';
import type { Damage, VaultMemory, VerifyOptions } from './maintenance.ts';

type Titles = ReadonlyMap<string, string>;

async function titlesOf(memory: VaultMemory | undefined): Promise<Titles> {
  const titles = new Map<string, string>();
  if (memory) for await (const { documentId, title } of memory.documents()) titles.set(documentId, title);
  return titles;
}

/** Opens every document that is there or remembered: it opens only whole, and under its own name. */
export async function checkDocuments(context: MaintenanceContext, { memory, signal }: VerifyOptions): Promise<Damage[]> {
  const documents = createVaultDocuments(context.store, context.keys);
  const titles = await titlesOf(memory);
  const ids = new Set(titles.keys());
  for await (const { name } of context.store.list(DOCUMENTS_FOLDER)) {
    const documentId = name.slice(DOCUMENTS_FOLDER.length);
    if (isUuid(documentId)) ids.add(documentId);
  }
  const found: { readonly documentId: string; readonly code: string; readonly problem: string }[] = [];
  for (const documentId of ids) {
    signal?.throwIfAborted();
    const open = async (): Promise<void> => void (await documents.get(documentId));
    // The second look tells the wire's faults from damage.
    await open()
      .catch(open)
      .catch((error: unknown) => {
        if (!isAppError(error, 'vault.damaged', 'vault.object-missing')) throw error;
        found.push({ documentId, code: error.code, problem: error.message });
      });
  }
  if (found.length === 0) return [];
  // One that was deleted meanwhile is missed by nobody.
  const still = await titlesOf(memory);
  return found
    .filter(({ documentId, code }) => code === 'vault.damaged' || still.has(documentId))
    .map(({ documentId, problem }) => {
      const title = titles.get(documentId);
      const damage = { object: 'document' as const, name: `${DOCUMENTS_FOLDER}${documentId}`, problem, blobIds: [] };
      return title === undefined ? damage : { ...damage, title };
    });
}
