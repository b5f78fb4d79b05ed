import type { OrganisationColumns, Timestamp } from './columns.ts';

export interface DocumentsTable extends OrganisationColumns {
  document_id: string;
  kind: 'report' | 'document';
  file_name: string;
  size_bytes: number;
  location_id: string;
  state: 'storing' | 'stored' | 'leaving';
  uploaded_by: string | null;
  uploader: string;
  uploaded_at: Timestamp;
}

/** Reports and documents; their bytes are in the vault. */
export interface DocumentTables {
  documents: DocumentsTable;
}
