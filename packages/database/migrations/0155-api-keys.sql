-- Keys for programs. A key belongs to the person who created it and acts for them in one organisation and realm, with a
-- role of its own. Rows stay when a key has ended: they say who had access and when it was last used.

create table api_keys (
  organisation_id uuid not null,
  realm text not null,
  api_key_id uuid not null,
  account_id uuid not null,
  creator text not null,
  name text not null,
  role text not null check (role in ('administrator', 'operator', 'auditor', 'reader')),
  -- Addresses and networks it may be used from; anywhere where empty.
  networks text[] not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by text,
  last_used_at timestamptz,
  last_used_address text,
  primary key (organisation_id, realm, api_key_id),
  foreign key (organisation_id, realm) references organisations (organisation_id, realm) on delete cascade,
  check ((ended_at is null) = (ended_by is null))
);
create unique index api_keys_secret_hash on api_keys (secret_hash);
create index api_keys_account on api_keys (organisation_id, realm, account_id);
call holdfast.isolate('api_keys', 'select, insert, update');
call holdfast.publish('api_keys', array['organisation_id', 'realm', 'api_key_id', 'secret_hash']);
