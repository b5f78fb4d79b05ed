-- Who runs many organisations may do without the daily summary; mails about failed runs keep coming.

alter table accounts add column summary_mails boolean not null default true;
