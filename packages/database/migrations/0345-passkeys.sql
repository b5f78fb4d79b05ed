-- Passkeys: keys of people's devices that sign them in. Accounts are the installation's, and so are these.

create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- The name of the installation that browsers let it answer to: after a move to another name it is of no use.
  rp_id text not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_account_id on passkeys (account_id);
call holdfast.share('passkeys');

-- What a device is asked to sign: once, within minutes, and for who asked.
create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('register', 'sign-in', 'second-factor')),
  -- Hash of what the answer has to come with: the session, the browser's cookie, or the sign-in that waits for its second factor.
  bound_to bytea not null,
  account_id uuid references accounts (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_expires_at on passkey_challenges (expires_at);
create index passkey_challenges_account_id on passkey_challenges (account_id);
call holdfast.share('passkey_challenges', 'select, insert, delete');

alter table sign_in_challenges drop constraint sign_in_challenges_channel_check;
alter table sign_in_challenges add constraint sign_in_challenges_channel_check check (channel in ('totp', 'email', 'passkey'));
