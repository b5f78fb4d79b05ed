-- Where items link to: from these the version of a file is found that a link led to when it was sent. They come with the index, which is read again.
create table search_links (
  organisation_id uuid not null,
  realm text not null,
  item_no bigint not null,
  place integer not null,
  link text not null,
  primary key (organisation_id, realm, item_no, place),
  foreign key (organisation_id, realm, item_no) references search_items (organisation_id, realm, item_no) on delete cascade
);
call holdfast.isolate('search_links');
