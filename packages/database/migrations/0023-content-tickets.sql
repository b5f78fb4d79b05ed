-- Rights to look at one item: a reason was given, the right was checked, the audit log has it.

create table content_tickets (
  organisation_id uuid not null,
  realm text not null,
  ticket_hash bytea not null,
  tenant_id uuid not null,
  location_id uuid not null,
  resource_id uuid not null,
  sequence bigint not null,
  item_key text not null,
  account_id uuid not null,
  expires_at timestamptz not null,
  -- The preview is given once; the file while the ticket holds.
  previewed_at timestamptz,
  primary key (organisation_id, realm, ticket_hash),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create index content_tickets_expires_at on content_tickets (organisation_id, realm, expires_at);
call holdfast.isolate('content_tickets');
