import type { Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface ReviewSetsTable extends OrganisationColumns {
  set_id: string;
  case_id: string;
  name: string;
  query: string;
  sample_size: number | null;
  seed: string | null;
  population: number;
  items: number;
  coverage: Json<object> | null;
  creator: string;
  created_at: Timestamp;
  threads_run_id: string | null;
  threads_at: NullableTimestamp;
  threads: Json<object> | null;
}

interface ReviewItemsTable extends OrganisationColumns {
  set_id: string;
  position: number;
  copy_of: number;
  source_id: string;
  resource_id: string;
  item_key: string;
  from_point: number;
  content_hash: string | null;
  at: Timestamp;
  size_bytes: number;
  status: 'unreviewed' | 'relevant' | 'notRelevant' | 'privileged';
  revision: number;
  reviewer: string | null;
  reviewed_at: NullableTimestamp;
}

interface ReviewThreadsTable extends OrganisationColumns {
  set_id: string;
  position: number;
  thread: number;
  role: 'inclusive' | 'inclusiveMinus' | 'copy' | 'none';
  shown_by: number;
  pivot: number;
  likeness: number;
}

interface CaseTagsTable extends OrganisationColumns {
  tag_id: string;
  case_id: string;
  name: string;
  colour: 'blue' | 'green' | 'yellow' | 'red' | 'purple' | 'grey';
  tag_group: string;
  created_at: Timestamp;
}

interface ReviewTagsTable extends OrganisationColumns {
  set_id: string;
  position: number;
  tag_id: string;
  tagger: string;
  tagged_at: Timestamp;
}

interface ReviewNotesTable extends OrganisationColumns {
  note_id: string;
  set_id: string;
  position: number;
  text: string;
  author_id: string;
  author: string;
  at: Timestamp;
}

/** Review sets of cases. */
export interface ReviewTables {
  review_sets: ReviewSetsTable;
  review_items: ReviewItemsTable;
  review_threads: ReviewThreadsTable;
  case_tags: CaseTagsTable;
  review_tags: ReviewTagsTable;
  review_notes: ReviewNotesTable;
}
