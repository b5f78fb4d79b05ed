import type { MailCalls, MessageEntry } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import { oncePerKey } from '../../pipeline/once-per-key.ts';
import { addTo } from '../twins.ts';

type Named = Pick<ItemVersion, 'properties' | 'name'>;

/** What is in the target folders already, listed once a folder, and what the restore has added to it. */
export interface ExistingMessages {
  /** The messages of a folder that are the same as this one by what they say. */
  like(folderId: string, item: Named): Promise<readonly MessageEntry[]>;
  /** A message that this restore made must not be taken for one that was there. */
  add(folderId: string, id: string): void;
  isOurs(folderId: string, id: string): boolean;
}

function identity(properties: { readonly internetMessageId?: unknown; readonly receivedDateTime?: unknown }, subject: string): string {
  const { internetMessageId, receivedDateTime } = properties;
  if (typeof internetMessageId === 'string' && internetMessageId !== '') return `id ${internetMessageId.toLowerCase()}`;
  return `at ${String(receivedDateTime)} ${subject}`;
}

export function createExistingMessages(mail: MailCalls, userId: string): ExistingMessages {
  const folders = oncePerKey(list);
  const ours = new Map<string, Set<string>>();

  async function list(folderId: string): Promise<Map<string, MessageEntry[]>> {
    const found = new Map<string, MessageEntry[]>();
    for await (const entry of mail.messages({ userId, folderId })) addTo(found, identity(entry, entry.subject ?? ''), entry);
    return found;
  }

  return {
    async like(folderId, item) {
      return (await folders.of(folderId)).get(identity(item.properties, item.name)) ?? [];
    },
    add(folderId, id) {
      const set = ours.get(folderId) ?? new Set();
      ours.set(folderId, set.add(id));
    },
    isOurs: (folderId, id) => ours.get(folderId)?.has(id) ?? false,
  };
}
