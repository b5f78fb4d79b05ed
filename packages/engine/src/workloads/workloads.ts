import type { GraphClient } from '@holdfast/m365';
import type { Workload } from '../pipeline/workload.ts';
import type { ResourceKind } from '../ports/item.ts';
import { createMailboxWorkload } from './exchange/mailbox.ts';

/** The workload of each kind of resource. */
export function createWorkloads(graph: GraphClient): Readonly<Partial<Record<ResourceKind, Workload>>> {
  return { mailbox: createMailboxWorkload(graph) };
}
