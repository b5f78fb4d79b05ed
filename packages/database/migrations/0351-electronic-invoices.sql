-- What electronic invoices say in their fields, wherever in an item they are: a file, an attachment, the XML inside of a PDF.

create table search_invoices (
  organisation_id uuid not null,
  realm text not null,
  item_no bigint not null,
  place integer not null,
  -- The words of texts as the index knows them, each between two spaces.
  number text not null,
  seller text not null,
  -- Without spaces, in capitals.
  vat_id text not null,
  iban text not null,
  issued_on date,
  total numeric(21, 6),
  currency text not null,
  primary key (organisation_id, realm, item_no, place),
  foreign key (organisation_id, realm, item_no) references search_items (organisation_id, realm, item_no) on delete cascade
);
call holdfast.isolate('search_invoices');

-- What was indexed without them is read again, in the background and from the vault.
truncate search_items, search_words, search_sensitive, search_invoices, search_vocabulary, search_sources;
