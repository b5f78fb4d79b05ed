-- The journal and the backups of a mailbox check each other: what one of them brought into the archive, the other must know too.

-- Messages that one of the journal, the backups and the search index does not have, although it should.
alter table archive_mailboxes add column unmatched bigint not null default 0;

-- By the day of receipt, of the archived messages: those that backups brought and journaling did not, and the other way round.
alter table archive_days add column not_journaled bigint not null default 0;
alter table archive_days add column not_captured bigint not null default 0;

-- One message may be missing in more than one place.
alter table archive_gaps drop constraint archive_gaps_reason_check;
alter table archive_gaps add constraint archive_gaps_reason_check
  check (reason in ('missing', 'withoutOriginal', 'notJournaled', 'notCaptured', 'notSearchable'));
alter table archive_gaps drop constraint archive_gaps_pkey;
alter table archive_gaps add primary key (organisation_id, realm, source_id, message_key, reason);
