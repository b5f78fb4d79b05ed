import type { TopMailbox, TopMailboxOrder } from '@holdfast/contract/dashboard';
import { topMailboxes } from '@holdfast/contract/limits';
import { FOREVER, type Database, type Scope } from '@holdfast/database';
import { sql } from 'kysely';
import { heldOnce } from './held-once.views.ts';

export interface MailboxesViews {
  /** The ten largest mailboxes, each once, by what the reader asks for. */
  top(scope: Scope, tenantId: string, by: TopMailboxOrder): Promise<TopMailbox[]>;
}

interface MailboxRow {
  readonly resource_id: string;
  readonly source_id: string;
  readonly location_id: string;
  readonly name: string;
  readonly address: string;
  readonly bytes: number;
  readonly messages: number;
  readonly attachments: number;
}

const measures = { size: 'bytes', messages: 'messages', attachments: 'attachments' } as const;

export function createMailboxesViews(database: Database): MailboxesViews {
  return Object.freeze<MailboxesViews>({
    top(scope, tenantId, by) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<MailboxRow>`
          select held.resource_id, held.source_id, held.location_id, held.name, held.address, held.bytes,
            (select coalesce(sum(counts.change), 0)::bigint from catalog_folder_counts counts
              where counts.organisation_id = held.organisation_id and counts.realm = held.realm and counts.source_id = held.source_id
                and counts.kind = 'message') as messages,
            (select count(*) from catalog_items item
              where item.organisation_id = held.organisation_id and item.realm = held.realm and item.source_id = held.source_id
                and item.has_attachments and item.to_point = ${sql.lit(FOREVER)}) as attachments
          from ${heldOnce(tenantId, 'mailbox')} held
          order by ${sql.ref(measures[by])} desc, lower(held.address), held.resource_id limit ${topMailboxes}`.execute(tx);
        return rows.map(({ resource_id: resourceId, source_id: sourceId, location_id: locationId, ...row }) => ({
          resourceId,
          sourceId,
          locationId,
          ...row,
        }));
      });
    },
  });
}
