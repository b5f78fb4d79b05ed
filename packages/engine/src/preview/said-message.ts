import type { ItemVersion, Json } from '../ports/item.ts';
import { jsonPreview } from './json-preview.ts';

/** A message of a chat or channel as a transcript shows it. */
export interface SaidMessage {
  readonly author: string | null;
  /** ISO 8601, UTC. */
  readonly at: string | null;
  readonly subject: string | null;
  readonly text: string | null;
  /** Names of what is attached: the files themselves are in a drive. */
  readonly attachments: readonly string[];
  /** It was deleted in Teams; what it said is kept. */
  readonly isDeleted: boolean;
  readonly isEdited: boolean;
}

const KINDS: ReadonlySet<ItemVersion['kind']> = new Set<ItemVersion['kind']>(['post', 'reply', 'chatMessage']);

/** Whether items of this kind are messages of a chat or channel. */
export const isSaid = (kind: string): boolean => (KINDS as ReadonlySet<string>).has(kind);

const isFilled = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

function nameOf(attachment: Json): string {
  if (typeof attachment !== 'object' || attachment === null || Array.isArray(attachment)) return '';
  const { name, contentUrl } = attachment as { readonly name?: Json; readonly contentUrl?: Json };
  return [name, contentUrl].find(isFilled) ?? '';
}

/** Reads a message of a chat or channel from its properties: all that it says is there. */
export function saidMessage(item: ItemVersion): SaidMessage {
  const { subject, attachments, deletedDateTime, lastEditedDateTime } = item.properties;
  const { from, at, text } = jsonPreview(item, item.properties);
  const names = Array.isArray(attachments) ? (attachments as readonly Json[]).map(nameOf) : [];
  return {
    author: from,
    at,
    subject: isFilled(subject) ? subject : null,
    text,
    attachments: names.filter((name) => name !== ''),
    isDeleted: isFilled(deletedDateTime),
    isEdited: isFilled(lastEditedDateTime),
  };
}
