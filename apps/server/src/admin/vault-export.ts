import { sha256Hex } from '@holdfast/foundation/bytes';
import { AppError } from '@holdfast/foundation/errors';
import type { Vault } from '@holdfast/vault';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { required, type Command } from './command.ts';
import { itemOptions, itemsFrom, vaultOptions, withVault } from './vault-command.ts';

const CHECK = [
  'openssl pkeyutl -verify -pubin -inkey vault.pem -rawin -in statement.txt -sigfile statement.sig',
  'grep "$(sha256sum SHA256SUMS | cut -c1-64)" statement.txt',
  'sha256sum -c SHA256SUMS',
].join(' && ');

/**
 * Binds the hashes to the vault: whose it is, the head of the journal they come from, and the sum of
 * the list, signed by the vault. Checked with two common tools and nothing of ours.
 */
async function writeStatement(output: string, vault: Vault, given: Record<string, string | undefined>, sums: string): Promise<void> {
  const { heads, at } = await vault.maintenance.witnessHeads();
  const resourceId = required(given, 'resource');
  const head = heads.find((one) => one.resourceId === resourceId);
  const lines = [
    `vault: ${vault.info.vaultId}`,
    `organisation: ${vault.info.organisationId}`,
    `resource: ${resourceId}`,
    `point: ${given['sequence'] ?? given['time'] ?? 'newest'}`,
    `journal: ${head?.sequence ?? 0} ${head?.hash ?? ''}`,
    `exported: ${at}`,
    `SHA256SUMS: ${sha256Hex(sums)}`,
  ];
  const { text, signature, verifyingKey } = vault.maintenance.signExport(`${lines.join('\n')}\n`);
  await writeFile(path.join(output, 'statement.txt'), text);
  await writeFile(path.join(output, 'statement.sig'), signature);
  await writeFile(path.join(output, 'vault.pem'), verifyingKey);
  await writeFile(path.join(output, 'CHECK.txt'), `${CHECK}\n`);
}

/** Writes every item of a resource into a folder, with a manifest that anyone can check. */
export const vaultExport: Command = {
  name: 'vault export',
  summary:
    'Writes every item of a resource at a point in time into a folder, with their SHA-256 hashes and a statement that the vault has signed.',
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
      const list = `${JSON.stringify(items, null, 2)}\n`;
      await writeFile(path.join(output, 'items.json'), list);
      const sums = `${[...new Set([`${sha256Hex(list)}  items.json`, ...hashes])].join('\n')}\n`;
      await writeFile(path.join(output, 'SHA256SUMS'), sums);
      await writeStatement(output, vault, given, sums);
      context.print(`${items.length} items; check with: ${CHECK}`);
      for (const line of failed) context.print(`not exported: ${line}`);
      if (failed.length > 0) throw new AppError('vault.damaged', { message: `${failed.length} contents could not be read.` });
    }),
};
