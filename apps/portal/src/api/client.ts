import { accounts } from '@holdfast/contract/identity';
import { requestTimeoutMs } from '@holdfast/contract/limits';
import type { PortalSettings } from '@holdfast/contract/portal-settings';
import type { BodyFor, ParamsFor, QueryFor, ResponseOf, Route } from '@holdfast/contract/route';
import type { Problem } from '@holdfast/contract/values';
import { ApiError } from './api-error.ts';
import type { Clock } from './clock.ts';
import type { Audience, Sessions } from './sessions.ts';

/** Which of the two data worlds the main API speaks to. */
export type Realm = 'production' | 'staging';

type Need<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : undefined extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

/** What a call takes: the parts its route declares, and no others. */
export type CallOptions<R extends Route> = Need<'params', ParamsFor<R>> &
  ([QueryFor<R>] extends [undefined] ? { readonly query?: undefined } : { readonly query?: QueryFor<R> }) &
  Need<'body', BodyFor<R>> &
  CallExtras;

export interface CallExtras {
  /** The disable-toast flag. */
  readonly quiet?: boolean;
  /** Polling and the like: does not count as activity. */
  readonly background?: boolean;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** For uploads: sent instead of a JSON body. */
  readonly form?: FormData;
  /** Told how much of the form has left, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** What a form is sent with. */
export type FormRequest = Pick<RequestInit, 'method' | 'signal'> & { readonly headers: Headers; readonly body: FormData };
/** Sends a form and says how much of it has left. Fails as `fetch` does. */
export type SendForm = (address: string, request: FormRequest, onProgress: (share: number) => void) => Promise<Response>;

export interface DownloadedFile {
  readonly blob: Blob;
  readonly fileName: string | null;
}

/** The typed way to the server. Every failure is an `ApiError`. */
export interface ApiClient {
  send<const R extends Route>(route: R, options: CallOptions<R>): Promise<ResponseOf<R>>;
  /** A file that fits into the memory of a browser. */
  download<const R extends Route>(route: R, options: CallOptions<R>): Promise<DownloadedFile>;
  /** The address of a file of any size: a link to it is followed once, within a minute, and the browser writes to the disk. */
  linkTo<const R extends Route>(route: R, options: CallOptions<R>): Promise<string>;
  /** The raw answer, for event streams: no timeout. */
  open<const R extends Route>(route: R, options: CallOptions<R>): Promise<Response>;
  /** The version tag that came with an answer, for `If-Match`. */
  tagOf(answer: object): string | undefined;
}

export interface ClientParts {
  readonly settings: PortalSettings;
  readonly sessions: Sessions;
  readonly fetch: typeof fetch;
  readonly sendForm: SendForm;
  readonly clock: Clock;
  readonly realm: () => Realm;
  readonly language: () => string;
  /** One shared renewal; false when there is nothing to renew with. */
  readonly renew: (failedToken: string) => Promise<boolean>;
  /** Waits while a sign-out is under way; false when the call is not to be made any more. */
  readonly settled: () => Promise<boolean>;
  /** Aborts when a sign-out begins. */
  readonly signOutBegins: () => AbortSignal;
  /** Cookies are cleared and the visitor leaves: the sign-in is over. */
  readonly onSessionLost: () => void;
}

interface Sent {
  readonly route: Route;
  readonly options: AnyOptions;
  /** Ends the call when it lasts too long; null: it may last. */
  readonly timeout: AbortSignal | null;
}

type AnyOptions = CallExtras & { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown };

/** The path with its parameters filled in and the query behind it. Undefined values are left out. */
export function addressOf(route: Route, params: unknown, query: unknown): string {
  const values = new Map(Object.entries((params ?? {}) as Record<string, unknown>));
  const path = route.path.replaceAll(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (value === undefined || value === null || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(key, String(one));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The client over `fetch`: bases, tokens, shared headers, timeout, renewal on 401. */
export function createClient(parts: ClientParts): ApiClient {
  const tags = new WeakMap<object, string>();
  const send = async (sent: Sent): Promise<Response> => {
    const audience = audienceOf(sent.route, parts.realm());
    if (sent.route.action === 'public') return await attempt(parts, sent, credentialFor(parts, audience));
    const { answer, token } = await attemptSignedIn(parts, sent, audience);
    if (answer.status !== 401) return answer;
    const renewed = await parts.renew(token);
    const second = renewed ? (await attemptSignedIn(parts, sent, audience)).answer : answer;
    if (second.status === 401 && audience !== 'legacy') parts.onSessionLost();
    return second;
  };
  const checked = async (sent: Sent): Promise<Response> => {
    const answer = await send(sent);
    if (!answer.ok) throw await failureOf(answer, sent.route, audienceOf(sent.route, parts.realm()));
    return answer;
  };
  const begun = async (route: Route, options: AnyOptions): Promise<Response> =>
    await checked({ route, options, timeout: AbortSignal.timeout(requestTimeoutMs) });
  return {
    async send(route, options) {
      const answer = await begun(route, options);
      if (route.response === 'empty' || answer.status === 204) return undefined as never;
      const data: unknown = await answer.json();
      const tag = answer.headers.get('ETag');
      if (tag !== null && typeof data === 'object' && data !== null) tags.set(data, tag);
      return data as never;
    },
    async download(route, options) {
      // The answer has to begin in time. What it holds takes as long as it takes: a mailbox is larger than any timeout.
      const late = new AbortController();
      const stop = parts.clock.after(requestTimeoutMs, () => late.abort());
      const answer = await checked({ route, options, timeout: late.signal }).finally(stop);
      const fileName = fileNameOf(answer.headers.get('Content-Disposition'));
      return { blob: await answer.blob().catch((error: unknown) => brokenOff(route, options, error)), fileName };
    },
    async linkTo(route, options) {
      const address = baseFor(parts, route) + addressOf(route, options.params, options.query);
      await begun(accounts.downloadPass, { body: { address } });
      return address;
    },
    open: (route, options) => checked({ route, options, timeout: null }),
    tagOf: (answer) => tags.get(answer),
  };
}

/** The connection broke while a file was on its way, or the server could not go on. */
function brokenOff(route: Route, options: AnyOptions, cause: unknown): never {
  if (options.signal?.aborted === true) throw cause;
  throw new ApiError({ kind: 'network', status: 0, legacy: route.surface === 'legacy', path: route.path }, { cause });
}

function baseFor({ settings, realm }: ClientParts, route: Route): string {
  return route.surface === 'root' ? '' : settings.basePaths[audienceOf(route, realm())];
}

/** Which of the three credentials a route takes. */
function audienceOf(route: Route, realm: Realm): Audience {
  if (route.surface === 'legacy' && !(route.staged && realm === 'staging')) return 'legacy';
  return realm === 'staging' ? 'staging' : 'main';
}

interface Credential {
  readonly audience: Audience;
  readonly token: string;
}

function credentialFor({ sessions }: ClientParts, audience: Audience): Credential {
  return { audience, token: sessions.read(audience)?.token ?? '' };
}

/**
 * A call of somebody who is signed in. What is only read is let go when a sign-out begins, and asked for again should
 * none come about: the server would refuse it in between.
 */
async function attemptSignedIn(parts: ClientParts, sent: Sent, audience: Audience): Promise<{ answer: Response; token: string }> {
  for (;;) {
    if (!(await parts.settled())) throw new DOMException('Nobody is signed in any more.', 'AbortError');
    const credential = credentialFor(parts, audience);
    const letGo = sent.route.method === 'GET' ? parts.signOutBegins() : undefined;
    try {
      return { answer: await attempt(parts, sent, credential, letGo), token: credential.token };
    } catch (error) {
      if (letGo?.aborted !== true || sent.options.signal?.aborted === true) throw error;
    }
  }
}

async function attempt(
  parts: ClientParts,
  { route, options, timeout }: Sent,
  credential: Credential,
  letGo?: AbortSignal,
): Promise<Response> {
  const signals = [options.signal, letGo, timeout].filter((signal) => signal !== undefined && signal !== null);
  const headers = headersOf(parts, options, credential);
  const request: RequestInit = { method: route.method, headers, credentials: 'same-origin', signal: AbortSignal.any(signals) };
  const address = baseFor(parts, route) + addressOf(route, options.params, options.query);
  const { form, onProgress } = options;
  if (form !== undefined) request.body = form;
  else if (options.body !== undefined) request.body = JSON.stringify(options.body);
  else if (route.method !== 'GET') request.body = '{}';
  try {
    if (form !== undefined && onProgress !== undefined)
      return await parts.sendForm(address, { ...request, headers, body: form }, onProgress);
    return await parts.fetch(address, request);
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new ApiError({ kind: 'network', status: 0, legacy: credential.audience === 'legacy', path: route.path }, { cause: error });
  }
}

/** The headers of every call (spec section 7). */
function headersOf(parts: ClientParts, options: AnyOptions, credential: { audience: Audience; token: string }): Headers {
  const headers = new Headers({
    Accept: 'application/json',
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': parts.settings.allowedOrigins,
    'Accept-Language': parts.language(),
    ...options.headers,
  });
  // The browser itself names the boundary of a form.
  if (options.form === undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
  if (credential.token !== '') {
    headers.set('Authorization', credential.audience === 'legacy' ? credential.token : `Bearer ${credential.token}`);
  }
  if (options.background === true) headers.set('X-Background-Poll', '1');
  return headers;
}

async function failureOf(answer: Response, route: Route, audience: Audience): Promise<ApiError> {
  const problem = await answer
    .json()
    .then((body: unknown) => (typeof body === 'object' && body !== null ? (body as Partial<Problem>) : {}))
    .catch(() => ({}));
  const retryAfter = Number(answer.headers.get('Retry-After'));
  return new ApiError({
    kind: 'answer',
    status: answer.status,
    problem,
    ...(retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {}),
    legacy: audience === 'legacy' || route.action === 'public',
    path: route.path,
  });
}

/** `filename*=UTF-8''…` of a download, else its plain `filename`. */
export function fileNameOf(disposition: string | null): string | null {
  const extended = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  return disposition?.match(/filename="?([^";]+)"?/i)?.[1] ?? null;
}
