import type { Bytes } from '@holdfast/foundation/streams';
import { backoffMs } from '@holdfast/foundation/retry';
import { isGraphError, type GraphError } from '../errors/errors.ts';
import type { Answer, Caller } from './caller.ts';
import { asObject, isObject } from './checks.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import type { WireResponse } from '../http/transport.ts';
import { failureOfResponse, type AttemptFailure } from './request/attempt-failure.ts';
import { tellClosedMailbox } from './request/closed-mailbox.ts';
import type { GraphCall } from './request/graph-call.ts';
import { costOf, methodOf, pathOf } from './routes/routes.ts';

/** What came of one part of a batch, in the order of the parts. */
export type BatchResult = { readonly answer: Answer } | { readonly error: GraphError };

interface Part {
  readonly index: number;
  readonly call: GraphCall;
  tries: number;
}

interface InnerResponse {
  readonly id: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const PARTS_PER_BATCH = 20;
const FAILED_DEPENDENCY = 424;

function innerUrl(call: GraphCall): string {
  const query = Object.entries(call.query ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pathOf(call.route, call.params ?? []).replace(/^\/v1\.0/, '') + (query.length > 0 ? `?${query.join('&')}` : '');
}

/**
 * To a mailbox the service sends four parts at a time, whatever else goes on there. A chain keeps it to one, so that a
 * batch holds a single slot of the mailbox.
 */
function describe(part: Part, position: number): Record<string, unknown> {
  const { call } = part;
  const isOutlook = costOf(call.route).service === 'outlook';
  const prefer = [...(call.prefer ?? []), ...(isOutlook ? ['IdType="ImmutableId"'] : [])];
  const headers = {
    ...(call.json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(prefer.length > 0 ? { Prefer: prefer.join(', ') } : {}),
    ...call.headers,
  };
  return {
    id: String(position + 1),
    method: methodOf(call.route),
    url: innerUrl(call),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(call.json === undefined ? {} : { body: call.json }),
    ...(isOutlook && position > 0 ? { dependsOn: [String(position)] } : {}),
  };
}

function asInner(value: unknown): InnerResponse {
  const part = asObject<{ id?: unknown; status?: unknown; headers?: unknown; body?: unknown }>(value);
  const headers: Record<string, string> = {};
  if (isObject(part.headers)) for (const [name, text] of Object.entries(part.headers)) headers[name.toLowerCase()] = String(text);
  return { id: String(part.id), status: Number(part.status), headers, body: part.body };
}

function asWire(inner: InnerResponse): WireResponse {
  const bytes = Buffer.from(inner.body === undefined || inner.body === null ? '' : JSON.stringify(inner.body));
  async function* body(): Bytes {
    yield bytes;
  }
  return { status: inner.status, headers: inner.headers, body: body(), read: () => Promise.resolve(bytes), discard: () => undefined };
}

function readParts(answer: Answer): ReadonlyMap<number, InnerResponse> {
  const { responses } = asObject<{ responses?: unknown }>(answer.value);
  const list = Array.isArray(responses) ? responses.map(asInner) : [];
  return new Map(list.map((inner) => [Number(inner.id) - 1, inner]));
}

/** Pauses the buckets of throttled parts. A batch is answered with 200 whatever became of them. */
async function heedParts(caller: Caller, parts: readonly Part[], answers: ReadonlyMap<number, InnerResponse>): Promise<void> {
  const { budgets, charges, clock } = caller.parts;
  for (const [position, inner] of answers) {
    const part = parts[position];
    const waitMs = inner.status >= 400 ? retryAfterMs(inner.headers, clock.nowMs()) : undefined;
    if (!part || waitMs === undefined) continue;
    const spending = { route: part.call.route, params: part.call.params ?? [] };
    for (const charge of charges.chargesOf(spending)) await budgets.pause(charge.bucket, waitMs);
  }
}

/** Sends up to 20 parts once. Returns the answers by position. */
async function sendOnce(caller: Caller, parts: readonly Part[]): Promise<ReadonlyMap<number, InnerResponse>> {
  const isRepeatable = parts.every(({ call }) => methodOf(call.route) !== 'POST' || call.isRepeatable === true);
  const call: GraphCall = {
    route: 'POST /$batch',
    json: { requests: parts.map(describe) },
    inner: parts.map((part) => part.call),
    isRepeatable,
  };
  return readParts(await caller.answer(call, (answer) => heedParts(caller, parts, readParts(answer))));
}

/** Whether a part may be sent again after this failure; counts the try. */
function mayRepeat(part: Part, failure: AttemptFailure): boolean {
  if (failure.error.code === 'graph.throttled') return part.call.isRepeatable === true || methodOf(part.call.route) !== 'POST';
  part.tries += 1;
  return part.tries < failure.tries && (methodOf(part.call.route) !== 'POST' || part.call.isRepeatable === true);
}

async function round(caller: Caller, parts: readonly Part[], results: BatchResult[]): Promise<Part[]> {
  const { clock, random } = caller.parts;
  const answers = await sendOnce(caller, parts);
  const token = await caller.parts.tokens.current();
  const again: Part[] = [];
  let waitMs = 0;
  for (const [position, part] of parts.entries()) {
    const inner = answers.get(position);
    if (!inner || inner.status === FAILED_DEPENDENCY) {
      again.push(part);
      continue;
    }
    if (inner.status < 400) {
      results[part.index] = { answer: { status: inner.status, headers: inner.headers, value: inner.body } };
      continue;
    }
    const refused = await failureOfResponse(part.call, asWire(inner), { nowMs: clock.nowMs(), token });
    const failure = await tellClosedMailbox(caller.parts, part.call, refused);
    if (!mayRepeat(part, failure)) {
      results[part.index] = { error: failure.error };
      continue;
    }
    again.push(part);
    waitMs = Math.max(waitMs, failure.waitMs ?? backoffMs(Math.max(1, part.tries), { firstDelayMs: 2_000, maxDelayMs: 300_000, random }));
  }
  if (waitMs > 0) await clock.sleep(waitMs, caller.scope.signal);
  return again;
}

/**
 * Sends many small requests in few. Each part is charged and throttled for itself; only what was throttled is sent
 * again, after the longest wait. One part's failure is its own result. Parts must not need streams.
 */
export async function sendBatch(caller: Caller, calls: readonly GraphCall[]): Promise<readonly BatchResult[]> {
  const results: BatchResult[] = [];
  let pending: Part[] = calls.map((call, index) => ({ index, call, tries: 0 }));
  while (pending.length > 0) {
    const parts = pending.slice(0, PARTS_PER_BATCH);
    const rest = pending.slice(PARTS_PER_BATCH);
    try {
      pending = [...(await round(caller, parts, results)), ...rest];
    } catch (error) {
      // A batch that was lost as a whole fails its parts, not those of other batches.
      if (!isGraphError(error, 'graph.write-uncertain', 'graph.service-fault', 'graph.network')) throw error;
      for (const part of parts) results[part.index] = { error };
      pending = rest;
    }
  }
  return results;
}
