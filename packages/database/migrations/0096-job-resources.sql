-- What each job found to cover when it last looked: what a run reads of a resource is what any of these jobs chooses of it.

create table job_resources (
  organisation_id uuid not null,
  realm text not null,
  job_id uuid not null,
  resource_id uuid not null,
  -- Of a team: only the channels that the job names.
  in_part boolean not null,
  primary key (organisation_id, realm, job_id, resource_id),
  foreign key (organisation_id, realm, job_id) references jobs (organisation_id, realm, job_id) on delete cascade,
  foreign key (organisation_id, realm, resource_id) references resources (organisation_id, realm, resource_id) on delete cascade
);
create index job_resources_resource on job_resources (organisation_id, realm, resource_id);

-- Until a job looks again, it covers what its newest run did; a team in part only when nothing else in the job can cover it.
alter table jobs no force row level security;
alter table runs no force row level security;
alter table run_accounts no force row level security;
alter table resources no force row level security;
insert into job_resources (organisation_id, realm, job_id, resource_id, in_part)
select job.organisation_id, job.realm, job.job_id, account.resource_id,
  job.body @> jsonb_build_object('source', jsonb_build_object('channels', jsonb_build_array(jsonb_build_object('teamId', resource.graph_id))))
    and not job.body @> '{"source": {"everyone": true}}'
    and coalesce(job.body #>> '{source,teamExpression}', '') = ''
    and coalesce(job.body #> '{source,members}', '[]') = '[]'
    and not job.body @> jsonb_build_object('source', jsonb_build_object('teams', jsonb_build_array(jsonb_build_object('id', resource.graph_id))))
    and not job.body @> jsonb_build_object('source', jsonb_build_object('groups', jsonb_build_array(jsonb_build_object('id', resource.graph_id))))
from jobs job
cross join lateral (
  select run.run_id from runs run
  where run.organisation_id = job.organisation_id and run.realm = job.realm and run.job_id = job.job_id
    and exists (
      select from run_accounts any_account
      where any_account.organisation_id = run.organisation_id and any_account.realm = run.realm and any_account.run_id = run.run_id)
  order by run.queued_at desc limit 1) newest
join run_accounts account on account.organisation_id = job.organisation_id and account.realm = job.realm and account.run_id = newest.run_id
join resources resource
  on resource.organisation_id = job.organisation_id and resource.realm = job.realm and resource.resource_id = account.resource_id
where job.type in ('backup', 'archive');
alter table resources force row level security;
alter table run_accounts force row level security;
alter table runs force row level security;
alter table jobs force row level security;
call holdfast.isolate('job_resources');
