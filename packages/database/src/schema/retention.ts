import type { ColumnType, Generated, Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

type EventKind = 'leftCompany' | 'contractEnded' | 'caseClosed';

/** An attribute of the directory with the values that fit. */
export interface AttributeRule {
  readonly attribute: string;
  readonly values: readonly string[];
}

/** A sensitivity label by its GUID, and what it was called when it was chosen. */
export interface PolicyLabel {
  readonly labelId: string;
  readonly name: string;
}

interface RetentionPoliciesTable extends OrganisationColumns {
  policy_id: string;
  tenant_id: string;
  name: string;
  anchor: 'archived' | 'received' | 'event' | 'labelled';
  event_kind: EventKind | null;
  /** The minimum; null for a policy that has a maximum alone. */
  amount: number | null;
  unit: 'days' | 'months' | 'years' | null;
  maximum_amount: number | null;
  maximum_unit: 'days' | 'months' | 'years' | null;
  starts: 'day' | 'calendarYear' | 'fiscalYear';
  fiscal_year_end: number;
  /** Messages of the archive, or files of sites and drives. */
  about: Generated<'messages' | 'files'>;
  is_everything: boolean;
  /** Rules about the directory; none for a scope of another kind. */
  attributes: ColumnType<readonly AttributeRule[], string | undefined, string>;
  /** The saved search whose hits it is on, and the version of its query that was counted; null for a scope of another kind. */
  search_id: string | null;
  search_name: string | null;
  search_query: string | null;
  search_version: number | null;
  /** The sensitivity labels that it is on; none for a scope of another kind. */
  labels: ColumnType<readonly PolicyLabel[], string | undefined, string>;
  replaces: string | null;
  created_by: string;
  creator: string;
  created_at: Timestamp;
  previewed_at: NullableTimestamp;
  /** The person who asked for that preview. */
  previewer: string | null;
  preview: Json<object> | null;
  asked_at: NullableTimestamp;
  activated_at: NullableTimestamp;
  asked_by: string | null;
  asker: string | null;
  approver: string | null;
  /** When what is past its maximum is looked for next. */
  look_at: NullableTimestamp;
  stopped_at: NullableTimestamp;
  /** Who has stopped its deletions. */
  stopper: string | null;
  /** For each stage of its disposition review the accounts, one of whom decides. */
  stages: ColumnType<readonly (readonly string[])[], string | undefined, string>;
  /** When reviewers are told next of what waits for them. */
  remind_at: NullableTimestamp;
  end_asked_at: NullableTimestamp;
  end_reason: string | null;
  ended_at: NullableTimestamp;
}

/** The mailboxes in the scope of a policy; none for one of everything. */
interface RetentionPolicyMailboxesTable extends OrganisationColumns {
  policy_id: string;
  resource_id: string;
}

/** The sites and drives, files and folders in the scope of a policy on files. */
interface RetentionPolicyPlacesTable extends OrganisationColumns {
  policy_id: string;
  resource_id: string;
  /** Empty for the whole site or drive. */
  item_key: string;
  name: string;
  is_container: boolean;
}

interface RetentionEventsTable extends OrganisationColumns {
  event_id: string;
  tenant_id: string;
  kind: EventKind;
  resource_id: string;
  description: string;
  /** A day: `2026-05-03`. Read it as text. */
  happened_on: ColumnType<never, string, never>;
  /** Null for what the directory has told. */
  recorded_by: string | null;
  recorder: string | null;
  recorded_at: Timestamp;
}

/** The files and folders that an event is about; none for everything of its resource. */
interface RetentionEventItemsTable extends OrganisationColumns {
  event_id: string;
  item_key: string;
  name: string;
  is_container: boolean;
}

/** A message that is past the maximum of a policy, and how far its review has come. */
interface DispositionItemsTable extends OrganisationColumns {
  policy_id: string;
  resource_id: string;
  message_id: string;
  round: Generated<number>;
  stage: number;
  state: 'open' | 'kept' | 'moved' | 'deleting';
  since: Timestamp;
  /** A day: `2031-12-31`. Read it as text. */
  keep_until: ColumnType<never, string | null, string | null>;
  moved_to: string | null;
}

/** What a reviewer said about a message at one stage. */
interface DispositionDecisionsTable extends OrganisationColumns {
  policy_id: string;
  resource_id: string;
  message_id: string;
  round: number;
  stage: number;
  decision: 'delete' | 'keep' | 'move';
  /** A day: `2031-12-31`. Read it as text. */
  keep_until: ColumnType<never, string | null, never>;
  moved_to: string | null;
  reason: string;
  decided_by: string;
  decider: string;
  decided_at: Timestamp;
}

/** Archives that a policy by attributes has ever been on. */
interface RetentionPolicyPeopleTable extends OrganisationColumns {
  policy_id: string;
  resource_id: string;
  since: Timestamp;
}

/** Items that the search of a policy has ever found while the policy was in force. */
interface RetentionPolicyHitsTable extends OrganisationColumns {
  policy_id: string;
  source_id: string;
  item_key: string;
}

/** When the directory of a tenant was read. */
interface DirectoryReadsTable extends OrganisationColumns {
  tenant_id: string;
  asked_at: NullableTimestamp;
  tried_at: NullableTimestamp;
  read_at: NullableTimestamp;
  code: string | null;
}

/** Somebody as the directory of a tenant has, or had, them. */
interface DirectoryPeopleTable extends OrganisationColumns {
  tenant_id: string;
  graph_id: string;
  address: string;
  attributes: Json<Readonly<Record<string, string>>> | null;
  is_enabled: boolean;
  seen_at: NullableTimestamp;
  enabled_at: NullableTimestamp;
  disabled_at: NullableTimestamp;
  missing_at: NullableTimestamp;
  deleted_at: NullableTimestamp;
  settled_at: NullableTimestamp;
}

/** How long messages of the archive, and files, are kept at least, and messages at most. */
export interface RetentionTables {
  retention_policies: RetentionPoliciesTable;
  retention_policy_mailboxes: RetentionPolicyMailboxesTable;
  retention_policy_places: RetentionPolicyPlacesTable;
  retention_policy_people: RetentionPolicyPeopleTable;
  retention_policy_hits: RetentionPolicyHitsTable;
  directory_reads: DirectoryReadsTable;
  directory_people: DirectoryPeopleTable;
  retention_events: RetentionEventsTable;
  retention_event_items: RetentionEventItemsTable;
  disposition_items: DispositionItemsTable;
  disposition_decisions: DispositionDecisionsTable;
}
