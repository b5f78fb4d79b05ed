import { itemsAt } from '../state/item-list.ts';
import { ownedId } from '../state/owned-ids.ts';
import type { TruthProvider } from '../state/truth.ts';
import type { Workload } from '../state/workload.ts';
import { todoRoutes } from './todo-routes.ts';
import { fileEntity, todoState } from './todo-state.ts';

const todoTruth: TruthProvider = {
  kind: 'todo',
  owners: (tenant) =>
    tenant.directory
      .users()
      .filter((person) => person.hasMailbox)
      .map((person) => person.id),
  changeCount(tenant, owner) {
    const person = tenant.directory.user(owner);
    return person ? todoState(tenant, person).tasks.journal.length : 0;
  },
  *records(tenant, owner, at) {
    const person = tenant.directory.user(owner);
    if (!person) return;
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
};

/** Task lists. */
export const todoWorkload: Workload = { name: 'todo', routes: todoRoutes, truth: [todoTruth], activities: [] };
