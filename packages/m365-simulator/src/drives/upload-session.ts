import { Failure, badRequest, conflict, notFound } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import type { Context } from '../http/route.ts';
import type { ItemRecord } from './drive-record.ts';
import type { UploadSession } from './drive-state.ts';
import { uploadedContent } from './file-content.ts';
import { requireItem } from './find-item.ts';
import type { OpenDrive } from './open-drive.ts';
import { extended, type Intake, receiveFile } from './receive-file.ts';
import { createFile, replaceContent, requireSpace, settleName } from './write-file.ts';

const FRAGMENT_STEP_BYTES = 327_680;
const LARGEST_FRAGMENT_BYTES = 60 * 1024 * 1024;

/** A part of a file, as `Content-Range` describes it. */
interface Fragment {
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

function readContentRange(context: Context): Fragment {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(context.headers['content-range'] ?? '');
  if (!match) throw badRequest('drives', 'The Content-Range header is missing or malformed.');
  const [from, last, total] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (last < from || last >= total)
    throw badRequest('drives', 'The Content-Range header length does not match the provided number of bytes.');
  return { from, to: last + 1, total };
}

function requireOrder(session: UploadSession, fragment: Fragment): void {
  const sizeBytes = fragment.to - fragment.from;
  if (session.totalBytes !== undefined && session.totalBytes !== fragment.total) {
    throw badRequest('drives', 'The total size differs from the one declared before.');
  }
  const receivedBytes = session.intake.bytes.sizeBytes;
  if (fragment.from < receivedBytes) {
    throw new Failure(416, 'invalidRange', 'The fragment was received before.', { inner: 'fragmentOverlap' });
  }
  if (fragment.from > receivedBytes) {
    throw new Failure(416, 'invalidRange', 'A fragment is missing before this one.', { inner: 'fragmentOutOfOrder' });
  }
  if (sizeBytes > LARGEST_FRAGMENT_BYTES) throw new Failure(413, 'invalidRequest', 'The maximum fragment size has been exceeded.');
  const isLast = fragment.to === fragment.total;
  if (!isLast && sizeBytes % FRAGMENT_STEP_BYTES !== 0) {
    throw badRequest('drives', `The fragment size is not a multiple of ${FRAGMENT_STEP_BYTES} bytes.`);
  }
}

function wrongLength(): Failure {
  return new Failure(400, 'invalidRequest', 'The body is not as long as its Content-Range.', { inner: 'fragmentLengthMismatch' });
}

async function readFragment(context: Context, fragment: Fragment): Promise<Intake> {
  const limitBytes = fragment.to - fragment.from;
  const intake = await receiveFile(context.tenant.received, context.stream, { limitBytes, tooLong: wrongLength, offset: fragment.from });
  if (intake.bytes.sizeBytes !== limitBytes) throw wrongLength();
  return intake;
}

function isSameTarget(a: UploadSession['target'], b: UploadSession['target']): boolean {
  if ('itemId' in a) return 'itemId' in b && a.itemId === b.itemId;
  return 'parentId' in b && a.parentId === b.parentId && a.name.toLowerCase() === b.name.toLowerCase();
}

/** One session at a time may be open on a path; those that have expired don't count. */
export function requireNoOtherSession(drive: OpenDrive, target: UploadSession['target']): void {
  const nowMs = drive.tenant.clock.nowMs();
  for (const [id, session] of drive.state.sessions) {
    if (session.expiresMs <= nowMs) drive.state.sessions.delete(id);
    else if (isSameTarget(session.target, target)) throw conflict('drives', 'An upload session is already open for this item.');
  }
}

/** The session that an upload link opens, or 404 as soon as it has expired. */
export function requireSession(drive: OpenDrive, id: string): UploadSession {
  const session = drive.state.sessions.get(id);
  if (session && session.expiresMs > drive.tenant.clock.nowMs()) return session;
  drive.state.sessions.delete(id);
  throw new Failure(404, 'itemNotFound', 'The upload session was not found.', { inner: 'uploadSessionNotFound' });
}

/** What the client learns about a session. */
export function sessionState(session: UploadSession): JsonObject {
  const isWhole = session.intake.bytes.sizeBytes === session.totalBytes;
  return {
    expirationDateTime: new Date(session.expiresMs).toISOString(),
    nextExpectedRanges: isWhole ? [] : [`${session.intake.bytes.sizeBytes}-`],
  };
}

/** Takes one fragment; true when the file is whole. */
export async function takeFragment(context: Context, drive: OpenDrive, session: UploadSession): Promise<boolean> {
  const fragment = readContentRange(context);
  requireOrder(session, fragment);
  requireSpace(context, drive, fragment.total);
  const data = await readFragment(context, fragment);
  // Another request may have brought the same fragment while this one was being read.
  requireOrder(session, fragment);
  session.intake = extended(session.intake, data);
  session.totalBytes = fragment.total;
  return fragment.to === fragment.total;
}

export interface Committed {
  readonly item: ItemRecord;
  readonly isNew: boolean;
}

/** Makes the file of a whole session, and ends it. */
export function commitSession(context: Context, drive: OpenDrive, session: UploadSession): Committed {
  if (session.intake.bytes.sizeBytes !== session.totalBytes) {
    throw new Failure(400, 'invalidRequest', 'Fragments are missing.', { inner: 'uploadSessionIncomplete' });
  }
  const { fileCreatedMs, fileModifiedMs } = session;
  const given = {
    content: uploadedContent(session.intake.bytes, session.intake.row),
    actor: { appId: session.appId },
    ...(fileCreatedMs === undefined ? {} : { fileCreatedMs }),
    ...(fileModifiedMs === undefined ? {} : { fileModifiedMs }),
  };
  const { target } = session;
  if ('itemId' in target) {
    const item = replaceContent(context, drive, requireItem(drive, target.itemId), given);
    drive.state.sessions.delete(session.id);
    return { item, isNew: false };
  }
  const parent = drive.get(target.parentId);
  if (!parent) throw notFound('drives', 'The folder of the upload is gone.');
  const { name, existing } = settleName(drive, { parent, name: target.name }, session.conflict);
  const item = existing
    ? replaceContent(context, drive, existing, given)
    : createFile(context, drive, { parentId: parent.id, name }, given);
  drive.state.sessions.delete(session.id);
  return { item, isNew: !existing };
}
