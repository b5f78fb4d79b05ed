import { AppError } from '@holdfast/foundation/errors';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { required, type Command } from './command.ts';
import { itemOptions, itemsFrom, vaultOptions, withVault } from './vault-command.ts';

/** Writes every item of a resource into a folder, with a manifest that anyone can check. */
export const vaultExport: Command = {
  name: 'vault export',
  summary: 'Writes every item of a resource at a point in time into a folder, with a manifest of SHA-256 hashes.',
  options: { ...vaultOptions, ...itemOptions, output: 'Folder to write, new or empty' },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      const output = required(given, 'output');
      await mkdir(path.join(output, 'content'), { recursive: true });
      const items: unknown[] = [];
      const hashes: string[] = [];
      const failed: string[] = [];
      for await (const item of itemsFrom(vault, given)) {
        const files: Record<string, string> = {};
        for (const [role, content] of Object.entries(item.content)) {
          // Names come from the contents' hashes: nothing of what an item is called becomes a path.
          const file = `content/${content.sha256}`;
          try {
            await pipeline(vault.reader().read(content), createWriteStream(path.join(output, file)));
            hashes.push(`${content.sha256}  ${file}`);
            files[role] = file;
          } catch (error) {
            failed.push(`${item.itemId} ${role}: ${error instanceof Error ? error.message : ''}`);
          }
        }
        const { content: _, ...rest } = item;
        items.push({ ...rest, files });
      }
      await writeFile(path.join(output, 'items.json'), `${JSON.stringify(items, null, 2)}\n`);
      await writeFile(path.join(output, 'SHA256SUMS'), `${[...new Set(hashes)].join('\n')}\n`);
      context.print(`${items.length} items; check with: sha256sum -c SHA256SUMS`);
      for (const line of failed) context.print(`not exported: ${line}`);
      if (failed.length > 0) throw new AppError('vault.damaged', { message: `${failed.length} contents could not be read.` });
    }),
};
