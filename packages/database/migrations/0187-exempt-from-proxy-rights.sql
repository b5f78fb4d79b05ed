-- Whose content opens to nobody on a role or a proxy right: works council, data protection officer, company doctor.
-- Rows are never deleted: an exemption that has ended stays as a record.

create table proxy_exemptions (
  organisation_id uuid not null,
  realm text not null,
  exemption_id uuid not null,
  tenant_id uuid not null,
  -- Ids are those of the directory; names and addresses are as they were when it was made.
  party_kind text not null check (party_kind in ('account', 'group')),
  party_id text not null,
  party_name text not null,
  party_address text not null,
  reason text not null,
  adder text not null,
  added_at timestamptz not null,
  ended_at timestamptz,
  primary key (organisation_id, realm, exemption_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create unique index proxy_exemptions_party on proxy_exemptions (organisation_id, realm, tenant_id, party_id) where ended_at is null;
call holdfast.isolate('proxy_exemptions', 'select, insert, update');
