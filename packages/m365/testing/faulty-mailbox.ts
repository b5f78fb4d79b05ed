import type { Clock } from '@holdfast/foundation/clock';
import { createSeededRandom, type Random } from '@holdfast/foundation/random';
import type { Bytes } from '@holdfast/foundation/streams';
import { graphError } from '../src/errors/errors.ts';
import { connectionLost, type ScriptedAnswer, type ScriptedRequest } from './scripted-transport.ts';

/** A mailbox behind a bad connection to a busy service. Everything it does wrong follows from its randomness. */
export interface FaultyMailbox {
  readonly folders: readonly string[];
  /** Message → bytes, of what still exists. */
  readonly messages: ReadonlyMap<string, Buffer>;
  /** Messages that can't be read, whatever is tried. */
  readonly corrupt: ReadonlySet<string>;
  readonly vanished: ReadonlySet<string>;
  /** Requests that arrived while their mailbox was paused. */
  readonly early: number;
  readonly peak: number;
  respond(request: ScriptedRequest): Promise<ScriptedAnswer>;
}

interface Traits {
  readonly random: Random;
  readonly clock: Clock;
  /** How often a request meets a fault. */
  readonly rate: number;
}

const PAGE = 7;
const BASE = 'https://graph.microsoft.com/v1.0/users/u1/mailFolders';

async function* cut(bytes: Buffer, at: number): Bytes {
  for (let from = 0; from < at; from += 4_096) yield bytes.subarray(from, Math.min(at, from + 4_096));
  if (at < bytes.byteLength) throw graphError('graph.network', { system: 'ECONNRESET' });
}

function throttle({ random, clock }: Traits): { answer: ScriptedAnswer; waitMs: number } {
  const seconds = random.below(100) / 10;
  const whole = Math.ceil(seconds);
  const forms = [
    { headers: { 'retry-after': String(whole) }, waitMs: whole * 1000 },
    { headers: { 'retry-after': seconds.toFixed(3) }, waitMs: seconds * 1000 },
    {
      headers: { date: new Date(clock.nowMs()).toUTCString(), 'retry-after': new Date(clock.nowMs() + whole * 1000).toUTCString() },
      waitMs: whole * 1000 - 1000,
    },
    { headers: { 'retry-after': '1', 'ratelimit-reset': String(whole + 1) }, waitMs: (whole + 1) * 1000 },
    { headers: {}, waitMs: 0 },
  ];
  const form = forms[random.below(forms.length)] ?? { headers: {}, waitMs: 0 };
  const status = form.waitMs > 0 && random.next() < 0.3 ? 503 : 429;
  return { answer: { status, headers: form.headers, json: { error: { code: 'ApplicationThrottled' } } }, waitMs: form.waitMs };
}

function passingFault(random: Random): ScriptedAnswer {
  const faults: (() => ScriptedAnswer)[] = [
    () => ({ status: 500, json: { error: { code: 'ErrorInternalServerTransientError' } } }),
    () => ({ status: 502, body: '<html>' }),
    () => ({ status: 503, body: '' }),
    () => ({ status: 504, body: '' }),
    () => ({ status: 404, body: '' }),
    () => ({ status: 400, json: { error: { code: 'invalidRequest' } } }),
    () => ({ status: 401, json: { error: { code: 'InvalidAuthenticationToken' } } }),
    connectionLost,
  ];
  return faults[random.below(faults.length)]?.() ?? {};
}

const NOISE = createSeededRandom(0x6e6f).bytes(65_536);

/** A stretch of noise that begins at any byte of it: no two messages are alike, and none is made for one run alone. */
function aMessage(random: Random): Buffer {
  const sizeBytes = 1 + random.below(20_000);
  const from = random.below(NOISE.byteLength - sizeBytes);
  return NOISE.subarray(from, from + sizeBytes);
}

export function createFaultyMailbox(traits: Traits): FaultyMailbox {
  const { random, clock } = traits;
  const folders = Array.from({ length: 1 + random.below(3) }, (_, index) => `f${index}`);
  const messages = new Map<string, Buffer>();
  const corrupt = new Set<string>();
  const vanished = new Set<string>();
  const listed = new Map(folders.map((folder) => [folder, Array.from({ length: random.below(25) }, (_, index) => `${folder}-m${index}`)]));
  for (const ids of listed.values()) {
    for (const id of ids) {
      messages.set(id, aMessage(random));
      if (random.next() < 0.03) corrupt.add(id);
    }
  }
  const state = { pausedUntil: 0, early: 0, inFlight: 0, peak: 0, isCursorOld: random.next() < 0.3, faultsInARow: 0 };

  const pauses = new WeakMap<ScriptedAnswer, number>();

  function delta(folder: string, request: ScriptedRequest): ScriptedAnswer {
    const skip = request.query.get('$skiptoken');
    if (skip !== null && state.isCursorOld) {
      state.isCursorOld = false;
      return { status: 410, json: { error: { code: 'SyncStateNotFound' } } };
    }
    const from = Number(skip ?? 0);
    const ids = listed.get(folder) ?? [];
    const link = (name: string, token: number): object => ({
      [`@odata.${name}`]: `${BASE}/${folder}/messages/delta?$${name === 'nextLink' ? 'skip' : 'delta'}token=${token}`,
    });
    if (random.next() < 0.1 && from > 0) return { json: { value: [], ...link('nextLink', from + 0.001 + random.next() / 1000) } };
    const start = Math.floor(from);
    const page = ids.slice(start, start + PAGE);
    const repeated = random.next() < 0.2 ? page.slice(0, 2) : [];
    const value = [...page, ...repeated].map((id) => ({ id, changeKey: 'k' }));
    const end = start + PAGE;
    return { json: { value, ...(end < ids.length ? link('nextLink', end) : link('deltaLink', 1)) } };
  }

  function mime(id: string): ScriptedAnswer {
    if (random.next() < 0.02) {
      vanished.add(id);
      messages.delete(id);
    }
    const bytes = messages.get(id);
    if (!bytes) return { status: 404, json: { error: { code: 'ErrorItemNotFound' } } };
    if (corrupt.has(id)) return { status: 500, json: { error: { code: 'ErrorCorruptData' } } };
    const at = random.next() < traits.rate ? random.below(bytes.byteLength + 1) : bytes.byteLength;
    const length = random.next() < 0.5 ? { headers: { 'content-length': String(bytes.byteLength) } } : {};
    return { ...length, body: cut(bytes, at) };
  }

  function answer(request: ScriptedRequest): ScriptedAnswer {
    if (clock.monotonicMs() < state.pausedUntil) state.early += 1;
    if (random.next() < traits.rate && state.faultsInARow < 3) {
      state.faultsInARow += 1;
      if (random.next() < 0.5) return passingFault(random);
      const { answer: throttled, waitMs } = throttle(traits);
      // Nobody can know of a pause before its answer has arrived.
      pauses.set(throttled, clock.monotonicMs() + waitMs);
      return throttled;
    }
    state.faultsInARow = 0;
    const folder = /mailFolders\/(f\d)\/messages\/delta$/.exec(request.line)?.[1];
    if (folder !== undefined) return delta(folder, request);
    const id = /messages\/(f\d-m\d+)\/\$value$/.exec(request.line)?.[1];
    return id === undefined ? { status: 400, json: { error: { code: 'BadRequest' } } } : mime(id);
  }

  return {
    folders,
    messages,
    corrupt,
    vanished,
    get early() {
      return state.early;
    },
    get peak() {
      return state.peak;
    },
    async respond(request) {
      state.inFlight += 1;
      state.peak = Math.max(state.peak, state.inFlight);
      try {
        const given = answer(request);
        await clock.sleep(random.below(30));
        state.pausedUntil = Math.max(state.pausedUntil, pauses.get(given) ?? 0);
        return given;
      } finally {
        state.inFlight -= 1;
      }
    },
  };
}
