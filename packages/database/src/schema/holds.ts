import type { NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface HoldsTable extends OrganisationColumns {
  hold_id: string;
  tenant_id: string;
  resource_id: string | null;
  /** The case that it was placed in. */
  case_id: string | null;
  name: string;
  reason: string;
  from_at: NullableTimestamp;
  to_at: NullableTimestamp;
  placed_by: string;
  placer: string;
  placed_at: Timestamp;
  release_reason: string | null;
  release_asked_at: NullableTimestamp;
  released_at: NullableTimestamp;
}

/** Legal holds. */
export interface HoldTables {
  holds: HoldsTable;
}
