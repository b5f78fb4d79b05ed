import { mailboxTruth } from '../mail/mailbox-truth.ts';
import { notFound } from '../http/failure.ts';
import { textOf } from '../values/json.ts';
import { itemsAt, putItem } from '../state/item-list.ts';
import { ownedId, readOwnedId } from '../http/owned-ids.ts';
import type { Workload } from '../http/workload.ts';
import { taskSessionRoutes } from './attachment-sessions.ts';
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
export const todoWorkload: Workload = {
  name: 'todo',
  routes: [...todoRoutes, ...taskSessionRoutes],
  truth: [todoTruth],
  activities: [
    {
      name: 'todo.rename',
      run(tenant, input) {
        const owner = tenant.directory.user(textOf(input['user']));
        const state = owner && todoState(tenant, owner);
        const found = owner && readOwnedId(owner.id, 'task', textOf(input['id']));
        const task = found && state?.tasks.items.get(found.number);
        if (!state || !task) throw notFound('outlook', `There is no task ${textOf(input['id'])}.`);
        putItem(state.tasks, tenant.clock.nowMs(), { ...task, task: { ...task.task, title: textOf(input['title']) } });
        return { id: textOf(input['id']) };
      },
    },
  ],
};
