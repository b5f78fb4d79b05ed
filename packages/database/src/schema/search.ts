import type { Generated, Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface SearchItemsTable extends OrganisationColumns {
  item_no: Generated<number>;
  /** The same for all versions of an item. */
  item_id: number;
  source_id: string;
  item_key: string;
  from_point: number;
  kind: string;
  title: string;
  sender: string;
  at: Timestamp;
  size_bytes: number;
  attachments: number;
  file_type: string;
  /** SHA-256 of the bytes of a message or a file. */
  content_hash: string | null;
  state: 'indexed' | 'noText' | 'encrypted' | 'unsupported' | 'tooLarge' | 'failed';
  /** How many rows its words have. */
  slices: number;
  /** When its sender says it was sent. */
  sent_at: NullableTimestamp;
  /** When the archive first took it in. */
  archived_at: NullableTimestamp;
  importance: string | null;
  is_journaled: Generated<boolean>;
  /** Null for what is never read, signed or encrypted, and where nobody knows. */
  is_read: boolean | null;
  is_signed: boolean | null;
  is_encrypted: boolean | null;
  /** ISO 639-1, as it is guessed from the words; null where they do not tell. */
  language: string | null;
  /** Whether its sensitivity labels could be read, be there any or none. */
  labels_known: Generated<boolean>;
}
interface SearchWordsTable extends OrganisationColumns {
  item_no: number;
  slice: number;
  /** The day of its item, in days since 1970. */
  leaf: number;
  words: string;
}
interface SearchSensitiveTable extends OrganisationColumns {
  item_no: number;
  kind: 'iban' | 'card' | 'taxId' | 'socialSecurity' | 'passport' | 'vat';
  count: number;
  sample: string;
}
interface SearchScansTable extends OrganisationColumns {
  item_no: number;
  /** SHA-256 of a document of the item that has no text and may show some. */
  document_hash: string;
  source_id: string;
  at: Timestamp;
  state: Generated<'waiting' | 'read' | 'failed'>;
  attempts: Generated<number>;
  /** Nobody else takes it until then. */
  taken_until: NullableTimestamp;
  reason: string | null;
  /** What it says, once it was recognised. */
  text: string | null;
}
interface SearchInvoicesTable extends OrganisationColumns {
  item_no: number;
  place: number;
  number: string;
  seller: string;
  vat_id: string;
  iban: string;
  /** `2026-05-31`. */
  issued_on: string | null;
  total: string | null;
  currency: string;
}
interface SearchLinksTable extends OrganisationColumns {
  item_no: number;
  place: number;
  link: string;
}
interface SearchLabelsTable extends OrganisationColumns {
  item_no: number;
  /** Its GUID, in lower case. */
  label_id: string;
  name: string;
  /** Null where nobody wrote it down. */
  set_at: NullableTimestamp;
}
interface SearchVocabularyTable extends OrganisationColumns {
  word: string;
}

interface SearchSourcesTable extends OrganisationColumns {
  source_id: string;
  read_through: number;
}

interface SearchComparisonsTable extends OrganisationColumns {
  compared_at: Timestamp;
  /** Versions that had to be read again. */
  lost: number;
}

interface SavedSearchesTable extends OrganisationColumns {
  search_id: string;
  tenant_id: string;
  name: string;
  query_version: number;
  version: Generated<number>;
  has_alert: boolean;
  new_hits: Generated<number>;
  checked_at: NullableTimestamp;
  owner_id: string;
  owner: string;
  created_at: Timestamp;
  changed_at: Timestamp;
}
interface SavedSearchQueriesTable extends OrganisationColumns {
  search_id: string;
  query_version: number;
  query: string;
  written_by: string;
  written_at: Timestamp;
}
interface SavedSearchHitsTable extends OrganisationColumns {
  search_id: string;
  source_id: string;
  item_key: string;
}
interface SearchSelectionsTable extends OrganisationColumns {
  selection_id: string;
  tenant_id: string;
  query: string;
  reason: string;
  owner_id: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  coverage: Json<object> | null;
}
interface SearchSelectionItemsTable extends OrganisationColumns {
  selection_id: string;
  source_id: string;
  item_key: string;
  from_point: number;
  sequence: number;
  kind: string;
  name: string;
  at: Timestamp;
  size_bytes: number;
  review: string | null;
  review_tags: string | null;
  review_notes: string | null;
}

/** The index over everything that is kept. */
export interface SearchTables {
  search_items: SearchItemsTable;
  search_words: SearchWordsTable;
  search_sensitive: SearchSensitiveTable;
  search_invoices: SearchInvoicesTable;
  search_links: SearchLinksTable;
  search_labels: SearchLabelsTable;
  search_scans: SearchScansTable;
  search_vocabulary: SearchVocabularyTable;
  search_comparisons: SearchComparisonsTable;
  search_sources: SearchSourcesTable;
  saved_searches: SavedSearchesTable;
  saved_search_queries: SavedSearchQueriesTable;
  saved_search_hits: SavedSearchHitsTable;
  search_selections: SearchSelectionsTable;
  search_selection_items: SearchSelectionItemsTable;
}
