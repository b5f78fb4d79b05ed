-- What mail and posts say of themselves besides their words: when they were sent and archived, their importance, whether they were
-- journaled, read, signed or encrypted. Null where an item does not say it. Identifiers are among the words of the index and need no column.

alter table search_items
  add column sent_at timestamptz,
  add column archived_at timestamptz,
  add column importance text,
  add column is_journaled boolean not null default false,
  add column is_read boolean,
  add column is_signed boolean,
  add column is_encrypted boolean;

-- What was indexed without them is read again, in the background and from the vault. Documents, events and contacts say none of it.
-- Row-level security is forced, so that the owner sees these rows only while it is not.
alter table search_items no force row level security;
alter table search_sources no force row level security;
delete from search_items where kind in ('email', 'im', 'tasks') or attachments > 0;
update search_sources set read_through = 0;
alter table search_items force row level security;
alter table search_sources force row level security;
