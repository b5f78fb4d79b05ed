import { basePaths } from '@holdfast/contract/limits';
import type { ResponseOf, Route } from '@holdfast/contract/route';
import type { Problem } from '@holdfast/contract/values';

/** What a handler is told of a call. */
export interface FakeCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly headers: Headers;
}

/** A server in memory that knows the contract: an answer that is not the route's does not compile. */
export interface FakeApi {
  readonly fetch: typeof fetch;
  /** Every call so far: `GET /apollo/api/Tenants`. */
  readonly calls: string[];
  readonly bodies: unknown[];
  on<const R extends Route>(route: R, answer: ResponseOf<R> | ((call: FakeCall) => ResponseOf<R>)): FakeApi;
  /** From now on this route fails. */
  fail(route: Route, status: number, problem?: Partial<Problem> & Readonly<Record<string, unknown>>): FakeApi;
  /** From now on nothing can be reached; `false` brings the network back. */
  offline(isOffline?: boolean): FakeApi;
}

interface Handler {
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly answer: (call: FakeCall) => Response;
}

function compile(route: Route): Pick<Handler, 'method' | 'pattern' | 'names'> {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const path = route.path.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '([^/]+)');
  const bases = { main: `(?:${basePaths.main}|${basePaths.staging})`, legacy: basePaths.legacy, root: '' };
  return { method: route.method, pattern: new RegExp(`^${bases[route.surface ?? 'main']}${path}$`), names };
}

function json(status: number, body: unknown): Response {
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } });
}

export function createFakeApi(): FakeApi {
  const handlers: Handler[] = [];
  const calls: string[] = [];
  const bodies: unknown[] = [];
  let isOffline = false;
  const answer = (method: string, url: URL, init: RequestInit | undefined): Response => {
    const handler = handlers.findLast((one) => one.method === method && one.pattern.test(url.pathname));
    if (handler === undefined) {
      return json(404, { status: 404, title: 'Not Found', message: 'Resource not found', code: 'not-found', requestId: 'none' });
    }
    const values = handler.pattern.exec(url.pathname)?.slice(1) ?? [];
    const params = Object.fromEntries(handler.names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')]));
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body;
    return handler.answer({ params, query: url.searchParams, body, headers: new Headers(init?.headers) });
  };
  const api: FakeApi = {
    calls,
    bodies,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input, 'http://localhost');
      const method = init?.method ?? 'GET';
      calls.push(`${method} ${url.pathname}${url.search}`);
      if (typeof init?.body === 'string') bodies.push(JSON.parse(init.body));
      await Promise.resolve();
      if (isOffline) throw new TypeError('Failed to fetch');
      init?.signal?.throwIfAborted();
      return answer(method, url, init);
    },
    on(route, given) {
      handlers.push({
        ...compile(route),
        answer: (call) => {
          const body = typeof given === 'function' ? (given as (call: FakeCall) => unknown)(call) : given;
          return body === undefined ? new Response(null, { status: 204 }) : json(route.status ?? 200, body);
        },
      });
      return api;
    },
    fail(route, status, problem = {}) {
      const body = {
        type: 'about:blank',
        title: 'Failure',
        status,
        message: 'It failed.',
        code: 'internal',
        requestId: 'req-1',
        ...problem,
      };
      handlers.push({ ...compile(route), answer: () => json(status, body) });
      return api;
    },
    offline(offline = true) {
      isOffline = offline;
      return api;
    },
  };
  return api;
}
