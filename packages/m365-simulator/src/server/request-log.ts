/** One request that was answered. */
export interface LoggedRequest {
  readonly number: number;
  readonly atMs: number;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  /** `undefined` when no route was found. */
  readonly template: string | undefined;
  readonly tenantId: string | undefined;
  readonly appId: string | undefined;
  readonly status: number;
  readonly bytesIn: number;
  /** Of the body as it was made, before compression and faults. */
  readonly bytesOut: number;
  /** The nearest limit that it counted against, and how much of it it took; `undefined` while limits are off. */
  readonly bucket: string | undefined;
  readonly cost: number;
  readonly isBatched: boolean;
  /** A bearer token came with a request to a pre-authenticated host. */
  readonly hasStrayToken: boolean;
}

export interface RequestFilter {
  readonly method?: string | undefined;
  readonly template?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  /** Only those with a greater number. */
  readonly after?: number | undefined;
}

/** The last requests, for tests that count them, and counts of all since the start. */
export interface RequestLog {
  add(request: Omit<LoggedRequest, 'number'>): void;
  list(filter: RequestFilter): readonly LoggedRequest[];
  readonly total: number;
  /** `GET /users/{id} 200` → how many. */
  readonly counts: ReadonlyMap<string, number>;
  readonly strayTokens: number;
  clear(): void;
}

const KEPT = 50_000;

export function createRequestLog(): RequestLog {
  let kept: LoggedRequest[] = [];
  const counts = new Map<string, number>();
  let total = 0;
  let strayTokens = 0;

  function matches(request: LoggedRequest, filter: RequestFilter): boolean {
    if (filter.method !== undefined && request.method !== filter.method) return false;
    if (filter.template !== undefined && request.template !== filter.template) return false;
    if (filter.status !== undefined && request.status !== filter.status) return false;
    return filter.path === undefined || request.path.includes(filter.path);
  }

  return {
    add(request) {
      total += 1;
      kept.push({ number: total, ...request });
      if (kept.length > KEPT * 2) kept = kept.slice(-KEPT);
      const name = `${request.method} ${request.template ?? request.host} ${request.status}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (request.hasStrayToken) strayTokens += 1;
    },
    list(filter) {
      // They are numbered without a gap.
      const first = filter.after === undefined ? 0 : Math.max(0, filter.after + 1 - (kept[0]?.number ?? 0));
      return kept.slice(first).filter((request) => matches(request, filter));
    },
    get total() {
      return total;
    },
    counts,
    get strayTokens() {
      return strayTokens;
    },
    clear() {
      kept = [];
      counts.clear();
      strayTokens = 0;
    },
  };
}
