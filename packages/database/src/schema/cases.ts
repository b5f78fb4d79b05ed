import type { NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface CasesTable extends OrganisationColumns {
  case_id: string;
  tenant_id: string;
  matter: string;
  reference: string;
  from_at: NullableTimestamp;
  to_at: NullableTimestamp;
  created_by: string;
  creator: string;
  created_at: Timestamp;
  closed_at: NullableTimestamp;
}
interface CaseMembersTable extends OrganisationColumns {
  case_id: string;
  account_id: string;
  /** Nobody makes themselves a member whom a case opens content to. */
  added_by: string | null;
  added_at: Timestamp;
}
interface CaseCustodiansTable extends OrganisationColumns {
  case_id: string;
  custodian_id: string;
  person_key: string;
  name: string;
  address: string;
  added_at: Timestamp;
}
interface CaseQueriesTable extends OrganisationColumns {
  case_id: string;
  query_id: string;
  name: string;
  query: string;
  creator: string;
  created_at: Timestamp;
  hits: number | null;
  bytes: number | null;
  counted_at: NullableTimestamp;
}

interface CaseFilesTable extends OrganisationColumns {
  case_id: string;
  file_id: string;
  resource_id: string;
  item_key: string;
  name: string;
  is_container: boolean;
  note: string;
  adder: string;
  added_at: Timestamp;
}

/** eDiscovery cases. */
export interface CaseTables {
  cases: CasesTable;
  case_members: CaseMembersTable;
  case_custodians: CaseCustodiansTable;
  case_queries: CaseQueriesTable;
  case_files: CaseFilesTable;
}
