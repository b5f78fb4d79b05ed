import type { Scope } from '@holdfast/database';
import type { Problem } from '@holdfast/engine';
import type { VerifyReport } from '@holdfast/vault';
import type { RunAccountsStore } from '../../runs/index.ts';
import type { VaultMemoryStore } from './vault-memory.store.ts';
import { codeOf } from './verify-findings.ts';

export interface VerifyProblemsParts {
  readonly accounts: Pick<RunAccountsStore, 'addProblems' | 'addObjects'>;
  readonly memory: Pick<VaultMemoryStore, 'pointTimes' | 'itemsOf'>;
}

/** What is being told of, and where. */
interface Place {
  readonly scope: Scope;
  readonly runId: string;
  readonly locationId: string;
  /** Resources that the database knows: of others there is no account to show. */
  readonly known: ReadonlySet<string>;
}

type Damage = VerifyReport['damages'][number];

/** What a run and its evidence name one by one, for whoever takes the list away; beyond that they count. */
export const MOST_NAMED = 100_000;

type Line = Pick<Problem, 'resourceId' | 'itemKey' | 'path' | 'code' | 'tried'>;

function problemOf(runId: string, line: Line): Problem {
  return { ...line, runId, kind: null, outcome: 'recorded', advice: 'repairVault' };
}

/** Names what a verification found among the problems of its run: objects, restore points by their time, and items. */
export async function nameFound(
  { accounts, memory }: VerifyProblemsParts,
  { scope, runId, locationId, known }: Place,
  report: VerifyReport,
): Promise<{ readonly itemsOfLostCommits: number }> {
  const lines: Line[] = [];
  let itemsOfLostCommits = 0;
  const isFull = (): boolean => lines.length >= MOST_NAMED;

  async function addPoints(damage: Damage): Promise<void> {
    const { resourceId = '', lostPoints, lostCommits = [] } = damage;
    const sequences = lostPoints?.sequences ?? [];
    const times = await memory.pointTimes(scope, { locationId, resourceId, sequences });
    for (const sequence of sequences) {
      if (isFull()) break;
      lines.push({ resourceId, itemKey: null, path: times.get(sequence) ?? `#${sequence}`, code: codeOf(damage), tried: [] });
    }
    const { total, items } = await memory.itemsOf(scope, { locationId, resourceId, sequences: lostCommits }, MOST_NAMED - lines.length);
    itemsOfLostCommits += total;
    for (const { key, name } of items) lines.push({ resourceId, itemKey: key, path: name, code: 'vault.commit-lost', tried: [] });
  }

  const objects: { readonly name: string; readonly code: string }[] = [];
  for (const damage of report.damages.slice(0, MOST_NAMED)) {
    const { resourceId, name, title } = damage;
    const isKnown = resourceId !== undefined && known.has(resourceId);
    if (!isKnown) objects.push({ name: title ?? name, code: codeOf(damage) });
    else if (damage.object === 'points') await addPoints(damage);
    else if (!isFull()) lines.push({ resourceId, itemKey: null, path: name, code: codeOf(damage), tried: [] });
  }
  for (const { resourceId, itemId, name, roles } of report.affectedItems) {
    if (isFull()) break;
    if (known.has(resourceId)) lines.push({ resourceId, itemKey: itemId, path: name, code: 'vault.damaged', tried: [...roles] });
  }
  await accounts.addObjects(scope, runId, objects);
  await accounts.addProblems(
    scope,
    runId,
    lines.map((line) => problemOf(runId, line)),
  );
  return { itemsOfLostCommits };
}
