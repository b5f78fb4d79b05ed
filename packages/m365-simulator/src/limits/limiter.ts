import type { SimulatorClock } from '../clock/simulator-clock.ts';
import { dialects, Failure } from '../http/failure.ts';
import type { Admitted } from '../calls/gate.ts';
import { type Bucket, bucketsOf, type Counted, isDownload, mailboxOf } from './buckets.ts';
import { pauseFor, type RetryAfterForm } from './retry-after.ts';
import { createWindow, type Window } from './window.ts';

export interface LimitSettings {
  readonly mode: 'real' | 'off';
  /** All limits times this, so that a test reaches them soon. */
  readonly factor: number;
  /** Requests of one app at a time in one mailbox. */
  readonly concurrency: number;
}

/** A request that came before the pause was over. */
export interface EarlyRequest {
  readonly scope: string;
  readonly path: string;
  readonly atMs: number;
  readonly earlyByMs: number;
}

export interface Limiter {
  /** Counts a request; throws 429 when a limit is reached. */
  admit(counted: Counted): Admitted;
  /** Pauses what the request belongs to, as a scripted 429 does. Returns the header. */
  pause(counted: Counted, seconds: number, form: RetryAfterForm): string;
  set(settings: Partial<LimitSettings>): void;
  readonly settings: LimitSettings;
  readonly early: readonly EarlyRequest[];
  /** Most requests that were under way at one time, by app and mailbox. */
  readonly peaks: ReadonlyMap<string, number>;
  reset(): void;
}

const CONCURRENCY_WAIT_MS = 1000;
const KEPT_EARLY = 10_000;

interface State {
  settings: LimitSettings;
  readonly windows: Map<string, Window>;
  readonly pauses: Map<string, number>;
  readonly under: Map<string, number>;
  readonly peaks: Map<string, number>;
  readonly early: EarlyRequest[];
}

function windowOf(state: State, bucket: Bucket): Window {
  let window = state.windows.get(bucket.key);
  if (!window) {
    window = createWindow(bucket.windowMs);
    state.windows.set(bucket.key, window);
  }
  return window;
}

function noteEarly(state: State, scopes: ReadonlySet<string>, counted: Counted, nowMs: number): void {
  for (const scope of scopes) {
    const untilMs = state.pauses.get(scope);
    if (untilMs === undefined || untilMs <= nowMs) continue;
    if (state.early.length < KEPT_EARLY) state.early.push({ scope, path: counted.route.path, atMs: nowMs, earlyByMs: untilMs - nowMs });
  }
}

/** What the services tell of how near a limit is. */
function headersOf(
  counted: Counted,
  buckets: readonly { readonly bucket: Bucket; readonly sum: number; readonly limit: number }[],
): Readonly<Record<string, string>> | undefined {
  const { service } = counted.route;
  const units = buckets.find(({ bucket }) => bucket.kind === 'units');
  if (!units) return undefined;
  const share = units.sum / units.limit;
  if (service === 'directory') {
    const unit = { 'x-ms-resource-unit': String(units.bucket.cost) };
    return share < 0.8 ? unit : { ...unit, 'x-ms-throttle-limit-percentage': Math.min(1.8, share).toFixed(1) };
  }
  if (share < 0.8) return undefined;
  return {
    'RateLimit-Limit': String(units.limit),
    'RateLimit-Remaining': String(Math.max(0, Math.floor(units.limit - units.sum))),
    'RateLimit-Reset': String(Math.ceil(units.bucket.windowMs / 1000)),
  };
}

function throttled(counted: Counted, header: string): Failure {
  const { service } = counted.route;
  const directory = {
    'x-ms-throttle-scope': `Tenant_Application/ReadWrite/${counted.appId}/${counted.tenant.tenantId}`,
    'x-ms-throttle-information': 'ResourceUnitLimitExceeded',
  };
  const headers = service === 'directory' ? { 'Retry-After': header, ...directory } : { 'Retry-After': header };
  const isDrive = service === 'drives' || service === 'sites';
  return new Failure(
    429,
    dialects[service].throttled,
    'Application is over its limit. Please retry after the time in Retry-After.',
    isDrive ? { headers, inner: 'throttledRequest' } : { headers },
  );
}

function enter(state: State, counted: Counted): () => void {
  if (counted.route.service !== 'outlook') return () => undefined;
  const key = `${counted.appId}/${mailboxOf(counted)}`;
  const count = (state.under.get(key) ?? 0) + 1;
  state.under.set(key, count);
  if (count > (state.peaks.get(key) ?? 0)) state.peaks.set(key, count);
  return () => {
    const left = (state.under.get(key) ?? 1) - 1;
    if (left <= 0) state.under.delete(key);
    else state.under.set(key, left);
  };
}

function isCrowded(state: State, counted: Counted): boolean {
  return (
    counted.route.service === 'outlook' && (state.under.get(`${counted.appId}/${mailboxOf(counted)}`) ?? 0) > state.settings.concurrency
  );
}

/** The limits of section A5, in sliding windows on the clock of the simulator. */
export function createLimiter(clock: SimulatorClock, mode: 'real' | 'off'): Limiter {
  const state: State = {
    settings: { mode, factor: 1, concurrency: 4 },
    windows: new Map(),
    pauses: new Map(),
    under: new Map(),
    peaks: new Map(),
    early: [],
  };

  function refuse(counted: Counted, scope: string, waitMs: number): Failure {
    const nowMs = clock.nowMs();
    const pause = pauseFor(nowMs, waitMs, counted.tenant.switches.retryAfterForm);
    state.pauses.set(scope, Math.max(pause.untilMs, state.pauses.get(scope) ?? 0));
    return throttled(counted, pause.header);
  }

  function count(counted: Counted): Readonly<Record<string, string>> | undefined {
    const nowMs = clock.nowMs();
    const buckets = bucketsOf(counted);
    noteEarly(state, new Set(buckets.map((bucket) => bucket.scope)), counted, nowMs);
    let full: { readonly scope: string; readonly waitMs: number } | undefined;
    const seen = buckets.map((bucket) => {
      const limit = Math.max(1, Math.floor(bucket.limit * state.settings.factor));
      const window = windowOf(state, bucket);
      const isOver = window.sum(nowMs) + bucket.cost > limit;
      const waitMs = isOver ? window.waitMs(nowMs, bucket.cost, limit) : 0;
      if (isOver && waitMs > (full?.waitMs ?? -1)) full = { scope: bucket.scope, waitMs };
      window.add(nowMs, bucket.cost);
      return { bucket, sum: window.sum(nowMs), limit };
    });
    if (full) throw refuse(counted, full.scope, full.waitMs);
    return headersOf(counted, seen);
  }

  /** What a download took of the bytes that may go out. */
  function countSent(counted: Counted, bytesOut: number): void {
    const out = isDownload(counted) ? bucketsOf(counted).find(({ kind }) => kind === 'bytes') : undefined;
    if (out) windowOf(state, out).add(clock.nowMs(), bytesOut);
  }

  return {
    admit(counted) {
      const leave = enter(state, counted);
      if (state.settings.mode === 'off') {
        if (state.pauses.size > 0) noteEarly(state, new Set(bucketsOf(counted).map((bucket) => bucket.scope)), counted, clock.nowMs());
        return { headers: undefined, leave };
      }
      try {
        if (isCrowded(state, counted)) throw refuse(counted, bucketsOf(counted)[0]?.scope ?? '', CONCURRENCY_WAIT_MS);
        const headers = count(counted);
        return {
          headers,
          leave(bytesOut) {
            leave();
            countSent(counted, bytesOut);
          },
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
    pause(counted, seconds, form) {
      const pause = pauseFor(clock.nowMs(), seconds * 1000, form);
      const scope = bucketsOf(counted)[0]?.scope ?? '';
      state.pauses.set(scope, Math.max(pause.untilMs, state.pauses.get(scope) ?? 0));
      return pause.header;
    },
    set(settings) {
      state.settings = { ...state.settings, ...settings };
    },
    get settings() {
      return state.settings;
    },
    early: state.early,
    peaks: state.peaks,
    reset() {
      state.windows.clear();
      state.pauses.clear();
      state.peaks.clear();
      state.early.length = 0;
    },
  };
}
