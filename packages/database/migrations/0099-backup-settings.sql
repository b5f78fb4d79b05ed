-- Backup settings that act. In-place archives are not read, so their switch goes. A resource that was found while
-- newcomers are not to be protected at once waits until somebody chooses it.

update backup_configurations set settings = settings #- '{exchange,includeArchiveMailboxes}';
alter table resources add column held_back boolean not null default false;
