import type { compliance } from '@holdfast/contract/compliance';
import type { BodyOf } from '@holdfast/contract/route';
import type { Scope, Tx } from '@holdfast/database';
import { organisationPhrases, queueUnplanned, type RunsStore } from '../../runs/index.ts';

export type CleanUpRule = BodyOf<(typeof compliance)['planCleanUp']>;

export interface CleanUpOrder {
  readonly tenantId: string;
  readonly rule: CleanUpRule;
  readonly startedBy: string;
}

/** Queues the run that reads back what a rule would delete. */
export async function startCleanUp(
  runs: Pick<RunsStore, 'enqueue'>,
  tx: Tx,
  scope: Scope,
  { tenantId, rule, startedBy }: CleanUpOrder,
): Promise<string> {
  const name = (await organisationPhrases(tx)).jobs.typeCleanUp;
  const body = { type: 'cleanUp', name, schedule: { mode: 'disabled' }, ...rule } as const;
  return queueUnplanned(runs, tx, scope, tenantId, body, { trigger: 'manual', startedBy });
}
