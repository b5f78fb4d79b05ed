-- Tags of cases and notes of reviewers, on contents of review sets.

create table case_tags (
  organisation_id uuid not null,
  realm text not null,
  tag_id uuid not null,
  case_id uuid not null,
  name text not null,
  colour text not null,
  -- Of the tags of a group an item has one at most; empty for none.
  tag_group text not null,
  created_at timestamptz not null,
  primary key (organisation_id, realm, tag_id),
  foreign key (organisation_id, realm, case_id) references cases (organisation_id, realm, case_id) on delete cascade
);
create unique index case_tags_name on case_tags (organisation_id, realm, case_id, lower(name));
call holdfast.isolate('case_tags');

-- On the item that carries the decision about a content.
create table review_tags (
  organisation_id uuid not null,
  realm text not null,
  set_id uuid not null,
  position integer not null,
  tag_id uuid not null,
  tagger text not null,
  tagged_at timestamptz not null,
  primary key (organisation_id, realm, set_id, position, tag_id),
  foreign key (organisation_id, realm, set_id, position)
    references review_items (organisation_id, realm, set_id, position) on delete cascade,
  foreign key (organisation_id, realm, tag_id) references case_tags (organisation_id, realm, tag_id) on delete cascade
);
create index review_tags_tag on review_tags (organisation_id, realm, tag_id);
call holdfast.isolate('review_tags', 'select, insert, delete');

create table review_notes (
  organisation_id uuid not null,
  realm text not null,
  note_id uuid not null,
  set_id uuid not null,
  position integer not null,
  text text not null,
  author_id uuid not null,
  author text not null,
  at timestamptz not null,
  primary key (organisation_id, realm, note_id),
  foreign key (organisation_id, realm, set_id, position)
    references review_items (organisation_id, realm, set_id, position) on delete cascade
);
create index review_notes_item on review_notes (organisation_id, realm, set_id, position, at);
call holdfast.isolate('review_notes', 'select, insert, delete');
