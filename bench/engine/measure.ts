import type { GraphClient } from '@holdfast/m365';

/** What some work took. `bytes` is what the work says it read, `received` the bodies of all answers. */
export interface Measured {
  readonly what: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly items: number;
  readonly bytes: number;
  readonly requests: number;
  readonly received: number;
}

export interface Done {
  readonly items: number;
  readonly bytes: number;
}

/** Does the work once and says what this process and its client spent on it. */
export async function measure(what: string, graph: GraphClient, work: () => Promise<Done>): Promise<Measured> {
  const before = graph.statistics();
  const cpu = process.cpuUsage();
  const at = performance.now();
  const { items, bytes } = await work();
  const seconds = (performance.now() - at) / 1_000;
  const used = process.cpuUsage(cpu);
  const after = graph.statistics();
  return {
    what,
    seconds: round(seconds),
    cpuSeconds: round((used.user + used.system) / 1e6),
    items,
    bytes,
    requests: after.requests - before.requests,
    received: after.bytesReceived - before.bytesReceived,
  };
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
