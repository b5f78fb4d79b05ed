import type { Rig } from './rig.ts';

/** Takes everything out of a mailbox: what a restore has to bring back. */
export async function wipeMailbox(rig: Rig, userId: string): Promise<void> {
  const { calendar, contacts, todo } = rig.graph.exchange;
  for await (const { id: calendarId } of calendar.calendars({ userId })) {
    for await (const { id } of calendar.events({ userId, calendarId })) rig.act('calendar.delete', { user: userId, id });
  }
  for (const { id: contactId } of await rig.truth('contacts', userId)) await contacts.deleteContact({ userId, contactId });
  for await (const { id: listId } of todo.lists({ userId })) {
    for await (const { id: taskId } of todo.tasks({ userId, listId })) await todo.deleteTask({ userId, listId, taskId });
  }
  for (const { id, kind } of await rig.truth('mail', userId)) if (kind === 'message') rig.act('mail.purge', { user: userId, id });
}
