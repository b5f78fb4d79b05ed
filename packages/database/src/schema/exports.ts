import type { ColumnType, Generated, Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface ExportsTable extends OrganisationColumns {
  export_id: string;
  tenant_id: string;
  run_id: string;
  selection_id: string;
  case_id: string | null;
  data_request_id: Generated<string | null>;
  name: string;
  format: 'eml' | 'mbox' | 'loadFile' | 'z3' | 'searchable';
  query: string;
  coverage: Json<object>;
  reason: string;
  owner_id: string;
  owner: string;
  items: number;
  size_bytes: number;
  created_at: Timestamp;
  expires_at: Timestamp;
  expired_at: NullableTimestamp;
  manifest_hash: string | null;
  signature: string | null;
}
interface ExportFilesTable extends OrganisationColumns {
  export_id: string;
  file_no: number;
  kind: 'item' | 'mbox' | 'text' | 'index' | 'paper' | 'conversation';
  path: string;
  path_key: string;
  size_bytes: number | null;
  sha256: string | null;
  code: string | null;
  part: number | null;
  first_item: number | null;
  last_item: number | null;
  /** Of a transcript, the messages it is made of. */
  conversation: ColumnType<object | null, string | null | undefined, string | null>;
}
interface ExportItemsTable extends OrganisationColumns {
  export_id: string;
  item_no: number;
  file_no: number | null;
  source_id: string;
  sequence: number;
  item_key: string;
  content: number | null;
  size_bytes: number;
  sha256: string | null;
  code: string | null;
  account: string;
  folder: string;
  kind: string;
  name: string;
  sender: string;
  sent_at: string | null;
  received_at: string | null;
  message_id: string;
  review: string | null;
  review_tags: string | null;
  review_notes: string | null;
}
interface ExportLinksTable extends OrganisationColumns {
  export_id: string;
  item_no: number;
  place: number;
  link: string;
  sent_at: Timestamp;
  /** Null where no file that is kept, and that whoever asked may find, was meant. */
  rule: string | null;
  tie: string | null;
  missing: string | null;
  version: string | null;
  modified_at: NullableTimestamp;
  sha256: string | null;
  name: string | null;
  owner: string | null;
  /** Of what was made before exports said so, null too. */
  owner_graph_id: string | null;
  item_key: string | null;
}
interface ExportFaultsTable extends OrganisationColumns {
  export_id: string;
  fault_no: Generated<number>;
  item_no: number;
  of_text: boolean;
  code: string;
  at: Timestamp;
}

/** What leaves the product: lists of items, with the hashes of the files that they are handed out as. */
export interface ExportTables {
  exports: ExportsTable;
  export_files: ExportFilesTable;
  export_items: ExportItemsTable;
  export_faults: ExportFaultsTable;
  export_links: ExportLinksTable;
}
