import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, type LabelValues } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import { equalBytes, sha256 } from '@holdfast/foundation/bytes';
import { isFromThisMachine } from './caller-address.ts';
import { AppError } from '@holdfast/foundation/errors';
import type { Secret } from '@holdfast/foundation/secrets';

/** Figures of this process in the form that Prometheus reads. */
export interface Metrics {
  readonly registry: Registry;
  /** A figure that is read when asked for. */
  gauge(name: string, help: string, read: () => number): void;
  counter(name: string, help: string, labels: readonly string[]): Counter;
  /** Figures by label that are read when asked for. What cannot be read now is absent. */
  series<Label extends string>(series: Series<Label>): void;
}

/** One figure with its labels. */
export interface Sample<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

export interface Series<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
  readonly read: () => Promise<readonly Sample<Label>[]>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'holdfast_' });
  return {
    registry,
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({
        name: `holdfast_${name}`,
        help,
        registers: [registry],
        collect(): void {
          gauge.set(read());
        },
      });
    },
    series<Label extends string>({ name, help, labels, read }: Series<Label>) {
      const gauge: Gauge<Label> = new Gauge({
        name: `holdfast_${name}`,
        help,
        labelNames: labels,
        registers: [registry],
        async collect(): Promise<void> {
          const samples = await read().catch(() => []);
          gauge.reset();
          for (const sample of samples) gauge.set(sample.labels as LabelValues<Label>, sample.value);
        },
      });
    },
    counter: (name, help, labels) => new Counter({ name: `holdfast_${name}`, help, labelNames: [...labels], registers: [registry] }),
  };
}

/** Counts requests by route and status, and how long they take. Paths are those of the contract, never of the request. */
export function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  const duration = new Histogram({
    name: 'holdfast_http_request_seconds',
    help: 'Time to answer, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 60],
    registers: [metrics.registry],
  });
  // One series for each route and status, found by one key instead of by hashing its labels again for every request.
  const series = new Map<string, { observe(seconds: number): void }>();
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const key = `${reply.statusCode} ${request.method} ${route}`;
    let own = series.get(key);
    if (!own) series.set(key, (own = duration.labels({ method: request.method, route, status: String(reply.statusCode) })));
    own.observe(reply.elapsedTime / 1_000);
    done();
  });
}

/** `GET /metrics`: with the operator's token; without one only this machine may read it. */
export function serveMetrics(server: FastifyInstance, metrics: Metrics, token: Secret | undefined): void {
  server.get('/metrics', async (request, reply) => {
    const given = request.headers.authorization ?? '';
    const isAllowed = token ? equalBytes(sha256(given), sha256(`Bearer ${token.reveal()}`)) : isFromThisMachine(request);
    if (!isAllowed) throw new AppError('not-found');
    return reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}
