import type { Generated, Json, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface ApprovalsTable extends OrganisationColumns {
  approval_id: string;
  tenant_id: string;
  kind:
    | 'deletionJob'
    | 'shorterRetention'
    | 'holdRelease'
    | 'strictAccess'
    | 'openAccess'
    | 'exemptionEnd'
    | 'retentionPolicy'
    | 'retentionEnd'
    | 'messageDeletion'
    | 'privateAccess';
  subject_id: string;
  subject_name: string;
  details: Json<object>;
  status: Generated<'waiting' | 'delayed' | 'approved' | 'refused' | 'withdrawn' | 'superseded' | 'expired'>;
  requested_by: string;
  requester: string;
  requested_at: Timestamp;
  effective_at: NullableTimestamp;
  decider: string | null;
  decided_at: NullableTimestamp;
  mode: 'secondPerson' | 'delay' | null;
  decision_reason: Generated<string | null>;
}

/** What waits for a second person. */
export interface ApprovalTables {
  approvals: ApprovalsTable;
}
