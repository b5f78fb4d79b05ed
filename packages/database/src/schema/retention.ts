import type { ColumnType, Generated, Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

type EventKind = 'leftCompany' | 'contractEnded' | 'caseClosed';

interface RetentionPoliciesTable extends OrganisationColumns {
  policy_id: string;
  tenant_id: string;
  name: string;
  anchor: 'archived' | 'received' | 'event';
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
  recorded_by: string;
  recorder: string;
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

/** How long messages of the archive, and files, are kept at least, and messages at most. */
export interface RetentionTables {
  retention_policies: RetentionPoliciesTable;
  retention_policy_mailboxes: RetentionPolicyMailboxesTable;
  retention_policy_places: RetentionPolicyPlacesTable;
  retention_events: RetentionEventsTable;
  retention_event_items: RetentionEventItemsTable;
  disposition_items: DispositionItemsTable;
  disposition_decisions: DispositionDecisionsTable;
}
