import type { Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface ProcedureVersionsTable extends OrganisationColumns {
  tenant_id: string;
  number: number;
  made_at: Timestamp;
  maker: string;
  content: Json<object>;
  hash: string;
  reminded_at: NullableTimestamp;
}
interface ProcedureSectionsTable extends OrganisationColumns {
  tenant_id: string;
  sections: Json<object>;
}

/** The procedure documentation, in versions. */
export interface ProcedureTables {
  procedure_versions: ProcedureVersionsTable;
  procedure_sections: ProcedureSectionsTable;
}
