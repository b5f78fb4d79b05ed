import { readResource } from '@holdfast/engine';
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
        for await (const { resourceId, head } of vault.resources()) {
          const resource = await readResource(vault.journal(resourceId), head);
          context.print(
            [resourceId, head.sequence, head.at, resource?.kind ?? '', resource?.address ?? '', resource?.name ?? ''].join('\t'),
          );
        }
        return;
      }
      for await (const item of itemsFrom(vault, given)) {
        const bytes = Object.values(item.content).reduce((sum, content) => sum + content.sizeBytes, 0);
        context.print(`${item.itemId}\t${item.kind}\t${bytes}\t${item.name}`);
      }
    }),
};
