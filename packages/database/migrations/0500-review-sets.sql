-- Review sets of cases: frozen lists of what queries found, and what reviewers decided about each item.

create table review_sets (
  organisation_id uuid not null,
  realm text not null,
  set_id uuid not null,
  case_id uuid not null,
  name text not null,
  -- The queries as they were read.
  query text not null,
  -- A sample is drawn in the order of hashes of its seed and the items; null for a set of everything.
  sample_size integer,
  seed text,
  -- What it was drawn from.
  population bigint not null,
  items bigint not null,
  coverage jsonb,
  creator text not null,
  created_at timestamptz not null,
  primary key (organisation_id, realm, set_id),
  foreign key (organisation_id, realm, case_id) references cases (organisation_id, realm, case_id) on delete cascade,
  check ((sample_size is null) = (seed is null))
);
create unique index review_sets_name on review_sets (organisation_id, realm, case_id, lower(name));
call holdfast.isolate('review_sets');

-- Items stay listed when the catalog has forgotten them. They have no subject and no sender: what is erased leaves none here.
create table review_items (
  organisation_id uuid not null,
  realm text not null,
  set_id uuid not null,
  position integer not null,
  -- The first item with the same content, which carries the decision of all; itself where there is none before.
  copy_of integer not null,
  source_id uuid not null,
  resource_id uuid not null,
  item_key text collate "C" not null,
  from_point bigint not null,
  content_hash text collate "C",
  at timestamptz not null,
  size_bytes bigint not null,
  status text not null default 'unreviewed' check (status in ('unreviewed', 'relevant', 'notRelevant', 'privileged')),
  -- How often somebody has decided.
  revision integer not null default 0,
  reviewer text,
  reviewed_at timestamptz,
  primary key (organisation_id, realm, set_id, position),
  unique (organisation_id, realm, set_id, source_id, item_key),
  foreign key (organisation_id, realm, set_id) references review_sets (organisation_id, realm, set_id) on delete cascade
);
create index review_items_copies on review_items (organisation_id, realm, set_id, copy_of, position);
call holdfast.isolate('review_items', 'select, insert, update');
