/** What bench/api.ts uses of autocannon, which ships no types. */
declare module 'autocannon' {
  interface Result {
    readonly requests: { readonly average: number; readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly non2xx: number;
    readonly errors: number;
  }
  interface Request {
    readonly headers?: Readonly<Record<string, string>>;
  }
  interface Client {
    setRequests(requests: readonly Request[]): void;
  }
  interface Options {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    /** Called once for each connection. */
    readonly setupClient?: (client: Client) => void;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
