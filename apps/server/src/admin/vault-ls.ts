import { readResource } from '@holdfast/engine';
import type { LostSegment, Vault } from '@holdfast/vault';
import { INCOMPLETE, type Command, type CommandContext } from './command.ts';
import { itemOptions, itemsFrom, lostSentence, vaultOptions, withVault } from './vault-command.ts';

/** Lists the resources; answers how many are damaged. */
async function listAll(context: CommandContext, vault: Vault): Promise<number> {
  let damaged = 0;
  const onLost = (resourceKey: string): void => {
    damaged += 1;
    context.print(`damaged: journal/${resourceKey} (none of its commits can be read)`);
  };
  for await (const { resourceId, head, lost } of vault.resources({ onLost })) {
    const resource = await readResource(vault.journal(resourceId), head);
    context.print([resourceId, head.sequence, head.at, resource?.kind ?? '', resource?.address ?? '', resource?.name ?? ''].join('\t'));
    if (lost.length === 0) continue;
    damaged += 1;
    context.print(`damaged: ${resourceId} (${lostSentence(lost)})`);
  }
  return damaged;
}

/** Lists resources, or the items of one at a point in time. */
export const vaultLs: Command = {
  name: 'vault ls',
  summary: 'Lists the resources of a vault, or the items of one at a point in time.',
  options: { ...vaultOptions, ...itemOptions },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      if (given['resource'] === undefined) return (await listAll(context, vault)) > 0 ? INCOMPLETE : 0;
      const lost: LostSegment[] = [];
      for await (const item of itemsFrom(vault, given, lost)) {
        const bytes = Object.values(item.content).reduce((sum, content) => sum + content.sizeBytes, 0);
        context.print(`${item.itemId}\t${item.kind}\t${bytes}\t${item.name}`);
      }
      if (lost.length === 0) return 0;
      context.print(`damaged: ${given['resource']} (${lostSentence(lost.map(({ sequence }) => sequence))})`);
      return INCOMPLETE;
    }),
};
