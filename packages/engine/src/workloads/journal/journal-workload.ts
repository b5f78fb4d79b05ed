import { AppError } from '@holdfast/foundation/errors';
import type { Draft, Step } from '../../pipeline/step.ts';
import type { EnumerateContext, Workload } from '../../pipeline/workload.ts';
import type { Content, ItemVersion, JsonObject } from '../../ports/item.ts';
import { withPlacement } from '../archive/archived-message.ts';
import type { JournalRecipient } from './journal-report.ts';

/** What somebody was of a journaled message: its sender, or how it reached them. */
export type JournalRole = 'sender' | JournalRecipient['role'];

/** What the owner of one archive may know of the envelope: blind copies are for the sender, and one's own for its recipient. */
export interface JournalEnvelope {
  readonly roles: readonly JournalRole[];
  readonly sender: string;
  readonly recipients: readonly JournalRecipient[];
}

/** A journaled message on its way into the archive of one mailbox, its bytes already in the vault. */
export interface JournaledMessage {
  /** The SHA-256 of its bytes. */
  readonly key: string;
  readonly content: Content;
  readonly subject: string;
  readonly sentAt?: string;
  readonly receivedAt: string;
  readonly properties: JsonObject;
  /** The journal report that brought it. */
  readonly reportKey: string;
  readonly receiverId: string;
  readonly envelope?: JournalEnvelope;
  readonly verdicts?: JsonObject;
}

const BATCH = 100;
const FOLDER = 'Journal';

function placementOf(message: JournaledMessage): JsonObject {
  const { reportKey, receiverId, receivedAt, envelope, verdicts } = message;
  return {
    folder: FOLDER,
    providerId: reportKey,
    capturedAt: receivedAt,
    source: 'journal',
    receiverId,
    ...(envelope ? { envelope: envelope as unknown as JsonObject } : {}),
    ...(verdicts ? { verdicts } : {}),
  };
}

function draftOf(message: JournaledMessage, previous: ItemVersion | undefined): Draft | undefined {
  const placements = withPlacement(previous, placementOf(message));
  if (placements === undefined) return undefined;
  if (previous) {
    const { properties, ...known } = previous;
    // The archive has the bytes under this name already, so nothing is read.
    const read = (): Promise<never> => Promise.reject(new AppError('vault.damaged'));
    return { ...known, properties: { ...properties, placements }, read };
  }
  const { key, content, subject, sentAt, receivedAt, properties } = message;
  const { ref, mediaType } = content;
  const mime: Content = { role: 'mime', ref, ...(mediaType === undefined ? {} : { mediaType }) };
  return {
    key,
    kind: 'message',
    parentKey: null,
    name: subject,
    sizeBytes: ref.sizeBytes,
    ...(sentAt === undefined ? {} : { createdAt: sentAt }),
    modifiedAt: receivedAt,
    contentTag: key,
    properties: { ...properties, placements },
    read: () => Promise.resolve({ contents: [mime] }),
  };
}

async function* place({ known }: EnumerateContext, batch: readonly JournaledMessage[]): AsyncGenerator<Step, void, undefined> {
  const keys = [...new Set(batch.map(({ key }) => key))];
  const [loaded, erased] = [await known.load(keys), await known.erased(keys)];
  const put = new Set<string>();
  for (const message of batch) {
    const { key } = message;
    if (erased.has(key)) {
      yield { step: 'erasedBefore', key };
      continue;
    }
    const previous = (put.has(key) ? await known.load([key]) : loaded).get(key);
    const draft = draftOf(message, previous);
    if (!draft) continue;
    put.add(key);
    yield { step: 'put', draft, previous };
  }
}

/** Places journaled messages in the archive of one mailbox. What is placed there already changes nothing. */
export function journalWorkload(messages: readonly JournaledMessage[]): Workload {
  return {
    roles: [],
    async *enumerate(context) {
      for (let at = 0; at < messages.length; at += BATCH) yield* place(context, messages.slice(at, at + BATCH));
    },
  };
}
