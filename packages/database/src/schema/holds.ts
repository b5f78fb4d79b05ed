import type { Generated, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface HoldsTable extends OrganisationColumns {
  hold_id: string;
  tenant_id: string;
  resource_id: string | null;
  /** The case that it was placed in. */
  case_id: string | null;
  /** The saved search that says what is on hold, while it exists. */
  search_id: string | null;
  /** Its name and query as they were when the hold was placed; only a hold by search has them. */
  search_name: string | null;
  search_query: string | null;
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

/** What a hold by search has found so far. */
interface HoldHitsTable extends OrganisationColumns {
  hold_id: string;
  source_id: string;
  item_key: string;
}

/** What the custodians of a hold were told by mail. */
interface HoldNoticesTable extends OrganisationColumns {
  notice_id: string;
  hold_id: string;
  subject: string;
  message: string;
  language: 'en' | 'de';
  /** Whoever has not acknowledged is reminded after so many days; null: never. */
  remind_days: number | null;
  sent_by: string;
  sender: string;
  created_at: Timestamp;
}

interface HoldNoticeRecipientsTable extends OrganisationColumns {
  recipient_id: string;
  notice_id: string;
  name: string;
  address: string;
  reminders: Generated<number>;
  remind_at: NullableTimestamp;
  acknowledged_at: NullableTimestamp;
}

/** The mails of a notice, each with a link of its own. */
interface HoldNoticeMailsTable extends OrganisationColumns {
  mail_id: string;
  recipient_id: string;
  code_hash: Buffer;
  expires_at: Timestamp;
  is_mailed: boolean;
  queued_at: Timestamp;
}

/** Legal holds. */
export interface HoldTables {
  holds: HoldsTable;
  hold_items: HoldItemsTable;
  hold_hits: HoldHitsTable;
  hold_notices: HoldNoticesTable;
  hold_notice_recipients: HoldNoticeRecipientsTable;
  hold_notice_mails: HoldNoticeMailsTable;
}
