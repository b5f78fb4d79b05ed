-- Who may open what is kept of others, for whom and until when. Rows are never deleted: a right that has ended stays as a record.

create table proxy_rights (
  organisation_id uuid not null,
  realm text not null,
  proxy_right_id uuid not null,
  tenant_id uuid not null,
  -- Ids are those of the directory; names and addresses are as they were when the right was granted.
  holder_kind text not null check (holder_kind in ('account', 'group')),
  holder_id text not null,
  holder_name text not null,
  holder_address text not null,
  target_kind text not null check (target_kind in ('account', 'group', 'everyone')),
  target_id text,
  target_name text not null,
  target_address text not null,
  may text[] not null check (cardinality(may) > 0 and may <@ array['read', 'export', 'restore']),
  -- Items of this time alone; open where null.
  mail_from timestamptz,
  mail_to timestamptz,
  access_from timestamptz not null,
  access_to timestamptz not null,
  purpose text not null,
  granted_by uuid not null,
  granter text not null,
  granted_at timestamptz not null,
  remover text,
  removed_at timestamptz,
  primary key (organisation_id, realm, proxy_right_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade,
  check ((target_kind = 'everyone') = (target_id is null)),
  check (mail_from <= mail_to),
  check (access_from < access_to)
);
create index proxy_rights_tenant on proxy_rights (organisation_id, realm, tenant_id, access_to);
call holdfast.isolate('proxy_rights', 'select, insert, update');

-- The accounts and groups that rights name, as the directory last had them.
create table proxy_parties (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  party_id text not null,
  kind text not null check (kind in ('account', 'group')),
  synchronised_at timestamptz not null,
  primary key (organisation_id, realm, tenant_id, party_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
call holdfast.isolate('proxy_parties');

-- The account itself, or the members of the group, with all their addresses in lower case.
create table proxy_people (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  party_id text not null,
  person_id text not null,
  addresses text[] not null,
  -- When the directory no longer had the account, or the group the member.
  gone_at timestamptz,
  primary key (organisation_id, realm, tenant_id, party_id, person_id),
  foreign key (organisation_id, realm, tenant_id, party_id)
    references proxy_parties (organisation_id, realm, tenant_id, party_id) on delete cascade
);
create index proxy_people_addresses on proxy_people using gin (organisation_id, addresses);
call holdfast.isolate('proxy_people');
