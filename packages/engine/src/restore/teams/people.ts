import type { GraphClient } from '@holdfast/m365';

/** People a message can be imported for. */
export interface People {
  isKnownUser(id: string): boolean;
  /** What somebody of the directory is called. */
  nameOf(id: string): string | undefined;
  /** Stands in for an author who left. */
  readonly stand: { readonly id: string; readonly displayName: string };
}

/** Who is in the directory now; messages of others are imported for a stand-in and name their author in the text. */
export async function readPeople(graph: GraphClient): Promise<People> {
  const names = new Map<string, string>();
  let stand: People['stand'] | undefined;
  for await (const user of graph.directory.users()) {
    names.set(user.id, user.displayName ?? '');
    if (user.accountEnabled !== false && user.userType !== 'Guest') stand ??= { id: user.id, displayName: user.displayName ?? '' };
  }
  return { isKnownUser: (id) => names.has(id), nameOf: (id) => names.get(id), stand: stand ?? { id: '', displayName: '' } };
}
