-- A ticket belongs to one session, and may be used again for a while after its first use: what is shown
-- offers its attachments. Tickets live for minutes, so those of before are given up.

truncate content_tickets;
alter table content_tickets
  drop column account_id,
  drop column previewed_at,
  add column session_id uuid not null,
  add column used_at timestamptz;
