import type { JsonObject } from '../values/json.ts';

/** A mail address with its name. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

export type AttachmentKind = 'file' | 'item' | 'reference';

/** An attachment; its bytes are made when they are asked for. */
export interface AttachmentParts {
  readonly kind: AttachmentKind;
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly isInline: boolean;
  readonly contentId: string | null;
  /** Raw bytes of a file, MIME of an item, nothing of a reference. */
  readonly bytes: () => Buffer;
  /** What an item or a reference says of itself in JSON. */
  readonly details?: JsonObject;
}

/** What a list shows: cheap to make, for half a million messages a minute. */
export interface Envelope {
  readonly subject: string;
  readonly from: Mailbox;
  readonly sender: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly messageId: string;
  readonly hasAttachments: boolean;
  readonly conversation: string;
}

/** The whole of a message, apart from its place and its marks. */
export interface MessageParts extends Envelope {
  readonly body: { readonly contentType: 'html' | 'text'; readonly content: string };
  readonly preview: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly attachments: readonly AttachmentParts[];
  readonly mime: () => Buffer;
}
