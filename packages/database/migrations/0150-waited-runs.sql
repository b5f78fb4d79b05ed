-- For how long a run waited, in milliseconds: for Microsoft 365, its storage and the database.
alter table runs add column waited jsonb not null default '{"microsoft": 0, "storage": 0, "database": 0}';
