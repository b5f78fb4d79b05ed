import { sha256Hex } from '@holdfast/foundation/bytes';
import { readMailFacts, type MailFacts } from '../../mime/mail-facts.ts';
import type { ContentSink } from '../../pipeline/step.ts';
import type { Content, ItemVersion, Json, JsonObject } from '../../ports/item.ts';
import { readJournalReport, type ReadReport } from './journal-report.ts';

/** A mail as a receiver took it in, before anything of it is stored. */
export interface ReceivedMail {
  readonly raw: Buffer;
  readonly arrivedAt: Date;
  /** Who handed it in: the address of the client and the sender that it named. */
  readonly client: string;
  readonly mailFrom: string;
  /** What the signatures of each journaled message, by its SHA-256, were worth on arrival, with the keys as published. */
  verdicts(message: Buffer): Promise<JsonObject | undefined>;
}

interface Inner {
  readonly key: string;
  readonly bytes: Buffer;
  readonly facts: MailFacts;
  readonly verdicts: JsonObject | undefined;
}

/** A mail that is understood as far as it can be; its name is the SHA-256 of its bytes, so that it is there once however often it comes. */
export interface UnderstoodMail {
  readonly key: string;
  readonly mail: ReceivedMail;
  readonly read: ReadReport;
  readonly inner: readonly Inner[];
  readonly facts: MailFacts;
}

/** The receiver's time is when a journaled message was received: nothing that a sender wrote can change it. */
async function factsAt(bytes: Buffer, arrivedAt: Date): Promise<MailFacts> {
  const facts = await readMailFacts(bytes, arrivedAt.getTime());
  const receivedAt = arrivedAt.toISOString();
  return { ...facts, receivedAt, properties: { ...facts.properties, receivedDateTime: receivedAt, receivedBy: 'receiver' } };
}

export async function understand(mail: ReceivedMail): Promise<UnderstoodMail> {
  const { raw, arrivedAt } = mail;
  const read = readJournalReport(raw);
  const messages = read.kind === 'report' ? read.report.messages : read.messages;
  const inner: Inner[] = [];
  for (const bytes of messages)
    inner.push({ key: sha256Hex(bytes), bytes, facts: await factsAt(bytes, arrivedAt), verdicts: await mail.verdicts(bytes) });
  return { key: sha256Hex(raw), mail, read, inner, facts: await factsAt(raw, arrivedAt) };
}

function envelopeOf(read: ReadReport): JsonObject {
  if (read.kind === 'broken') return { broken: read.reason };
  const { messages: _, recipients, ...single } = read.report;
  return { ...single, recipients: recipients as unknown as Json };
}

/** What the journal keeps of a message beside its bytes: enough to place it without reading them again. */
const messageOf = ({ key, facts, verdicts }: Omit<Inner, 'bytes'>): JsonObject => ({
  key,
  subject: facts.subject,
  ...(facts.sentAt === undefined ? {} : { sentAt: facts.sentAt }),
  properties: facts.properties,
  ...(verdicts === undefined ? {} : { verdicts }),
});

/** Stores the exact bytes of a mail and of the messages in it. */
export async function store({ key, mail, read, inner, facts }: UnderstoodMail, sink: ContentSink): Promise<ItemVersion> {
  const options = { kind: 'message', mediaType: 'message/rfc822' } as const;
  const contents: readonly Content[] = await Promise.all([
    sink.store('mime', mail.raw, options),
    ...inner.map((one) => sink.store('part', one.bytes, { ...options, label: one.key })),
  ]);
  return {
    key,
    kind: 'journalReport',
    parentKey: null,
    name: facts.subject,
    sizeBytes: mail.raw.byteLength,
    modifiedAt: facts.receivedAt,
    contentTag: key,
    contents,
    properties: {
      client: mail.client,
      mailFrom: mail.mailFrom,
      arrivedAt: facts.receivedAt,
      envelope: envelopeOf(read),
      // A mail that brings no message is one itself.
      messages: (inner.length > 0 ? inner : [{ key, facts, verdicts: undefined }]).map(messageOf),
    },
  };
}
