-- A request that nobody decides lapses. What is old when this comes is as old as it is: it had its days.

alter table approvals drop constraint approvals_status_check;
alter table approvals
  add constraint approvals_status_check
  check (status in ('waiting', 'delayed', 'approved', 'refused', 'withdrawn', 'superseded', 'expired'));
create index approvals_waiting on approvals (requested_at) where status = 'waiting';
grant select (status, requested_at) on approvals to holdfast_directory;
