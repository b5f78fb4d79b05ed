import type { OrganisationColumns, Timestamp } from './columns.ts';

interface NoticesTable extends OrganisationColumns {
  kind: 'run' | 'day' | 'audit' | 'content';
  subject: string;
  noticed_at: Timestamp;
}

/** What has been told by mail. */
export interface NoticeTables {
  notices: NoticesTable;
}
