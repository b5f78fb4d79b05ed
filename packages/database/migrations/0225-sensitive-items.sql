-- Which kinds of personal and payment numbers an item holds: how many different ones, and one with its middle hidden.

create table search_sensitive (
  organisation_id uuid not null,
  realm text not null,
  item_no bigint not null,
  kind text not null check (kind in ('iban', 'card', 'taxId', 'socialSecurity', 'passport', 'vat')),
  count integer not null check (count > 0),
  sample text not null,
  primary key (organisation_id, realm, item_no, kind),
  foreign key (organisation_id, realm, item_no) references search_items (organisation_id, realm, item_no) on delete cascade
);
create index search_sensitive_kind on search_sensitive (organisation_id, realm, kind);
call holdfast.isolate('search_sensitive');

-- What was indexed without looking for them is read again, in the background and from the vault.
delete from search_items;
delete from search_sources;
delete from search_vocabulary;
