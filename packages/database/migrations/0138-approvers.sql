-- Four eyes are two people: an approver is entitled for a while before they may approve, and another owner confirms them.

-- Since when somebody may approve without a break, who entitled them, and which other owner confirmed it. A founder is
-- their own. A server of the version before writes none of these, so that whoever it lets in has to be confirmed.
alter table memberships add column entitled_since timestamptz not null default now();
alter table memberships add column entitled_by uuid;
alter table memberships add column confirmed_at timestamptz;
alter table memberships add column confirmed_by uuid;
-- When somebody last took these rights away from another person.
alter table organisations add column approver_left_at timestamptz;

-- The owner of the tables sees every organisation's rows for as long as this takes. Those who could approve before stay approvers.
alter table memberships no force row level security;
update memberships set entitled_since = coalesce(joined_at, now()), entitled_by = invited_by, confirmed_at = now()
where role in ('owner', 'administrator');
alter table memberships force row level security;
