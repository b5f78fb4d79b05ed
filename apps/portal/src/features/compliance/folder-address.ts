import { useSearchParams } from 'react-router';

/** A site or drive as one location keeps it. */
export interface SitePlace {
  readonly tenantId: string;
  readonly locationId: string;
  readonly sourceId: string;
}

/** What is looked at, as the address says it. */
export interface FolderAddress {
  readonly nodeId: string | null;
  readonly at: string | null;
  readonly showsDeleted: boolean;
}

/** The address of the folder, and the way to another one. A change begins the list at its first page. */
export function useFolderAddress(): readonly [FolderAddress, (change: Partial<FolderAddress>) => void] {
  const [params, setParams] = useSearchParams();
  const address = { nodeId: params.get('node'), at: params.get('at'), showsDeleted: params.get('deleted') === 'true' };
  const go = (change: Partial<FolderAddress>): void => {
    const next = { ...address, ...change };
    setParams({
      location: params.get('location') ?? '',
      source: params.get('source') ?? '',
      ...(next.nodeId === null ? {} : { node: next.nodeId }),
      ...(next.at === null ? {} : { at: next.at }),
      ...(next.showsDeleted ? { deleted: 'true' } : {}),
    });
  };
  return [address, go];
}
