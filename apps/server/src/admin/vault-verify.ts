import { AppError } from '@holdfast/foundation/errors';
import type { Command } from './command.ts';
import { vaultOptions, withVault } from './vault-command.ts';

/** Checks the vault; fails when anything is damaged. */
export const vaultVerify: Command = {
  name: 'vault verify',
  summary: 'Checks structure and data of a vault and names what is damaged.',
  options: { ...vaultOptions, depth: 'structure or data (default data)' },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      const report = await vault.maintenance.verify({ depth: given['depth'] === 'structure' ? 'structure' : 'data' });
      for (const damage of report.damages) context.print(`${damage.name}: ${damage.problem}`);
      for (const item of report.affectedItems)
        context.print(`can't be read: ${item.resourceId} ${item.itemId} (${item.name}): ${item.roles.join(', ')}`);
      if (report.damages.length + report.affectedItemCount > 0) {
        throw new AppError('vault.damaged', {
          message: `${report.damages.length} objects are damaged, ${report.affectedItemCount} items can't be read.`,
        });
      }
      context.print(`The vault is whole: ${report.packs} packs, ${report.segments} commits, ${report.packsRead} packs read back.`);
    }),
};
