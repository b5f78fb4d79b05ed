-- Notices of legal holds: what custodians were told by mail, whom it reached, and who acknowledged it and when. A record:
-- rows stay when the hold has ended.

create table hold_notices (
  organisation_id uuid not null,
  realm text not null,
  notice_id uuid not null,
  hold_id uuid not null,
  subject text not null,
  message text not null,
  language text not null check (language in ('en', 'de')),
  -- Whoever has not acknowledged is reminded after so many days; null: never.
  remind_days smallint check (remind_days between 1 and 30),
  sent_by uuid not null,
  sender text not null,
  created_at timestamptz not null,
  primary key (organisation_id, realm, notice_id),
  foreign key (organisation_id, realm, hold_id) references holds (organisation_id, realm, hold_id) on delete cascade
);
create index hold_notices_hold on hold_notices (organisation_id, realm, hold_id);
call holdfast.isolate('hold_notices', 'select, insert');

create table hold_notice_recipients (
  organisation_id uuid not null,
  realm text not null,
  recipient_id uuid not null,
  notice_id uuid not null,
  name text not null,
  address text not null,
  reminders smallint not null default 0,
  -- When the next reminder is due; null when none is.
  remind_at timestamptz,
  acknowledged_at timestamptz,
  primary key (organisation_id, realm, recipient_id),
  foreign key (organisation_id, realm, notice_id) references hold_notices (organisation_id, realm, notice_id) on delete cascade
);
create unique index hold_notice_recipients_address on hold_notice_recipients (organisation_id, realm, notice_id, lower(address));
create index hold_notice_recipients_due on hold_notice_recipients (remind_at) where remind_at is not null;
call holdfast.isolate('hold_notice_recipients', 'select, insert, update');
call holdfast.publish('hold_notice_recipients', array['organisation_id', 'realm', 'recipient_id', 'remind_at']);

-- Each mail of a notice has a link of its own. Whether it has left is said by the queue of mails alone.
create table hold_notice_mails (
  organisation_id uuid not null,
  realm text not null,
  mail_id uuid not null references mails (id),
  recipient_id uuid not null,
  code_hash bytea not null,
  expires_at timestamptz not null,
  -- False where no mail server was set up: then the mail lies in a folder of the server.
  is_mailed boolean not null,
  queued_at timestamptz not null,
  primary key (organisation_id, realm, mail_id),
  foreign key (organisation_id, realm, recipient_id)
    references hold_notice_recipients (organisation_id, realm, recipient_id) on delete cascade
);
create unique index hold_notice_mails_code_hash on hold_notice_mails (code_hash);
create index hold_notice_mails_recipient on hold_notice_mails (organisation_id, realm, recipient_id, queued_at);
create index hold_notice_mails_mail on hold_notice_mails (mail_id);
call holdfast.isolate('hold_notice_mails', 'select, insert');
call holdfast.publish('hold_notice_mails', array['organisation_id', 'realm', 'code_hash']);
