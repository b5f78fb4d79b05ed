import { formatBytes } from '@holdfast/foundation/bytes';
import { counted, type Command } from './command.ts';
import { vaultOptions, withVault } from './vault-command.ts';

/** Says whose vault it is and what is in it. */
export const vaultInfo: Command = {
  name: 'vault info',
  summary: 'Says whose vault it is, in which format, and how much lies in it.',
  options: vaultOptions,
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      for (const [name, value] of Object.entries(vault.info)) context.print(`${name}: ${value}`);
      let bytes = 0;
      for await (const { sizeBytes } of vault.store.list('packs/')) bytes += sizeBytes;
      const { packs, blobs } = await vault.maintenance.synchroniseIndex();
      context.print(`packs: ${packs} (${formatBytes(bytes)}, ${counted(blobs, 'blob')})`);
      for await (const { resourceId, head } of vault.resources({
        onLost: (resourceKey) => context.print(`damaged: journal/${resourceKey} (none of its commits can be read)`),
      }))
        context.print(`resource ${resourceId}: ${counted(head.sequence, 'commit')}, last at ${head.at}`);
    }),
};
