import { sha256Hex } from '@holdfast/foundation/bytes';
import type { TruthRecord } from '@holdfast/m365-simulator';
import type { ItemVersion, Resource } from '../src/ports/item.ts';
import type { Rig } from './rig.ts';
import { textOf } from '../src/pipeline/text.ts';

/** A message as both sides can say it. */
export interface ComparedMessage {
  readonly id: string;
  readonly path: string;
  readonly sha256: string;
  readonly isRead: boolean;
  readonly isDraft: boolean;
  readonly subject: string;
  readonly internetMessageId: string;
  readonly flag: string;
  readonly sentDateTime: string;
  readonly categories: readonly string[];
  readonly importance: string;
  readonly receivedDateTime: string;
}

function fromTruth(record: TruthRecord): ComparedMessage {
  const { isRead, isDraft, categories, importance, receivedDateTime, sentDateTime, subject, internetMessageId, flag } = record.metadata;
  return {
    id: record.id,
    path: record.path,
    sha256: record.sha256 ?? '',
    isRead: isRead === true,
    isDraft: isDraft === true,
    subject: textOf(subject),
    internetMessageId: textOf(internetMessageId),
    flag: (flag as { readonly flagStatus?: string } | null)?.flagStatus ?? 'notFlagged',
    sentDateTime: textOf(sentDateTime),
    categories: categories as unknown as string[],
    importance: textOf(importance),
    receivedDateTime: textOf(receivedDateTime),
  };
}

function folderPath(items: ReadonlyMap<string, ItemVersion>, key: string | null): string {
  const names: string[] = [];
  for (
    let item = key === null ? undefined : items.get(key);
    item && item.kind === 'mailFolder';
    item = item.parentKey === null ? undefined : items.get(item.parentKey)
  ) {
    names.unshift(item.name);
  }
  return names.join('/');
}

/** What the simulator's own record says of a mailbox, by id. */
export async function mailOfTruth(rig: Rig, owner: string, at?: number): Promise<Map<string, ComparedMessage>> {
  const records = await rig.truth('mail', owner, at);
  return new Map(records.filter((record) => record.kind === 'message').map((record) => [record.id, fromTruth(record)]));
}

/** What the vault gives back of a restore point: the bytes are read, not only their recorded hash. */
export async function mailOfVault(rig: Rig, resource: Resource, sequence?: number): Promise<Map<string, ComparedMessage>> {
  const items = await rig.items(resource, sequence);
  const byKey = new Map(items.map((item) => [item.key, item]));
  const reader = rig.vault.reader();
  const found = new Map<string, ComparedMessage>();
  for (const item of items) {
    if (item.kind !== 'message') continue;
    const mime = item.contents.find((content) => content.role === 'mime');
    const { isRead, isDraft, categories, importance, receivedDateTime, sentDateTime, internetMessageId, flag } = item.properties;
    found.set(item.key, {
      id: item.key,
      path: folderPath(byKey, item.parentKey),
      sha256: mime ? sha256Hex(await reader.readAll(mime.ref)) : '',
      isRead: isRead === true,
      isDraft: isDraft === true,
      subject: item.name,
      internetMessageId: textOf(internetMessageId),
      flag: (flag as { readonly flagStatus?: string } | undefined)?.flagStatus ?? 'notFlagged',
      sentDateTime: textOf(sentDateTime),
      categories: (categories ?? []) as unknown as string[],
      importance: textOf(importance, 'normal'),
      receivedDateTime: textOf(receivedDateTime),
    });
  }
  return found;
}

/** Messages by what they are, not by id: after a restore ids are new. */
export function withoutIds(messages: ReadonlyMap<string, ComparedMessage>): readonly Omit<ComparedMessage, 'id' | 'sha256'>[] {
  const plain = [...messages.values()].map(({ id: _id, sha256: _sha256, ...rest }) => rest);
  return plain.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
