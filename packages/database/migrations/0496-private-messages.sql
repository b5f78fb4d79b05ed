-- Messages that the owner of a mailbox has marked as private: neither a role nor a proxy right opens them, unless two
-- people have granted it. They are kept, held and deleted like all others.

create table private_messages (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  -- Whose mailbox, as the directory names them: the mark holds in its archive and in its backups.
  graph_id text not null,
  -- The SHA-256 of the exact bytes.
  message_id text collate "C" not null,
  marked_by uuid not null,
  marked_at timestamptz not null,
  primary key (organisation_id, realm, tenant_id, graph_id, message_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create index private_messages_message on private_messages (organisation_id, realm, message_id);
call holdfast.isolate('private_messages', 'select, insert, delete');

-- Whether a right opens private messages too: only after a second person has approved it.
alter table proxy_rights add column includes_private boolean not null default false;
