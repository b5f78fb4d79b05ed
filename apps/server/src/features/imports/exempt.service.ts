import type { Database, Scope } from '@holdfast/database';
import { exemptFromArchives, membersOfExempt } from '../archive/index.ts';
import type { TenantGraph } from '../backup/index.ts';
import { knownMailboxes } from './mailboxes.store.ts';

export interface ExemptParts {
  readonly database: Database;
  readonly graph: TenantGraph;
}

/**
 * Which of these people archive jobs exempt now, by name or as members of a group. Microsoft 365 is asked only where that
 * depends on a group, and a fault there ends the import: as long as it cannot be told who is exempt, nobody gets anything.
 */
export async function exemptAmong(
  { database, graph }: ExemptParts,
  scope: Scope,
  tenantId: string,
  people: readonly string[],
): Promise<ReadonlySet<string>> {
  const { exempt, known } = await database.within(scope, async (tx) => {
    const named = await exemptFromArchives(tx, tenantId);
    return { exempt: named, known: await knownMailboxes(tx, tenantId, [...named]) };
  });
  // A reference does not say what it is of; whoever has a mailbox is no group.
  const groups = new Set([...exempt].filter((id) => !known.has(id)));
  const isSettled = groups.size === 0 || people.every((id) => exempt.has(id));
  const members = isSettled ? new Set<string>() : await graph.use(scope, tenantId, (client) => membersOfExempt(client, groups));
  return new Set(people.filter((id) => exempt.has(id) || members.has(id)));
}
