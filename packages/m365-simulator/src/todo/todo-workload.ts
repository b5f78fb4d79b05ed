import { mailboxTruth } from '../mail/mailbox-truth.ts';
import { itemsAt } from '../state/item-list.ts';
import { ownedId } from '../state/owned-ids.ts';
import type { Workload } from '../state/workload.ts';
import { todoRoutes } from './todo-routes.ts';
import { fileEntity, todoState } from './todo-state.ts';

const todoTruth = mailboxTruth({
  kind: 'todo',
  changeCount: (tenant, person) => todoState(tenant, person).tasks.journal.length,
  *records(tenant, person, at) {
    const state = todoState(tenant, person);
    for (const record of itemsAt(state.tasks, at)) {
      yield {
        path: state.lists.items.get(record.list)?.displayName ?? '',
        id: ownedId(person.id, 'task', { number: record.number, part: 0 }, false),
        kind: 'task',
        metadata: {
          ...record.task,
          version: record.version,
          checklistItems: record.checklistItems.map((part) => part.entity),
          linkedResources: record.linkedResources.map((part) => part.entity),
          attachments: record.attachments.map((file) => fileEntity(tenant.received, file)),
        },
      };
    }
  },
});

/** Task lists. */
export const todoWorkload: Workload = { name: 'todo', routes: todoRoutes, truth: [todoTruth], activities: [] };
