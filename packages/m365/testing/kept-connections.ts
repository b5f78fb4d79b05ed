import { createTransport } from '../src/http/transport.ts';
import { createGraphClientOver } from '../src/create-graph-client.ts';
import type { GraphClient, GraphClientOptions } from '../src/graph-client.ts';

/** Connections that clients share one after another: each client signs in and counts anew, the handshakes are made already. */
export interface KeptConnections {
  client(options: GraphClientOptions): GraphClient;
  close(): Promise<void>;
}

export function createKeptConnections(ca: string): KeptConnections {
  const transport = createTransport({ ca });
  const kept = { ...transport, close: async () => undefined };
  return { client: (options) => createGraphClientOver(options, kept), close: () => transport.close() };
}
