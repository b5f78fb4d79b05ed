import type { Generated, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface ArchiveMailboxesTable extends OrganisationColumns {
  source_id: string;
  messages: Generated<number>;
  attachments: Generated<number>;
  bytes: Generated<number>;
  stored_bytes: Generated<number>;
  oldest_at: NullableTimestamp;
  newest_at: NullableTimestamp;
  captured_at: NullableTimestamp;
  recounted_at: NullableTimestamp;
  compared_at: NullableTimestamp;
  missing: Generated<number>;
  unmatched: Generated<number>;
}
interface ArchiveCountsTable extends OrganisationColumns {
  source_id: string;
  dimension: 'hour' | 'month' | 'folder';
  name: string;
  messages: Generated<number>;
  attachments: Generated<number>;
  bytes: Generated<number>;
}
interface ArchiveDaysTable extends OrganisationColumns {
  source_id: string;
  day: string;
  in_backups: number;
  archived: number;
  journaled: number;
  not_searchable: number;
  missing: number;
  waiting: number;
  without_original: number;
  erased: number;
  not_journaled: Generated<number>;
  not_captured: Generated<number>;
}
interface ArchiveGapsTable extends OrganisationColumns {
  source_id: string;
  message_key: string;
  day: string;
  reason: 'missing' | 'withoutOriginal' | 'notJournaled' | 'notCaptured' | 'notSearchable';
  received_at: Timestamp | null;
  size_bytes: number;
}

interface ImportFilesTable extends OrganisationColumns {
  file_id: string;
  tenant_id: string;
  location_id: string;
  name: string;
  size_bytes: number;
  uploader: string;
  created_at: Timestamp;
  touched_at: Timestamp;
}
interface ImportPartsTable extends OrganisationColumns {
  file_id: string;
  part: number;
  object_id: string;
  is_stored: Generated<boolean>;
}
interface ImportFaultsTable extends OrganisationColumns {
  fault_id: string;
  run_id: string;
  place: readonly number[];
  file_name: string;
  offset_at: number;
  code: string;
  size_bytes: number;
  location_id: string;
}

/** What the mail archive holds, in numbers, and what is imported into it. */
export interface ArchiveTables {
  archive_mailboxes: ArchiveMailboxesTable;
  archive_counts: ArchiveCountsTable;
  archive_days: ArchiveDaysTable;
  archive_gaps: ArchiveGapsTable;
  import_files: ImportFilesTable;
  import_parts: ImportPartsTable;
  import_faults: ImportFaultsTable;
}
