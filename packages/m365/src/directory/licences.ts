import type { SubscribedSku } from '@microsoft/microsoft-graph-types';

/** Licences sold and usable: what Microsoft's steps for SharePoint count. */
export function countLicences(skus: readonly SubscribedSku[]): number {
  let count = 0;
  for (const sku of skus) {
    const isForUsers = sku.appliesTo === undefined || sku.appliesTo === null || sku.appliesTo === 'User';
    if (isForUsers) count += sku.prepaidUnits?.enabled ?? 0;
  }
  return count;
}
