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

/** The files and folders that a hold names; a hold without any is on everything of its resource. */
interface HoldItemsTable extends OrganisationColumns {
  hold_id: string;
  item_key: string;
  name: string;
  is_container: boolean;
}

/** Legal holds. */
export interface HoldTables {
  holds: HoldsTable;
  hold_items: HoldItemsTable;
}
