-- Since when a tenant is deprovisioned. Until it is provisioned again its credential is not used and its jobs do not run.

alter table tenants add column deprovisioned_at timestamptz;
update tenants set deprovisioned_at = now()
where status in ('connected', 'deprovisioning') and exists (
  select from tenant_tasks task
  where task.organisation_id = tenants.organisation_id and task.realm = tenants.realm and task.tenant_id = tenants.tenant_id
    and task.kind = 'deprovision' and task.status <> 'failed');
update jobs set next_run_at = null
from tenants
where tenants.organisation_id = jobs.organisation_id and tenants.realm = jobs.realm and tenants.tenant_id = jobs.tenant_id
  and tenants.deprovisioned_at is not null;
