-- An invitation is no membership yet and is bound to an address, not to an account: who invites learns nothing of the
-- account until the person accepts. Links of invitations from before are void; the organisation sends them again.

create table invitations (
  organisation_id uuid not null,
  realm text not null,
  invitation_id uuid not null,
  email text not null,
  normalised_email text not null,
  role text not null check (role in ('owner', 'administrator', 'operator', 'auditor', 'reader')),
  first_name text not null default '',
  last_name text not null default '',
  phone_number text not null default '',
  language text not null check (language in ('en', 'de')),
  invited_by uuid,
  inviter text not null,
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  -- Of the newest link alone.
  code_hash bytea not null,
  -- Whether the link went to the address by mail. A link that was shown proves no address.
  is_mailed boolean not null,
  primary key (organisation_id, realm, invitation_id),
  foreign key (organisation_id, realm) references organisations (organisation_id, realm) on delete cascade
);
create unique index invitations_address on invitations (organisation_id, realm, normalised_email);
create unique index invitations_code_hash on invitations (code_hash);
call holdfast.isolate('invitations');
call holdfast.publish('invitations', array['organisation_id', 'realm', 'invitation_id', 'code_hash', 'expires_at']);

-- The owner of the tables sees every organisation's rows for as long as this takes.
alter table invitations no force row level security;
alter table memberships no force row level security;
insert into invitations (organisation_id, realm, invitation_id, email, normalised_email, role, language, inviter, invited_at, expires_at,
  code_hash, is_mailed)
select membership.organisation_id, membership.realm, gen_random_uuid(), account.email, account.normalised_email, membership.role,
  account.language, '', coalesce(membership.invited_at, now()), coalesce(membership.invitation_expires_at, now()),
  sha256(uuid_send(gen_random_uuid())), false
from memberships membership
join accounts account on account.id = membership.account_id
where membership.joined_at is null;
delete from memberships where joined_at is null;
delete from accounts
where password_hash is null and not exists (select from memberships where memberships.account_id = accounts.id);
alter table invitations force row level security;
alter table memberships force row level security;
delete from account_codes where purpose = 'invitation';
alter table account_codes drop constraint account_codes_purpose_check;
alter table account_codes add constraint account_codes_purpose_check check (purpose in ('confirm', 'change', 'reset', 'link'));

-- A server of the version before still writes invitation_expires_at.
alter table memberships add column invited_by uuid;

-- An organisation that handed a link over by other means than mail vouches for the person, not for the address.
alter table accounts add column vouched_at timestamptz;

-- Organisations that have ended this session for themselves; it stays open to the others.
alter table sessions add column closed_to uuid[] not null default '{}';
