import type { GraphClient } from '@holdfast/m365';
import type { EnumerateContext, Workload } from '../../pipeline/workload.ts';
import type { Step } from '../../pipeline/step.ts';
import { putAreas, type Area } from './areas.ts';
import { enumerateCalendars } from './calendars.ts';
import { enumerateContacts } from './contacts.ts';
import { enumerateMail } from './mail.ts';
import { enumerateSettings } from './settings.ts';
import { enumerateTasks } from './tasks.ts';

async function* enumerate(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const { calendars = true, contacts = true, tasks = true, recoverableItems = false } = context.selection.mailbox ?? {};
  const areas: Area[] = ['mail'];
  if (recoverableItems) areas.push('recoverable');
  if (calendars) areas.push('calendars');
  if (contacts) areas.push('contacts');
  if (tasks) areas.push('tasks');
  areas.push('settings');
  yield* putAreas(context, areas);
  yield* enumerateMail(context, graph);
  if (calendars) yield* enumerateCalendars(context, graph);
  if (contacts) yield* enumerateContacts(context, graph);
  if (tasks) yield* enumerateTasks(context, graph);
  yield* enumerateSettings(context, graph);
}

/** Mailboxes: mail, calendars, contacts, To Do, settings. */
export function createMailboxWorkload(graph: GraphClient): Workload {
  return {
    roles: ['Mail.Read', 'MailboxSettings.Read', 'Calendars.Read', 'Contacts.Read', 'Tasks.Read.All'],
    enumerate: (context) => enumerate(context, graph),
  };
}
