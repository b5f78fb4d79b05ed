import { useMay } from '../../api/portal-context.ts';

/** What the reader may do with items of a site. */
export interface NodeRights {
  readonly read: boolean;
  readonly restore: boolean;
  readonly export: boolean;
  readonly hold: boolean;
  readonly addToCase: boolean;
}

export function useNodeRights(): NodeRights {
  return {
    read: useMay('content.read'),
    restore: useMay('restore.run'),
    export: useMay('restore.elsewhere'),
    hold: useMay('deletion.manage'),
    addToCase: useMay('cases.work'),
  };
}
