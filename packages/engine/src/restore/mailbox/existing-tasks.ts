import { canonicalJson } from '../../shared/canonical.ts';
import type { ItemVersion } from '../../ports/item.ts';
import type { RestoreContext } from '../restorer.ts';
import { addTo, createTwins } from '../twins.ts';
import { oncePerKey } from '../../pipeline/once-per-key.ts';

/** A task that is there already. */
interface Existing {
  readonly id: string;
  readonly modifiedAt: string | null | undefined;
}

/** The tasks of a list: by id, by title and time of making, and by what they say. */
interface ListedTasks {
  readonly known: ReadonlyMap<string, Existing>;
  readonly madeAt: ReadonlyMap<string, readonly Existing[]>;
  readonly alike: ReadonlyMap<string, readonly Existing[]>;
}

interface TaskFacts {
  readonly title?: string | null;
  readonly body?: { readonly content?: string | null } | null;
  readonly dueDateTime?: { readonly dateTime?: string | null } | null;
}

/** What a task says, whatever has become of it since: title, text and day. */
function contentOf({ title, body, dueDateTime }: TaskFacts): string {
  const text = (body?.content ?? '').replaceAll(/\s+/gu, ' ').trim();
  return canonicalJson([title ?? '', text, dueDateTime?.dateTime?.slice(0, 10) ?? '']);
}

/** Tasks that are at the target already; each list is read once. */
export function createExistingTasks(context: RestoreContext) {
  const { todo } = context.graph.exchange;
  const userId = context.request.target.resource.graphId;
  const lists = oncePerKey(read);
  const twins = createTwins(context);

  async function read(listId: string): Promise<ListedTasks> {
    const known = new Map<string, Existing>();
    const madeAt = new Map<string, Existing[]>();
    const alike = new Map<string, Existing[]>();
    for await (const task of todo.tasks({ userId, listId })) {
      const entry = { id: task.id, modifiedAt: task.lastModifiedDateTime };
      known.set(task.id, entry);
      addTo(madeAt, `${task.title ?? ''}|${task.createdDateTime ?? ''}`, entry);
      addTo(alike, contentOf(task), entry);
    }
    return { known, madeAt, alike };
  }

  return {
    /** The tasks of a list that say the same as this one. */
    like: async (listId: string, stored: TaskFacts): Promise<readonly Existing[]> =>
      (await lists.of(listId)).alike.get(contentOf(stored)) ?? [],
    /** The task that is this one; `there` are those that say the same. */
    async find(listId: string, item: ItemVersion, there: readonly Existing[]): Promise<Existing | undefined> {
      const { known, madeAt } = await lists.of(listId);
      const own = known.get(item.key) ?? (await twins.find(madeAt.get(`${item.name}|${item.createdAt ?? ''}`)));
      return own ?? twins.find(there);
    },
  };
}
