import type { FileContent } from '../drives/file-content.ts';
import type { JsonObject } from '../values/json.ts';

/** Bytes inside a message: a pasted picture, a code snippet. */
export interface HostedContent {
  readonly id: string;
  readonly contentType: string;
  readonly content: FileContent;
}

export interface Reaction {
  /** `like`, `heart`, or the sign itself. */
  readonly type: string;
  readonly userId: string;
  readonly atMs: number;
}

/** A post as it is now; replaced, never changed in place. */
export interface MessageRecord {
  /** Time of creation in milliseconds, as text. */
  readonly id: string;
  /** The post that this one answers. */
  readonly rootId?: string;
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly editedMs?: number;
  readonly deletedMs?: number;
  readonly subject: string | null;
  readonly importance: 'normal' | 'high' | 'urgent';
  readonly locale: string;
  /** Null for a message of the system. */
  readonly from: { readonly userId: string; readonly displayName: string } | null;
  readonly body: { readonly contentType: 'html' | 'text'; readonly content: string };
  readonly attachments: readonly JsonObject[];
  readonly mentions: readonly JsonObject[];
  readonly reactions: readonly Reaction[];
  readonly hosted: readonly HostedContent[];
  /** What happened, in a message of the system. */
  readonly event?: JsonObject;
  /** True for what came in by migration. */
  readonly isImported?: boolean;
}
