import { collect } from '@holdfast/foundation/streams';
import { Agent } from 'undici';

/** The library under the client, without anything of ours: what a benchmark of the client is held against. */
export interface BareUndici {
  get(origin: string, path: string, authorization: string): Promise<Buffer>;
  postForm(origin: string, path: string, form: URLSearchParams): Promise<unknown>;
  close(): Promise<void>;
}

const LIMIT_BYTES = 64 * 1024 * 1024;

export function createBareUndici(options: { readonly ca: string; readonly connections: number }): BareUndici {
  const agent = new Agent({ connect: { ca: options.ca }, connections: options.connections, pipelining: 1 });
  return Object.freeze({
    async get(origin: string, path: string, authorization: string) {
      const { statusCode, body } = await agent.request({ origin, path, method: 'GET', headers: { authorization } });
      const bytes = await collect(body, LIMIT_BYTES);
      if (statusCode !== 200) throw new Error(`status ${statusCode}`);
      return bytes;
    },
    async postForm(origin: string, path: string, form: URLSearchParams) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { body } = await agent.request({ origin, path, method: 'POST', headers, body: form.toString() });
      return body.json();
    },
    close: () => agent.close(),
  });
}
