-- Owners of files of whom no mailbox and no OneDrive is protected: whether the directory still has them is asked for by scans.

create table compliance_owners (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  owner_id text not null,
  asked_at timestamptz not null,
  -- When the directory was first found not to have them any more; null while it has them.
  gone_since timestamptz,
  primary key (organisation_id, realm, tenant_id, owner_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
call holdfast.isolate('compliance_owners');
