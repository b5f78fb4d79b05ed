import { storingTypes } from '@holdfast/contract/jobs';
import type { Scope } from '@holdfast/database';
import type { Logger } from '@holdfast/foundation/logger';
import type { Vaults } from '../../storage/index.ts';
import type { ClaimedRun } from '../../runs/index.ts';
import type { VaultMemoryStore } from './vault-memory.store.ts';
import type { WitnessFolder } from './witness-folder.ts';

/** Keeps the newest heads of a vault outside of it when a run that may have added to it has ended. */
export function createKeepWitness(parts: {
  readonly vaults: Pick<Vaults, 'use'>;
  readonly memory: Pick<VaultMemoryStore, 'heads'>;
  readonly witnesses: WitnessFolder;
  readonly logger: Logger;
}) {
  const { vaults, memory, witnesses, logger } = parts;
  return async (scope: Scope, run: Pick<ClaimedRun, 'type' | 'locationId'>): Promise<void> => {
    const { locationId } = run;
    if (!witnesses.isThere || !storingTypes.includes(run.type) || locationId === null) return;
    try {
      const heads = await memory.heads(scope, locationId);
      if (heads.length > 0) await vaults.use(scope, locationId, async (vault) => witnesses.keep(vault.maintenance.signHeads(heads)));
    } catch (error) {
      logger.error({ err: error, locationId }, 'the witness of a vault could not be made');
    }
  };
}
