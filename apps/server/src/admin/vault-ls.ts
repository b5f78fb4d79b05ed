import type { Command } from './command.ts';
import { itemOptions, itemsFrom, vaultOptions, withVault } from './vault-command.ts';

/** Lists resources, or the items of one at a point in time. */
export const vaultLs: Command = {
  name: 'vault ls',
  summary: 'Lists the resources of a vault, or the items of one at a point in time.',
  options: { ...vaultOptions, ...itemOptions },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      if (given['resource'] === undefined) {
        for await (const { resourceId, head } of vault.resources()) context.print(`${resourceId}\t${head.sequence}\t${head.at}`);
        return;
      }
      for await (const item of itemsFrom(vault, given)) {
        const bytes = Object.values(item.content).reduce((sum, content) => sum + content.sizeBytes, 0);
        context.print(`${item.itemId}\t${item.kind}\t${bytes}\t${item.name}`);
      }
    }),
};
