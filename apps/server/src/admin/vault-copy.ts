import { formatBytes } from '@holdfast/foundation/bytes';
import { AppError } from '@holdfast/foundation/errors';
import type { Command } from './command.ts';
import { storeFrom, vaultOptions, withVault } from './vault-command.ts';

/** Copies a vault to another place. */
export const vaultCopy: Command = {
  name: 'vault copy',
  summary: 'Copies to another place what is missing there, and reads it back.',
  options: {
    ...vaultOptions,
    'to-folder': 'Folder to copy to, or instead of it:',
    'to-bucket': 'S3 bucket to copy to',
    'to-prefix': 'Folder within that bucket',
    'to-endpoint': 'Address of its S3 server',
    'to-region': 'Region of that bucket',
    'to-access-key-id': 'Id of its access key',
    'to-secret-file': 'File with the secret of its access key',
  },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      const target = await storeFrom(given, 'to-');
      const report = await vault.maintenance.copyTo({ target });
      await target.close();
      context.print(`copied ${report.copiedObjects} objects (${formatBytes(report.copiedBytes)}), ${report.presentObjects} were there`);
      for (const name of report.damagedObjects) context.print(`damaged, not copied: ${name}`);
      if (report.damagedObjects.length > 0) throw new AppError('vault.damaged', { message: 'Damaged objects were left out.' });
    }),
};
