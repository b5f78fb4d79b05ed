import type { LinkedFile } from '@holdfast/contract/content';
import type { Tx } from '@holdfast/database';
import { isAppError } from '@holdfast/foundation/errors';
import type { ContentAccess } from '../content-access/index.ts';
import { linksAsSent } from '../search/index.ts';
import type { TicketedItem } from './content-tickets.store.ts';
import type { ContentCaller } from './content.service.ts';

/** The kept files that an item links to, as far as its reader may search for them. */
export async function linkedFiles(
  access: ContentAccess,
  tx: Tx,
  { actor, scope }: ContentCaller,
  item: TicketedItem,
): Promise<readonly LinkedFile[]> {
  const { tenantId, resourceId, locationId, itemKey, sequence } = item;
  const source = await tx
    .selectFrom('catalog_sources')
    .select('source_id')
    .where('resource_id', '=', resourceId)
    .where('location_id', '=', locationId)
    .executeTakeFirst();
  if (!source) return [];
  const reach = await access.searchable(tx, { actor, scope, tenantId }).catch((error: unknown) => {
    // Whoever opens this by a case has nothing to search: what it links to is not theirs to know of.
    if (isAppError(error, 'content.read-right-needed')) return undefined;
    throw error;
  });
  if (!reach) return [];
  const links = await linksAsSent(tx, { tenantId, sourceId: source.source_id, itemKey, sequence }, reach);
  return links.flatMap(({ link, sentAt, file }) =>
    file === null
      ? []
      : [
          {
            link,
            sentAt,
            locationId: file.locationId,
            sourceId: file.sourceId,
            nodeId: file.itemKey,
            sequence: file.point,
            name: file.name,
            owner: file.owner,
            version: file.label,
            modifiedAt: file.modifiedAt,
            rule: file.rule,
          },
        ],
  );
}
