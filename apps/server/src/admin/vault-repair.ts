import { AppError } from '@holdfast/foundation/errors';
import type { RepairSource } from '@holdfast/vault';
import type { Command } from './command.ts';
import { storeFrom, vaultOptions, withVault } from './vault-command.ts';

const DONE: Readonly<Record<RepairSource, string>> = {
  copy: 'from its copy in this vault',
  segment: 'copied again from its commit',
  chain: 'written again from the commits around it',
  journal: 'its list of changes or state was written again from the rest of the journal',
  salvage: 'everything readable was moved to new packs',
  'second-copy': 'from the second copy of the vault',
};

/** Repairs a vault from what it holds twice and from a second copy. */
export const vaultRepair: Command = {
  name: 'vault repair',
  summary: 'Repairs a vault from its own copies and from a second copy of it, and says for each object how.',
  options: { ...vaultOptions, 'copy-folder': 'Folder of the second copy, if there is one' },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      const report = await vault.maintenance.verify({ depth: 'data' });
      const secondCopy = given['copy-folder'] === undefined ? undefined : await storeFrom(given, 'copy-');
      const repair = await vault.maintenance.repair({ report, ...(secondCopy ? { secondCopy } : {}) });
      for (const { name, source } of repair.steps) context.print(`repaired: ${name} (${DONE[source]})`);
      for (const { name, problem } of repair.remainingDamages) context.print(`damaged: ${name} (${problem})`);
      for (const name of repair.givenUpEvidence) context.print(`given up: ${name}, which no copy has; no verification misses it any more`);
      for (const item of repair.remaining) context.print(`lost: ${item.resourceId} ${item.itemId} (${item.name})`);
      if (repair.remaining.length + repair.remainingDamages.length > 0) {
        throw new AppError('vault.damaged', {
          message: `${repair.remaining.length} items and ${repair.remainingDamages.length} objects stay damaged.`,
        });
      }
      context.print('The vault is whole.');
    }),
};
