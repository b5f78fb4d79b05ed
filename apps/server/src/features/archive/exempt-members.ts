import type { GraphClient } from '@holdfast/m365';

/** Members of those of the exempt that are groups; people among them are known by their own id. */
export async function membersOfExempt(graph: GraphClient, exempt: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const members = new Set<string>();
  if (exempt.size === 0) return members;
  for await (const { id } of graph.directory.groups()) {
    if (typeof id !== 'string' || !exempt.has(id)) continue;
    for await (const member of graph.directory.groupMembers({ groupId: id })) if (typeof member.id === 'string') members.add(member.id);
  }
  return members;
}
