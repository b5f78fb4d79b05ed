-- A run that opens content is asked for its right when it begins, and not only when somebody asked for it.

-- Whoever saved the job last; null for jobs that the product made.
alter table jobs add column saved_by uuid;
-- Whose rights the run uses: of whoever started it, or of whoever saved the job that its schedule started.
alter table runs add column on_behalf_of uuid;

-- The owner of the tables sees every organisation's rows for as long as this takes.
alter table jobs no force row level security;
alter table runs no force row level security;
update jobs set saved_by = created_by;
update runs set on_behalf_of = coalesce(
  (select id from accounts where lower(accounts.email) = lower(runs.started_by)),
  (select saved_by from jobs where jobs.organisation_id = runs.organisation_id and jobs.realm = runs.realm and jobs.job_id = runs.job_id))
where status in ('pending', 'running', 'cancelling');
alter table jobs force row level security;
alter table runs force row level security;
