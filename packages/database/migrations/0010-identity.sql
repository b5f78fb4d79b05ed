-- Accounts are kept once per installation; sessions, tokens and codes belong to accounts. Tokens and codes
-- are stored as hashes only, the seed of an authenticator sealed.

create table accounts (
  id uuid primary key,
  email text not null,
  normalised_email text not null unique,
  user_name text not null,
  password_hash text,
  email_confirmed boolean not null default false,
  security_stamp text not null,
  totp_key bytea,
  totp_enabled boolean not null default false,
  recovery_salt bytea,
  failed_count integer not null default 0,
  lockout_enabled boolean not null default true,
  locked_until timestamptz,
  first_name text not null default '',
  last_name text not null default '',
  phone_number text not null default '',
  language text not null default 'en' check (language in ('en', 'de')),
  disabled_at timestamptz,
  created_at timestamptz not null,
  last_sign_in_at timestamptz
);
call holdfast.share('accounts');

-- What an account chose last, by realm.
create table account_choices (
  account_id uuid not null references accounts (id) on delete cascade,
  realm text not null check (realm in ('production', 'staging')),
  chosen_organisation_id uuid not null,
  chosen_worker_id uuid,
  primary key (account_id, realm)
);
call holdfast.share('account_choices');

-- Guesses at addresses that nobody has are counted like those at real ones.
create table sign_in_failures (
  address_hash bytea primary key,
  failed_count integer not null,
  locked_until timestamptz,
  last_at timestamptz not null
);
create index sign_in_failures_last_at on sign_in_failures (last_at);
call holdfast.share('sign_in_failures');

create table recovery_codes (
  account_id uuid not null references accounts (id) on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);
call holdfast.share('recovery_codes');

-- Each step of an authenticator counts once.
create table used_totp_steps (
  account_id uuid not null references accounts (id) on delete cascade,
  step bigint not null,
  primary key (account_id, step)
);
call holdfast.share('used_totp_steps');

create table account_codes (
  code_hash bytea primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  purpose text not null check (purpose in ('confirm', 'change', 'reset', 'link', 'invitation')),
  security_stamp text not null,
  new_email text,
  session_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_codes_account_id on account_codes (account_id, purpose);
create index account_codes_expires_at on account_codes (expires_at);
call holdfast.share('account_codes');

create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  kind text not null check (kind in ('bearer', 'cookie', 'portal')),
  audiences text[] not null,
  amr text not null check (amr in ('pwd', 'mfa')),
  persistent boolean not null default false,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_active_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  ended_why text
);
create index sessions_account_id on sessions (account_id) where ended_at is null;
create index sessions_ends_at on sessions (ends_at);
call holdfast.share('sessions');

create table session_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  audience text not null check (audience in ('main', 'staging', 'legacy', 'portal')),
  kind text not null check (kind in ('access', 'refresh', 'cookie')),
  security_stamp text not null,
  user_name text not null,
  email text not null,
  amr text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  replaced_at timestamptz
);
create index session_tokens_session_id on session_tokens (session_id);
create index session_tokens_expires_at on session_tokens (expires_at);
call holdfast.share('session_tokens');

create table remembered_machines (
  token_hash bytea primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  security_stamp text not null,
  expires_at timestamptz not null
);
create index remembered_machines_account_id on remembered_machines (account_id);
call holdfast.share('remembered_machines');

-- The second step of a sign-in. attempts counts over all sends; a new code voids the one before it.
create table sign_in_challenges (
  challenge_hash bytea primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  channel text not null check (channel in ('totp', 'email')),
  audiences text[] not null,
  agent_family text not null,
  code_mac bytea,
  code_expires_at timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  failed_at timestamptz
);
create index sign_in_challenges_account_id on sign_in_challenges (account_id, created_at);
create index sign_in_challenges_expires_at on sign_in_challenges (expires_at);
call holdfast.share('sign_in_challenges');

create table code_sends (
  account_id uuid not null references accounts (id) on delete cascade,
  sent_at timestamptz not null,
  id uuid primary key
);
create index code_sends_account_id on code_sends (account_id, sent_at);
call holdfast.share('code_sends');

-- The token of the first start, good while there is no account.
create table setup_tokens (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
call holdfast.share('setup_tokens');

-- Mails wait here, sealed, until they are sent; never in the request that wants them.
create table mails (
  id uuid primary key,
  sealed bytea,
  created_at timestamptz not null,
  next_attempt_at timestamptz not null,
  attempts integer not null default 0,
  sent_at timestamptz,
  last_error text
);
create index mails_waiting on mails (next_attempt_at) where sent_at is null;
call holdfast.share('mails');

-- Keys of the installation, wrapped by the master key that is named.
create table installation_keys (
  purpose text primary key,
  key_id uuid not null,
  master_key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null default now()
);
call holdfast.share('installation_keys', 'select, insert, update');

-- Counters of the rate limits, shared by all processes.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);
call holdfast.share('rate_limits');
