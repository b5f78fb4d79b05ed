import type { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import type { FolderAddress } from './folder-address.ts';

/** Asks for what a folder holds at the time of the address. */
export function folderQuery(sourceId: string, { nodeId, at, showsDeleted }: FolderAddress): QueryFor<typeof compliance.nodes> {
  return {
    sourceId,
    ...(nodeId === null ? {} : { nodeId }),
    ...(at === null ? {} : { at }),
    ...(showsDeleted ? { deleted: 'true' } : {}),
  };
}
