-- What can be searched: one row for each version of an item whose words have been read, and its words.

create table search_items (
  organisation_id uuid not null,
  realm text not null,
  item_no bigint generated always as identity,
  source_id uuid not null,
  item_key text collate "C" not null,
  from_point bigint not null,
  -- The choice of the query language that its kind belongs to.
  kind text not null,
  title text not null,
  sender text not null,
  -- When it came or was last changed, as the provider says.
  at timestamptz not null,
  size_bytes bigint not null,
  attachments integer not null,
  file_type text not null,
  state text not null check (state in ('indexed', 'noText', 'unsupported', 'tooLarge', 'failed')),
  primary key (organisation_id, realm, item_no),
  unique (organisation_id, realm, source_id, item_key, from_point),
  -- What the catalog forgets can no longer be found.
  foreign key (organisation_id, realm, source_id, item_key, from_point)
    references catalog_items (organisation_id, realm, source_id, item_key, from_point) on delete cascade on update cascade
);
create index search_items_time on search_items (organisation_id, realm, at desc, item_no desc);
call holdfast.isolate('search_items');

-- Long texts are cut into slices that overlap: a tsvector keeps positions up to 16,383 and 256 of a word.
create table search_words (
  organisation_id uuid not null,
  realm text not null,
  item_no bigint not null,
  slice integer not null,
  words tsvector not null,
  primary key (organisation_id, realm, item_no, slice),
  foreign key (organisation_id, realm, item_no) references search_items (organisation_id, realm, item_no) on delete cascade
);
create index search_words_words on search_words using gin (words) with (gin_pending_list_limit = 256);
call holdfast.isolate('search_words');

-- Every word of the index, for wildcards at the beginning of a word.
create table search_vocabulary (
  organisation_id uuid not null,
  realm text not null,
  word text collate "C" not null,
  primary key (organisation_id, realm, word)
);
create index search_vocabulary_parts on search_vocabulary using gin (word gin_trgm_ops);
call holdfast.isolate('search_vocabulary');

-- How far each source has been read: what lies behind its head is looked for, the rest is left alone.
create table search_sources (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  read_through bigint not null,
  primary key (organisation_id, realm, source_id),
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
call holdfast.isolate('search_sources');
