import type { ContentKind } from '@holdfast/vault';
import type { Bytes } from '@holdfast/foundation/streams';
import type { Content, ContentRole, ItemKind, ItemVersion, JsonObject } from '../ports/item.ts';
import type { Advice } from '../ports/problems.ts';

/** Takes one stream of an item into the vault. */
export interface ContentSink {
  store(
    role: ContentRole,
    bytes: Bytes | Uint8Array,
    options: { readonly kind: ContentKind; readonly label?: string; readonly mediaType?: string },
  ): Promise<Content>;
}

/** Something that could not be read of an item that otherwise could. */
export interface Defect {
  readonly code: string;
  readonly tried: readonly string[];
  readonly requestId?: string;
  /** The part that the service says is not there, by the name it has at every reading. */
  readonly part?: string;
  /** Since when it says so. */
  readonly since?: string;
}

/** What reading an item gave: its streams, and properties that only the reading told. */
export interface ReadItem {
  readonly contents: readonly Content[];
  readonly properties?: JsonObject;
  readonly defects?: readonly Defect[];
  readonly sizeBytes?: number;
  /** For kinds whose name only the reading tells. */
  readonly name?: string;
}

/** An item as enumeration found it. `read` is called only when `contentTag` is not the stored one. */
export interface Draft {
  readonly key: string;
  readonly kind: ItemKind;
  readonly parentKey: string | null;
  /** Null when only the reading tells it. */
  readonly name: string | null;
  readonly sizeBytes?: number;
  readonly createdAt?: string;
  readonly modifiedAt?: string;
  readonly contentTag: string;
  readonly properties: JsonObject;
  readonly read?: (sink: ContentSink) => Promise<ReadItem>;
}

/** What a workload's enumeration consists of, in order. */
export type Step =
  | { readonly step: 'put'; readonly draft: Draft; readonly previous: ItemVersion | undefined }
  | { readonly step: 'remove'; readonly key: string }
  /** Where this scope goes on once everything before it is durable; null forgets the scope. */
  | { readonly step: 'cursor'; readonly scope: string; readonly value: string | null }
  | { readonly step: 'exclude'; readonly exclusion: Exclusion }
  | { readonly step: 'failed'; readonly failure: Failure }
  /** Found again although it was erased: it is counted and left out. */
  | { readonly step: 'erasedBefore'; readonly key: string }
  /** Something of the error list of an earlier run that is not there any more. */
  | { readonly step: 'resolved'; readonly key: string };

/** Something that lastingly can't be protected. */
export interface Exclusion {
  readonly key: string;
  readonly kind: ItemKind;
  readonly path: string;
  readonly code: string;
  readonly advice: Advice;
}

/** Something that could not be read in this run and is tried again in the next. */
export interface Failure {
  readonly key: string;
  readonly kind: ItemKind;
  readonly parentKey: string | null;
  readonly name: string;
  readonly code: string;
  readonly tried: readonly string[];
  readonly advice: Advice;
  readonly requestId?: string;
  /** A part of it, or all of it (`''`), that is said not to be there, and since when. */
  readonly part?: string;
  readonly since?: string;
}
