import type { Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface PeriodReportsTable extends OrganisationColumns {
  report_id: string;
  tenant_id: string;
  number: number;
  kind: 'monthly' | 'onDemand';
  from_at: Timestamp;
  to_at: Timestamp;
  made_at: Timestamp;
  maker: string | null;
  language: 'en' | 'de';
  figures: Json<object>;
  document_id: string | null;
  mailed_at: NullableTimestamp;
}
interface PeriodReportAccountsTable extends OrganisationColumns {
  report_id: string;
  resource_id: string;
  name: string;
  address: string;
  kind: string;
  status: string;
  processed: number;
  items: number;
  bytes: number;
  errors: number;
  code: string | null;
  started_at: NullableTimestamp;
  ended_at: NullableTimestamp;
}

/** Reports of periods, as they were when they were made. */
export interface PeriodReportTables {
  period_reports: PeriodReportsTable;
  period_report_accounts: PeriodReportAccountsTable;
}
