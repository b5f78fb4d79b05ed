import type { Generated, NullableTimestamp, OrganisationColumns } from './columns.ts';

interface ArchiveMailboxesTable extends OrganisationColumns {
  source_id: string;
  messages: Generated<number>;
  attachments: Generated<number>;
  bytes: Generated<number>;
  stored_bytes: Generated<number>;
  oldest_at: NullableTimestamp;
  newest_at: NullableTimestamp;
  captured_at: NullableTimestamp;
}
interface ArchiveCountsTable extends OrganisationColumns {
  source_id: string;
  dimension: 'hour' | 'month' | 'folder';
  name: string;
  messages: Generated<number>;
  attachments: Generated<number>;
  bytes: Generated<number>;
}

/** What the mail archive holds, in numbers. */
export interface ArchiveTables {
  archive_mailboxes: ArchiveMailboxesTable;
  archive_counts: ArchiveCountsTable;
}
