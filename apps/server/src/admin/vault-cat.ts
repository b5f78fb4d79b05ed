import { AppError } from '@holdfast/foundation/errors';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { required, type Command } from './command.ts';
import { itemOptions, itemsFrom, vaultOptions, withVault } from './vault-command.ts';

/** Writes the content of one item into a file. */
export const vaultCat: Command = {
  name: 'vault cat',
  summary: 'Writes the content of one item into a file.',
  options: {
    ...vaultOptions,
    ...itemOptions,
    item: 'Id of the item',
    role: 'Which content of it (default: its first)',
    output: 'File to write',
  },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      const wanted = required(given, 'item');
      const output = required(given, 'output');
      for await (const item of itemsFrom(vault, given, [])) {
        if (item.itemId !== wanted) continue;
        const role = given['role'] ?? Object.keys(item.content)[0] ?? '';
        const content = item.content[role];
        if (!content) throw new AppError('admin.bad-option', { message: `The item has no content "${role}".` });
        await pipeline(vault.reader().read(content), createWriteStream(output, { flags: 'wx' }));
        context.print(`${output}: ${content.sizeBytes} bytes, SHA-256 ${content.sha256}`);
        return;
      }
      throw new AppError('admin.bad-option', { message: `There is no item "${wanted}" at that point.` });
    }),
};
