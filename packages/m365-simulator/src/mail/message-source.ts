import { generateEnvelope, generateMessage } from '../content/generated-message.ts';
import type { Person } from '../state/directory.ts';
import { serialOf } from '../state/serial.ts';
import type { Tenant } from '../state/tenant.ts';
import { generatedSource } from './generated-record.ts';
import { mailboxState, type MessageRecord } from './mailbox-state.ts';
import { jsonParts } from './json-message.ts';
import { readPart } from './file-part.ts';
import { mimeParts } from './mime-message.ts';
import type { Envelope, MessageParts } from '../content/message-parts.ts';

interface Kept {
  readonly parts: MessageParts;
  mime: Buffer | undefined;
}

/** Messages that were read lately. Bounded by count, and their MIME by bytes. */
const kept = new Map<string, Kept>();
const KEPT_MESSAGES = 600;
const KEPT_MIME_BYTES = 96 * 1024 * 1024;
let mimeBytes = 0;

function nameOf(tenant: Tenant, person: Person, record: MessageRecord): string {
  return `${serialOf(tenant)}/${person.id}/${record.key}/${record.contentVersion}`;
}

function forgetOldest(): void {
  const oldest = kept.entries().next().value;
  if (!oldest) return;
  mimeBytes -= oldest[1].mime?.byteLength ?? 0;
  kept.delete(oldest[0]);
}

function make(tenant: Tenant, person: Person, record: MessageRecord): MessageParts {
  const { content } = record;
  if (content.from === 'mime') return mimeParts(tenant.received.read(content.mime));
  if (content.from === 'file') return mimeParts(readPart(content));
  if (content.from === 'json') return jsonParts(tenant, record, content);
  const folder = mailboxState(tenant, person).folders.get(content.folder);
  if (!folder) throw new Error(`Message ${record.key} has no folder.`);
  return generateMessage(generatedSource(tenant, person, folder, content.index));
}

function keep(tenant: Tenant, person: Person, record: MessageRecord): Kept {
  const name = nameOf(tenant, person, record);
  const found = kept.get(name);
  if (found) return found;
  const made: Kept = { parts: make(tenant, person, record), mime: undefined };
  if (record.content.from === 'seed') {
    kept.set(name, made);
    if (kept.size > KEPT_MESSAGES) forgetOldest();
  }
  return made;
}

/** The whole of a message. */
export function partsOf(tenant: Tenant, person: Person, record: MessageRecord): MessageParts {
  return keep(tenant, person, record).parts;
}

/** The bytes of a message: always the same for the same content. */
export function mimeOf(tenant: Tenant, person: Person, record: MessageRecord): Buffer {
  if (record.content.from === 'mime') return tenant.received.read(record.content.mime);
  if (record.content.from === 'file') return readPart(record.content);
  const entry = keep(tenant, person, record);
  if (!entry.mime) {
    entry.mime = entry.parts.mime();
    if (record.content.from === 'seed') mimeBytes += entry.mime.byteLength;
    while (mimeBytes > KEPT_MIME_BYTES && kept.size > 1) forgetOldest();
  }
  return entry.mime;
}

/** What a list shows: without the body, where it can be had without. */
export function envelopeOfRecord(tenant: Tenant, person: Person, record: MessageRecord): Envelope {
  const { content } = record;
  if (content.from !== 'seed') return partsOf(tenant, person, record);
  const folder = mailboxState(tenant, person).folders.get(content.folder);
  if (!folder) throw new Error(`Message ${record.key} has no folder.`);
  return generateEnvelope(generatedSource(tenant, person, folder, content.index));
}
