import { AppError } from '@holdfast/foundation/errors';
import type { Command } from './command.ts';
import { storeFrom, vaultOptions, withVault } from './vault-command.ts';

/** Repairs a vault from a second copy. */
export const vaultRepair: Command = {
  name: 'vault repair',
  summary: 'Repairs a vault from a second copy of it, and saves what can be saved without one.',
  options: { ...vaultOptions, 'copy-folder': 'Folder of the second copy, if there is one' },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      const report = await vault.maintenance.verify({ depth: 'data' });
      const secondCopy = given['copy-folder'] === undefined ? undefined : await storeFrom(given, 'copy-');
      const repair = await vault.maintenance.repair({ report, ...(secondCopy ? { secondCopy } : {}) });
      for (const name of repair.repairedObjects) context.print(`repaired: ${name}`);
      for (const name of repair.givenUpEvidence) context.print(`given up: ${name}, which no copy has; no verification misses it any more`);
      for (const item of repair.remaining) context.print(`lost: ${item.resourceId} ${item.itemId} (${item.name})`);
      if (repair.remaining.length + repair.remainingDamages.length > 0) {
        throw new AppError('vault.damaged', { message: `${repair.remaining.length} items stay damaged.` });
      }
      context.print('The vault is whole.');
    }),
};
