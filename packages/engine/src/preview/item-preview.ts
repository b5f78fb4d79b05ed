import type { ItemKind } from '../ports/item.ts';

/** What is told of an item besides its text, by a name that the reader's language has a word for. */
export type PreviewProperty =
  | 'start'
  | 'end'
  | 'location'
  | 'company'
  | 'jobTitle'
  | 'email'
  | 'phone'
  | 'status'
  | 'due'
  | 'importance'
  | 'mediaType'
  | 'createdBy'
  | 'modifiedBy'
  | 'address';

/** A part of an item that can be had by itself. `index` is what `file` is asked with. */
export interface PreviewAttachment {
  readonly index: number;
  readonly name: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
}

/** Something that the item refers to and that Microsoft 365 has lost for good. */
export interface PreviewGone {
  readonly part: 'picture' | 'photo' | 'version';
  /** Which one, where it has a name that says something. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** An item made readable: plain text and facts, never markup. */
export interface ItemPreview {
  readonly kind: ItemKind;
  readonly title: string;
  readonly from: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** ISO 8601, UTC. */
  readonly at: string | null;
  readonly text: string | null;
  readonly attachments: readonly PreviewAttachment[];
  readonly properties: readonly { readonly name: PreviewProperty; readonly value: string }[];
  /** Facts by names that the organisation gave: columns of a list. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly versions: readonly { readonly label: string; readonly at: string | null; readonly sizeBytes: number }[];
  readonly gone: readonly PreviewGone[];
}

const LONGEST_TEXT = 200_000;

/** Text that says something, as it is stored; null for none. */
export function readable(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : text.toWellFormed();
}

/** A preview with as much text as a page can show; the original has the rest. */
export function cutToPage(preview: ItemPreview): ItemPreview {
  const { text } = preview;
  if (text === null || text.length <= LONGEST_TEXT) return preview;
  return { ...preview, text: `${text.slice(0, LONGEST_TEXT).toWellFormed()}…` };
}

/** A time as the API writes it; null for what is none. */
export function instantOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** A preview that says nothing yet but what the item is. */
export function blank(kind: ItemKind, title: string): ItemPreview {
  const lists = { to: [], cc: [], attachments: [], properties: [], fields: [], versions: [], gone: [] };
  return { kind, title, from: null, at: null, text: null, ...lists };
}
