import type { ContentExport } from '@holdfast/contract/exports';

/** How often an export that is being made is looked at. */
export const pollMs = 2_000;

export function isBeingMade({ status }: Pick<ContentExport, 'status'>): boolean {
  return status === 'pending' || status === 'running' || status === 'cancelling';
}
