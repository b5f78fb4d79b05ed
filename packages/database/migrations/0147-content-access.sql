-- Who may open what is kept of others: owners and administrators with a reason, or only those with a right of their own.

alter table organisations add column content_access text not null default 'open' check (content_access in ('open', 'strict'));
