import { sha256Hex } from '@holdfast/foundation/bytes';
import { journalReport, type JournaledRecipient } from '@holdfast/m365-simulator';

let reports = 0;

/** A journal report of this message, different from every other report. */
export function reportOf(
  message: Buffer,
  envelope: {
    readonly sender?: string;
    readonly recipients?: readonly JournaledRecipient[];
    readonly subject?: string;
    readonly isPlain?: boolean;
  } = {},
): Buffer {
  reports += 1;
  return journalReport({
    sender: envelope.sender ?? 'anna@contoso.example',
    subject: envelope.subject ?? 'Offer',
    messageId: '<offer@contoso.example>',
    recipients: envelope.recipients ?? [{ as: 'To', address: 'ben@contoso.example' }],
    message,
    reportId: `report-${reports}`,
    atMs: Date.UTC(2026, 10, 26),
    isPlain: envelope.isPlain ?? false,
  });
}

export const aMail = (id: number | string, text = 'text'): Buffer =>
  Buffer.from(`From: anna@contoso.example\r\nTo: ben@contoso.example\r\nSubject: Mail ${id}\r\nMessage-ID: <${id}@x>\r\n\r\n${text}`);

export const hashOf = (bytes: Buffer): string => sha256Hex(bytes);

/** What the journals of receivers have, with the messages of each report. */
export const JOURNALED = `select item_key, size_bytes::int, detail from catalog_items
  join catalog_sources using (organisation_id, realm, source_id) join resources using (organisation_id, realm, resource_id)
  where resources.kind = 'journal' and to_point = 9007199254740991 order by from_point, item_key`;

export interface JournaledRow {
  readonly item_key: string;
  readonly detail: {
    readonly contents: readonly {
      readonly role: string;
      readonly label?: string;
      readonly ref: { readonly sha256: string; readonly sizeBytes: number };
    }[];
    readonly properties: {
      readonly envelope: { readonly broken?: string; readonly sender?: string };
      readonly messages: readonly {
        readonly key: string;
        readonly subject: string;
        readonly properties: Readonly<Record<string, unknown>>;
      }[];
    };
  };
}
