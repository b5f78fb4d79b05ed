import { sha256Hex } from '@holdfast/foundation/bytes';
import { now, systemClock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { ContentRef, ItemState, LostSegment, Vault, WantedFile } from '@holdfast/vault';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { counted, required, type Command } from './command.ts';
import { itemOptions, itemsFrom, lostSentence, vaultOptions, withVault } from './vault-command.ts';

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
  const resourceId = required(given, 'resource');
  const head = await vault.journal(resourceId).head();
  const lines = [
    `vault: ${vault.info.vaultId}`,
    `organisation: ${vault.info.organisationId}`,
    `resource: ${resourceId}`,
    `point: ${given['sequence'] ?? given['time'] ?? 'newest'}`,
    `journal: ${head?.sequence ?? 0} ${head?.hash ?? ''}`,
    `exported: ${now(systemClock).toISOString()}`,
    `SHA256SUMS: ${sha256Hex(sums)}`,
  ];
  const { text, signature, verifyingKey } = vault.maintenance.signExport(`${lines.join('\n')}\n`);
  await writeFile(path.join(output, 'statement.txt'), text);
  await writeFile(path.join(output, 'statement.sig'), signature);
  await writeFile(path.join(output, 'vault.pem'), verifyingKey);
  await writeFile(path.join(output, 'CHECK.txt'), `${CHECK}\n`);
}

/** An item that has a content, and what it is to the item. */
interface User {
  readonly itemId: string;
  readonly role: string;
  readonly files: Record<string, string>;
  readonly content: ContentRef;
}

/** Everything that is exported, as it is found: items with the files of their contents, and each content once. */
function createListing(output: string) {
  const items: { readonly itemId: string; readonly files: Record<string, string> }[] = [];
  const users = new Map<string, User[]>();
  // Names come from the contents' hashes: nothing of what an item is called becomes a path.
  const nameOf = ({ sha256 }: ContentRef): string => `content/${sha256}`;
  const wanted = (content: ContentRef): WantedFile<string> => ({ key: nameOf(content), content, file: path.join(output, nameOf(content)) });

  /** Notes the item; gives those of its contents that no item before it has. */
  function* add(item: ItemState): Generator<WantedFile<string>, void, undefined> {
    const { content: contents, ...rest } = item;
    const files: Record<string, string> = {};
    items.push({ ...rest, files });
    for (const [role, content] of Object.entries(contents)) {
      files[role] = nameOf(content);
      const known = users.get(content.sha256);
      const user = { itemId: item.itemId, role, files, content };
      if (known) known.push(user);
      else {
        users.set(content.sha256, [user]);
        yield wanted(content);
      }
    }
  }

  return {
    items,
    add,
    /** Takes a content that could not be read out of its items and says which they are. Others may have the same bytes in another place. */
    drop(content: ContentRef): { readonly dropped: readonly User[]; readonly instead: readonly WantedFile<string>[] } {
      const isSame = (user: User): boolean => isDeepStrictEqual(user.content, content);
      const all = users.get(content.sha256) ?? [];
      const dropped = all.filter(isSame);
      const rest = all.filter((user) => !isSame(user));
      users.set(content.sha256, rest);
      for (const { role, files } of dropped) delete files[role];
      return { dropped, instead: rest.slice(0, 1).map((user) => wanted(user.content)) };
    },
  };
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
      const listing = createListing(output);
      const hashes: string[] = [];
      const failed: string[] = [];
      const lost: LostSegment[] = [];
      async function* contents(): AsyncGenerator<WantedFile<string>, void, undefined> {
        for await (const item of itemsFrom(vault, given, lost)) yield* listing.add(item);
      }
      const writeAll = async (source: AsyncIterable<WantedFile<string>> | Iterable<WantedFile<string>>): Promise<void> => {
        const again: WantedFile<string>[] = [];
        for await (const { key, content, error } of vault.reader().writeMany(source)) {
          if (error === undefined) hashes.push(`${content.sha256}  ${key}`);
          else {
            const { dropped, instead } = listing.drop(content);
            failed.push(...dropped.map(({ itemId, role }) => `${itemId} ${role}: ${error instanceof Error ? error.message : ''}`));
            again.push(...instead);
          }
        }
        if (again.length > 0) await writeAll(again);
      };
      await writeAll(contents());
      const list = `${JSON.stringify(listing.items, null, 2)}\n`;
      await writeFile(path.join(output, 'items.json'), list);
      const sums = `${[`${sha256Hex(list)}  items.json`, ...hashes].join('\n')}\n`;
      await writeFile(path.join(output, 'SHA256SUMS'), sums);
      await writeStatement(output, vault, given, sums);
      context.print(`${counted(listing.items.length, 'item')}; check with: ${CHECK}`);
      for (const line of failed) context.print(`not exported: ${line}`);
      if (lost.length > 0) context.print(`incomplete: ${lostSentence(lost.map(({ sequence }) => sequence))}`);
      if (failed.length + lost.length > 0)
        throw new AppError('vault.damaged', { message: `${failed.length} contents and ${lost.length} commits could not be read.` });
    }),
};
