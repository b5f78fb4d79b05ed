-- Organisations, who belongs to them, and their keys. One organisation has one id in both realms and a row
-- of each kind in each realm.

create table organisations (
  organisation_id uuid not null,
  realm text not null check (realm in ('production', 'staging')),
  name text not null,
  abbr text not null,
  notify_content_access boolean not null default false,
  created_at timestamptz not null,
  primary key (organisation_id, realm)
);
call holdfast.isolate('organisations');
call holdfast.publish('organisations', array['organisation_id', 'realm', 'created_at']);

-- The role is published beside the ids: who may do what is decided before an organisation is known.
create table memberships (
  organisation_id uuid not null,
  realm text not null check (realm in ('production', 'staging')),
  account_id uuid not null references accounts (id) on delete cascade,
  role text not null check (role in ('owner', 'administrator', 'operator', 'auditor', 'reader')),
  invited_at timestamptz,
  invitation_expires_at timestamptz,
  joined_at timestamptz,
  disabled_at timestamptz,
  ends_at timestamptz,
  primary key (organisation_id, realm, account_id),
  foreign key (organisation_id, realm) references organisations (organisation_id, realm) on delete cascade
);
create index memberships_account_id on memberships (account_id);
call holdfast.isolate('memberships');
call holdfast.publish('memberships', array['organisation_id', 'realm', 'account_id', 'role', 'joined_at', 'disabled_at', 'ends_at']);

create table organisation_keys (
  organisation_id uuid not null,
  realm text not null,
  key_id uuid not null,
  master_key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null default now(),
  primary key (organisation_id, realm, key_id),
  foreign key (organisation_id, realm) references organisations (organisation_id, realm) on delete cascade
);
create unique index organisation_keys_one on organisation_keys (organisation_id, realm);
call holdfast.isolate('organisation_keys');
