import type { HeaderLine } from './mime-part.ts';

export interface MailAddress {
  readonly name: string;
  /** The name again when the message names somebody without an address. */
  readonly address: string;
}

export interface ParsedAttachment {
  readonly name: string;
  readonly mediaType: string;
  readonly isInline: boolean;
  readonly contentId?: string;
  readonly bytes: Uint8Array;
}

/** A message taken apart as far as a restore needs it. */
export interface ParsedMail {
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
  readonly date?: string;
  readonly messageId?: string;
  readonly from: readonly MailAddress[];
  readonly sender: readonly MailAddress[];
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  readonly bcc: readonly MailAddress[];
  readonly replyTo: readonly MailAddress[];
  readonly wantsReceipt: boolean;
  /** The original header lines as they were, at most 64 KiB of them. */
  readonly headerBlock: string;
  /** The header lines with encoded words decoded. */
  readonly headers: readonly HeaderLine[];
  /** Media type of the whole message. */
  readonly mediaType: string;
  readonly attachments: readonly ParsedAttachment[];
}

export interface ParseRequest {
  readonly id: number;
  readonly raw: Uint8Array;
}

export type ParseAnswer = { readonly id: number; readonly mail: ParsedMail } | { readonly id: number; readonly problem: string };
