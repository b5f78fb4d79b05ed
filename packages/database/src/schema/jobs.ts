import type { ColumnType, Generated, Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

type NullableJson = ColumnType<object | null, string | null | undefined, string | null>;
export type RunStatusColumn = 'pending' | 'running' | 'cancelling' | 'successful' | 'defective' | 'failed' | 'cancelled' | 'skipped';
type WorkloadColumn = 'exchange' | 'onedrive' | 'sharepoint' | 'teams';

export interface JobsTable extends OrganisationColumns {
  job_id: string;
  tenant_id: string;
  name: string;
  type: string;
  workload: WorkloadColumn | null;
  location_id: string | null;
  body: Json<object>;
  schedule: Json<object>;
  next_run_at: NullableTimestamp;
  creator: string;
  created_by: string | null;
  /** Whoever saved the job last: what its schedule starts uses their rights. */
  saved_by: string | null;
  created_at: Timestamp;
  anchored_at: Timestamp;
  version: Generated<number>;
  approval: Generated<'notNeeded' | 'waiting' | 'approved' | 'refused'>;
}
export interface RunsTable extends OrganisationColumns {
  run_id: string;
  tenant_id: string;
  number: number;
  job_id: string | null;
  job_name: string;
  type: string;
  workload: WorkloadColumn | null;
  location_id: string | null;
  body: Json<object>;
  status: RunStatusColumn;
  trigger: 'schedule' | 'manual' | 'creation' | 'catchUp';
  started_by: string | null;
  /** Whose rights the run uses to open content. */
  on_behalf_of: ColumnType<string | null, string | null | undefined, string | null>;
  stage: Generated<string>;
  progress: Generated<number>;
  processed: Generated<number>;
  total: number | null;
  bytes: Generated<number>;
  items_per_second: Generated<number>;
  bytes_per_second: Generated<number>;
  errors: Generated<number>;
  excluded: Generated<number>;
  accounts: Generated<number>;
  added: Generated<number>;
  changed: Generated<number>;
  removed: Generated<number>;
  unchanged: Generated<number>;
  gone: Generated<number>;
  new_bytes: Generated<number>;
  stored_bytes: Generated<number>;
  queued_at: Timestamp;
  started_at: NullableTimestamp;
  ended_at: NullableTimestamp;
  due_at: NullableTimestamp;
  code: string | null;
  worker: string | null;
  fence: Generated<number>;
  cancel_requested_at: NullableTimestamp;
  stages: ColumnType<{ stage: string; startedAt: string; endedAt: string | null }[], string | undefined, string>;
  result: NullableJson;
  /** What a run waits for that is away. */
  waiting: ColumnType<{ code: string; since: string } | null, string | null | undefined, string | null>;
  /** For how many milliseconds it waited for what. */
  waited: ColumnType<{ microsoft: number; storage: number; database: number }, string | undefined, string>;
}
export interface RunAccountsTable extends OrganisationColumns {
  run_id: string;
  resource_id: string;
  status: 'pending' | 'running' | 'successful' | 'defective' | 'failed' | 'excluded' | 'cancelled';
  stage: Generated<string>;
  processed: Generated<number>;
  total: number | null;
  items: Generated<number>;
  bytes: Generated<number>;
  errors: Generated<number>;
  code: string | null;
  sequence: number | null;
  started_at: NullableTimestamp;
  ended_at: NullableTimestamp;
}
interface RunProblemsTable extends OrganisationColumns {
  run_id: string;
  problem_key: string;
  resource_id: string | null;
  /** Of what has no resource. */
  name: string | null;
  item_key: string | null;
  kind: string | null;
  path: string;
  outcome: 'recorded' | 'excluded' | 'gone';
  code: string;
  tried: Generated<string[]>;
  advice: string;
  request_id: string | null;
}
interface RunLinesTable extends OrganisationColumns {
  run_id: string;
  part: Generated<string>;
  line_number: number;
  item_key: string;
  kind: string;
  path: string;
  outcome: 'restored' | 'skipped' | 'renamed' | 'replaced' | 'removed' | 'putBack' | 'failed' | 'notPossible';
  code: string | null;
  target_id: string | null;
  differences: Generated<string[]>;
}
interface RestoredThingsTable extends OrganisationColumns {
  run_id: string;
  part: string;
  item_key: string;
  /** In the order in which they were written. */
  thing_number: number;
  kind: string;
  name: string;
  is_container: boolean;
  home_kind: string;
  home_graph_id: string;
  home_name: string;
  target_id: string;
  place: string;
  mark: string;
  replaced_id: string | null;
  replaced_mark: string | null;
}
interface RunBeginningsTable extends OrganisationColumns {
  run_id: string;
  part: Generated<string>;
  item_key: string;
  there: Generated<string[]>;
  upload: Generated<Buffer | null>;
}
interface RunDecisionsTable extends OrganisationColumns {
  run_id: string;
  name: string;
  value: Json<object>;
}
interface JobOccurrencesTable extends OrganisationColumns {
  job_id: string;
  occurrence: string;
  due_at: Timestamp;
  outcome: 'run' | 'skipped' | 'missed';
  run_id: string | null;
}
interface JobResourcesTable extends OrganisationColumns {
  job_id: string;
  resource_id: string;
  in_part: boolean;
}

interface ResourceLeasesTable extends OrganisationColumns {
  location_id: string;
  resource_id: string;
  fence: number;
  holder: string | null;
  run_id: string | null;
  expires_at: NullableTimestamp;
}

interface VaultVerificationsTable extends OrganisationColumns {
  location_id: string;
  progress: ColumnType<object, string, string>;
  evidence: Generated<string | null>;
}

interface ContentTicketsTable extends OrganisationColumns {
  ticket_hash: Buffer;
  tenant_id: string;
  location_id: string;
  resource_id: string;
  sequence: number;
  item_key: string;
  session_id: string;
  expires_at: Timestamp;
  used_at: NullableTimestamp;
}

/** Jobs, runs and who may commit. */
export interface JobFeatureTables {
  jobs: JobsTable;
  runs: RunsTable;
  run_accounts: RunAccountsTable;
  run_problems: RunProblemsTable;
  run_lines: RunLinesTable;
  run_beginnings: RunBeginningsTable;
  restored_things: RestoredThingsTable;
  run_decisions: RunDecisionsTable;
  job_occurrences: JobOccurrencesTable;
  job_resources: JobResourcesTable;
  resource_leases: ResourceLeasesTable;
  vault_verifications: VaultVerificationsTable;
  content_tickets: ContentTicketsTable;
}
