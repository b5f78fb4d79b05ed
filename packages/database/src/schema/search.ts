import type { Generated, OrganisationColumns, Timestamp } from './columns.ts';

interface SearchItemsTable extends OrganisationColumns {
  item_no: Generated<number>;
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
  state: 'indexed' | 'noText' | 'encrypted' | 'unsupported' | 'tooLarge' | 'failed';
}
interface SearchWordsTable extends OrganisationColumns {
  item_no: number;
  slice: number;
  words: string;
}
interface SearchVocabularyTable extends OrganisationColumns {
  word: string;
}

interface SearchSourcesTable extends OrganisationColumns {
  source_id: string;
  read_through: number;
}

/** The index over everything that is kept. */
export interface SearchTables {
  search_items: SearchItemsTable;
  search_words: SearchWordsTable;
  search_vocabulary: SearchVocabularyTable;
  search_sources: SearchSourcesTable;
}
