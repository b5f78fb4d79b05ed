-- The report of a month is made by a run like any other: it is seen, taken up again and told of when it fails.

-- Two runs of a tenant would make, mail and store the same report.
create unique index runs_open_monthly_report on runs (organisation_id, realm, tenant_id) where type = 'monthlyReport' and ended_at is null;
