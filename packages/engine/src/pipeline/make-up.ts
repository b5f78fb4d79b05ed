import type { Logger } from '@holdfast/foundation/logger';
import type { Vault } from '@holdfast/vault';
import type { Catalog } from '../ports/catalog.ts';
import type { RunCounts } from '../ports/run.ts';
import type { Committer } from './committer.ts';
import type { CursorState } from './cursor-state.ts';
import { restateLost } from './restate.ts';

/** Changes that are held before a part of what is restated is committed. */
const RESTATED_AT_ONCE = 20_000;
const NOTHING: RunCounts = { seen: 0, added: 0, changed: 0, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };

interface MakingUp {
  readonly lost: readonly number[];
  readonly committer: Committer;
  readonly state: CursorState;
  readonly resourceId: string;
}

/**
 * Makes up for lost commits before anything else is done: the newest state is stated again as the catalog knows it, and
 * every scope is enumerated from its beginning, because the catalog may have been rebuilt without them. Contents that
 * the catalog knows are not read again.
 */
export async function makeUpFor(
  { vault, catalog, logger }: { readonly vault: Vault; readonly catalog: Catalog; readonly logger: Logger },
  { lost, committer, state, resourceId }: MakingUp,
): Promise<void> {
  if (lost.length === 0) return;
  logger.warn({ resourceId, lost }, 'commits of a journal are lost; its newest state is stated again');
  state.scopes.clear();
  for await (const restated of restateLost(vault.journal(resourceId), catalog)) {
    if ('put' in restated) committer.put(restated.put, false);
    else if (restated.isErased) committer.erase(restated.removed);
    else committer.remove(restated.removed);
    if (committer.changes < RESTATED_AT_ONCE) continue;
    await committer.commit(state, { point: false, summary: { ...NOTHING }, restates: { lost, isComplete: false } });
  }
  await committer.commit(state, { point: false, summary: { ...NOTHING }, restates: { lost, isComplete: true } });
}
