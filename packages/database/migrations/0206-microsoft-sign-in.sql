-- Sign-in with Microsoft Entra: the application of an organisation, and who came in by it.

create table microsoft_sign_in (
  organisation_id uuid not null,
  realm text not null,
  issuer text not null,
  client_id text not null,
  client_secret bytea not null,
  -- Groups or app roles by the role they give.
  administrator text[] not null,
  operator text[] not null,
  auditor text[] not null,
  reader text[] not null,
  -- Answers for the rights that groups give.
  saved_by uuid not null,
  primary key (organisation_id, realm),
  foreign key (organisation_id, realm) references organisations (organisation_id, realm) on delete cascade
);
call holdfast.isolate('microsoft_sign_in');
call holdfast.publish('microsoft_sign_in', array['organisation_id', 'realm']);

-- Accounts are the installation's, and so is how they come in. An account belongs to a subject of one issuer that one
-- organisation named: no other organisation's provider opens it.
create table provided_accounts (
  provider_of uuid not null,
  issuer text not null,
  subject text not null,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null,
  primary key (provider_of, issuer, subject)
);
create index provided_accounts_account on provided_accounts (account_id);
call holdfast.share('provided_accounts', 'select, insert, delete');

create table provided_attempts (
  state_hash bytea primary key,
  provider_of uuid not null,
  browser_hash bytea not null,
  expires_at timestamptz not null
);
create index provided_attempts_expires_at on provided_attempts (expires_at);
call holdfast.share('provided_attempts', 'select, insert, delete');

-- A session that a provider vouched for opens the organisation of that provider and no other.
alter table sessions add column only_for uuid;
