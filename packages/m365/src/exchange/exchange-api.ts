import type { CalendarCalls, ContactCalls, TodoCalls } from './calendar-api.ts';
import type { MailboxExportCalls, MailboxSettingsCalls, MailCalls } from './mail-api.ts';

/** Everything of a mailbox. Ids are immutable ones: they survive moves inside the mailbox. */
export interface ExchangeCalls {
  readonly mail: MailCalls;
  readonly settings: MailboxSettingsCalls;
  readonly export: MailboxExportCalls;
  readonly calendar: CalendarCalls;
  readonly contacts: ContactCalls;
  readonly todo: TodoCalls;
}
