import { guidOf } from '../values/seeded.ts';
import type { Person } from '../state/directory.ts';
import { badRequest, fail } from '../http/failure.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { created, ok, type Reply } from '../http/reply.ts';
import type { Context } from '../http/route.ts';
import { joined, NO_BYTES, type ReceivedBytes } from '../state/received.ts';
import type { Tenant } from '../state/tenant.ts';
import type { StoredAttachment } from './mailbox-state.ts';

/** A large attachment on its way: what it will be, and the bytes that have come. Plain data. */
export interface AttachmentSession {
  readonly attachment: Omit<StoredAttachment, 'bytes'>;
  readonly sizeBytes: number;
  readonly expiresMs: number;
  received: ReceivedBytes;
}

/** Documented as 3 MB. */
const SMALLEST_BYTES = 3_000_000;
const LARGEST_BYTES = 150 * 1024 * 1024;
const LARGEST_PART_BYTES = 4 * 1024 * 1024;

function sessionsOf(tenant: Tenant): { next: number; readonly open: Map<string, AttachmentSession> } {
  return tenant.store.state('attachment-sessions', () => ({ next: 1, open: new Map<string, AttachmentSession>() }));
}

function readItem(body: JsonObject): { readonly item: JsonObject; readonly sizeBytes: number; readonly name: string } {
  const item = body['AttachmentItem'] ?? body['attachmentItem'];
  if (!isJsonObject(item)) throw badRequest('outlook', 'The parameter AttachmentItem is required.');
  const { size, name } = item;
  if (typeof size !== 'number' || typeof name !== 'string' || name === '')
    throw badRequest('outlook', 'AttachmentItem needs a name and a size.');
  if (size > LARGEST_BYTES) throw fail(413, 'ErrorAttachmentSizeLimitExceeded', 'The attachment is larger than 150 MB.');
  if (size < SMALLEST_BYTES) {
    throw fail(400, 'ErrorAttachmentSizeShouldNotBeLessThanMinimumSize', 'Attachments of less than 3 MB are posted directly.');
  }
  return { item, sizeBytes: size, name };
}

/** Opens an upload session for an attachment of a message or an event. */
export async function openAttachmentSession(context: Context, person: Person, of: 'Messages' | 'Events'): Promise<Reply> {
  const { tenant } = context;
  const { item, sizeBytes, name } = readItem(await context.json());
  const sessions = sessionsOf(tenant);
  const id = guidOf(tenant.seed, 'attachment-session', sessions.next);
  sessions.next += 1;
  const livesSeconds = tenant.switches.uploadSessionSeconds;
  const expiresMs = tenant.clock.nowMs() + livesSeconds * 1000;
  sessions.open.set(id, {
    attachment: {
      kind: 'file',
      name,
      contentType: typeof item['contentType'] === 'string' ? item['contentType'] : 'application/octet-stream',
      isInline: item['isInline'] === true,
      contentId: typeof item['contentId'] === 'string' ? item['contentId'] : null,
    },
    sizeBytes,
    expiresMs,
    received: NO_BYTES,
  });
  const itemId = context.params[1] ?? '';
  const uploadUrl = context.links.signed({
    host: 'outlook',
    hostName: 'outlook.office.com',
    path: `/api/v2.0/Users('${person.id}')/${of}('${encodeURIComponent(itemId)}')/AttachmentSessions('${id}')`,
    claims: { session: id },
    livesSeconds,
    expiredStatus: 404,
  });
  return created({
    '@odata.context': context.links.context('microsoft.graph.uploadSession'),
    uploadUrl,
    expirationDateTime: new Date(expiresMs).toISOString(),
    nextExpectedRanges: ['0-'],
  });
}

function readRange(header: string | undefined): { readonly from: number; readonly to: number; readonly total: number } {
  const found = /^bytes (\d+)-(\d+)\/(\d+)$/u.exec(header ?? '');
  if (!found) throw badRequest('outlook', 'The Content-Range header is missing or not valid.');
  return { from: Number(found[1]), to: Number(found[2]), total: Number(found[3]) };
}

/**
 * Takes the next part of a session. With the last one `attach` stores the attachment and returns its address for
 * `Location`.
 */
export async function takeAttachmentPart(context: Context, attach: (attachment: StoredAttachment) => string): Promise<Reply> {
  const sessions = sessionsOf(context.tenant);
  const id = typeof context.claims['session'] === 'string' ? context.claims['session'] : '';
  const session = sessions.open.get(id);
  if (!session) throw fail(404, 'ErrorItemNotFound', 'The upload session was not found.');
  const range = readRange(context.headers['content-range']);
  const data = await context.body(LARGEST_PART_BYTES);
  if (range.total !== session.sizeBytes || range.to - range.from + 1 !== data.byteLength)
    throw badRequest('outlook', 'Content-Range does not fit the body.');
  const { sizeBytes } = session.received;
  if (range.from !== sizeBytes) throw fail(416, 'ErrorInvalidRange', `The next expected byte is ${sizeBytes}.`);
  session.received = joined([session.received, context.tenant.received.add(data)]);
  if (session.received.sizeBytes < session.sizeBytes) {
    return ok({
      '@odata.context': 'https://outlook.office.com/api/v2.0/$metadata#Microsoft.OutlookServices.UploadSession',
      ExpirationDateTime: new Date(session.expiresMs).toISOString(),
      NextExpectedRanges: [String(session.received.sizeBytes)],
    });
  }
  sessions.open.delete(id);
  const location = attach({ ...session.attachment, bytes: session.received });
  return { status: 201, headers: { Location: location } };
}
