-- Where audit events are sent outside, and how far each destination is. Events are sent in the order of their numbers, so
-- one number says what a destination has received.

create table audit_destinations (
  organisation_id uuid not null,
  realm text not null,
  destination_id uuid not null,
  name text not null,
  kind text not null check (kind in ('syslog', 'webhook', 'file')),
  feed text not null check (feed in ('everything', 'alarms')),
  is_enabled boolean not null,
  -- Address and certificates; nothing secret.
  target jsonb not null,
  sealed_secret bytea,
  created_at timestamptz not null,
  creator text not null,
  -- The newest event that was received, or that this destination does not want.
  cursor bigint not null,
  last_sent_at timestamptz,
  attempts integer not null default 0,
  failing_since timestamptz,
  last_failure jsonb,
  next_attempt_at timestamptz not null,
  -- When its standing still was reported; once each time it stands still.
  stalled_at timestamptz,
  -- The process that sends now, and until when nobody else does.
  lease_id uuid,
  leased_until timestamptz,
  primary key (organisation_id, realm, destination_id),
  foreign key (organisation_id, realm) references organisations (organisation_id, realm) on delete cascade,
  check ((kind = 'webhook') = (sealed_secret is not null))
);
call holdfast.isolate('audit_destinations');
call holdfast.publish('audit_destinations',
  array['organisation_id', 'realm', 'destination_id', 'is_enabled', 'cursor', 'next_attempt_at', 'leased_until', 'failing_since']);
