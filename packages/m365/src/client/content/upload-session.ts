import { graphError, isGraphError } from '../../errors/errors.ts';
import type { Answer, Caller } from '../caller.ts';
import type { UploadSource } from '../calls.ts';
import { isObject, requiredText, textOf } from '../checks.ts';
import type { RouteName } from '../routes/routes.ts';
import { createFragmentReader, type FragmentReader } from './fragments.ts';

/** A session as the service opened it. */
export interface OpenSession {
  readonly uploadUrl: string;
  readonly expiresAt: string;
  readonly nextOffsetBytes: number;
}

export interface SessionUpload {
  readonly put: Extract<RouteName, `PUT ${string}`>;
  /** Where the state of a session can be read; Outlook has no such call. */
  readonly status?: Extract<RouteName, `GET ${string}`>;
  readonly fragmentBytes: number;
  readonly mailbox?: string;
  /** Opens a new session. */
  open(): Promise<OpenSession>;
  readonly resume?: OpenSession;
  /** Finds what the last fragment made, when its answer was lost and the session is closed. */
  recover?(): Promise<Answer | undefined>;
  onProgress?(session: OpenSession): Promise<void> | void;
}

const RESTARTS = 3;

/** `nextExpectedRanges` of drives (`26-`) and `NextExpectedRanges` of Outlook (`2097152`). */
function nextOffset(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  const ranges = value['nextExpectedRanges'] ?? value['NextExpectedRanges'];
  const first: unknown = Array.isArray(ranges) ? ranges[0] : undefined;
  const offset = typeof first === 'string' ? Number.parseInt(first, 10) : Number.NaN;
  return Number.isNaN(offset) ? undefined : offset;
}

/** The session has all its bytes and expects no more: what is left is to commit it. */
function isComplete(value: unknown): boolean {
  const ranges = isObject(value) ? value['nextExpectedRanges'] : undefined;
  return Array.isArray(ranges) && ranges.length === 0;
}

/** Reads the answer that opens a session. */
export function asSession(value: unknown): OpenSession {
  return {
    uploadUrl: requiredText(value, 'uploadUrl'),
    expiresAt: textOf(value, 'expirationDateTime') ?? '',
    nextOffsetBytes: nextOffset(value) ?? 0,
  };
}

interface Transfer {
  readonly caller: Caller;
  readonly upload: SessionUpload;
  readonly source: UploadSource;
  readonly reader: FragmentReader;
}

/** Where the service says a session stands; `undefined` when it is gone or can't tell. */
async function readState(transfer: Transfer, session: OpenSession): Promise<OpenSession | undefined> {
  const { caller, upload } = transfer;
  if (!upload.status) return undefined;
  try {
    const { value } = await caller.answer({ route: upload.status, link: session.uploadUrl });
    const offset = isComplete(value) ? transfer.source.sizeBytes : nextOffset(value);
    return offset === undefined ? undefined : { ...session, nextOffsetBytes: offset };
  } catch (error) {
    if (isGraphError(error, 'graph.address-expired', 'graph.item-gone')) return undefined;
    throw error;
  }
}

async function putFragment(transfer: Transfer, session: OpenSession): Promise<Answer> {
  const { caller, upload, source, reader } = transfer;
  const from = session.nextOffsetBytes;
  const fragment = await reader.read(from, upload.fragmentBytes);
  const to = from + fragment.byteLength - 1;
  return caller.answer({
    route: upload.put,
    link: session.uploadUrl,
    raw: { bytes: fragment, contentType: 'application/octet-stream' },
    headers: { 'content-range': `bytes ${from}-${to}/${source.sizeBytes}` },
    bytesOut: fragment.byteLength,
    ...(upload.mailbox === undefined ? {} : { mailbox: upload.mailbox }),
  });
}

function isLastOf({ upload, source }: Transfer, session: OpenSession): boolean {
  return session.nextOffsetBytes + upload.fragmentBytes >= source.sizeBytes;
}

type FragmentOutcome = { readonly finished: Answer } | { readonly session: OpenSession } | { readonly lost: true };

/** What follows a fragment that was refused: the place where the service stands, the finished item, or a new session. */
async function afterRefusal(transfer: Transfer, session: OpenSession, error: unknown): Promise<FragmentOutcome> {
  if (isGraphError(error, 'graph.address-expired', 'graph.item-gone')) {
    const finished = isLastOf(transfer, session) ? await transfer.upload.recover?.() : undefined;
    return finished ? { finished } : { lost: true };
  }
  if (!isGraphError(error, 'graph.range-refused')) throw error;
  const state = await readState(transfer, session);
  return state ? { session: state } : { lost: true };
}

async function sendFragment(transfer: Transfer, session: OpenSession): Promise<FragmentOutcome> {
  try {
    const answer = await putFragment(transfer, session);
    const offset = nextOffset(answer.value);
    if (isLastOf(transfer, session) && (offset === undefined || offset >= transfer.source.sizeBytes)) return { finished: answer };
    return { session: { ...session, nextOffsetBytes: offset ?? session.nextOffsetBytes + transfer.upload.fragmentBytes } };
  } catch (error) {
    return afterRefusal(transfer, session, error);
  }
}

/** Sends fragments until the service has them all. `undefined`: the session was lost. */
async function sendFragments(transfer: Transfer, opened: OpenSession): Promise<Answer | undefined> {
  let session = opened;
  for (let stuck = 0; stuck < RESTARTS;) {
    await transfer.upload.onProgress?.(session);
    if (session.nextOffsetBytes >= transfer.source.sizeBytes) return { status: 202, headers: {}, value: {} };
    const outcome = await sendFragment(transfer, session);
    if ('finished' in outcome) return outcome.finished;
    if ('lost' in outcome) return undefined;
    stuck = outcome.session.nextOffsetBytes === session.nextOffsetBytes ? stuck + 1 : 0;
    session = outcome.session;
  }
  throw graphError('graph.range-refused', { request: transfer.upload.put, offset: session.nextOffsetBytes });
}

/**
 * Sends content through an upload session. Interrupted fragments continue where the service stands; a session that is
 * lost is opened anew, from the beginning. Returns the service's last answer.
 */
export async function uploadInSession(caller: Caller, upload: SessionUpload, source: UploadSource): Promise<Answer> {
  const reader = createFragmentReader(source);
  const transfer: Transfer = { caller, upload, source, reader };
  try {
    let session = upload.resume ? await readState(transfer, upload.resume) : undefined;
    for (let restarts = 0; restarts <= RESTARTS; restarts += 1) {
      session ??= await upload.open();
      const answer = await sendFragments(transfer, session);
      if (answer) return answer;
      session = undefined;
    }
    throw graphError('graph.address-expired', { request: upload.put, restarts: RESTARTS });
  } finally {
    await reader.close();
  }
}
