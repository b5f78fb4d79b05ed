-- Sensitivity labels that mails and files carry: the index has them of each version beside its words, and policies go by them.
create table search_labels (
  organisation_id uuid not null,
  realm text not null,
  item_no bigint not null,
  label_id text not null,
  name text not null,
  -- Null where nobody wrote it down.
  set_at timestamptz,
  primary key (organisation_id, realm, item_no, label_id),
  foreign key (organisation_id, realm, item_no) references search_items (organisation_id, realm, item_no) on delete cascade
);
create index search_labels_label on search_labels (organisation_id, realm, label_id);
call holdfast.isolate('search_labels');

-- Whether the labels of a version are known: what needs a password or is broken may have some that nobody can read.
alter table search_items add column labels_known boolean not null default false;
create index search_items_unlabelled on search_items (organisation_id, realm, source_id) where not labels_known;

-- What was indexed without labels is read again, in the background, newest first, and from the vault alone. Until then the coverage under each
-- result counts it as not searched, and what holds and policies have not looked at stays.
truncate search_items, search_words, search_sensitive, search_invoices, search_scans, search_links, search_labels, search_vocabulary, search_sources;

-- The labels that a policy is on: `[{"labelId": "…", "name": "…"}]`; none for a scope of another kind.
alter table retention_policies add column labels jsonb not null default '[]';
alter table retention_policies drop constraint retention_policies_anchor_check;
alter table retention_policies add constraint retention_policies_anchor_check check (anchor in ('archived', 'received', 'event', 'labelled'));
alter table retention_policies add check (labels = '[]' or not is_everything);
alter table retention_policies add check (anchor <> 'labelled' or labels <> '[]');
alter table retention_policies add check (labels = '[]' or (search_query is null and attributes = '[]'));
