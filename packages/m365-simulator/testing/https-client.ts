import { Agent, request } from 'node:https';
import type { Simulator } from '../src/index.ts';

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly json: Record<string, unknown>;
}

export interface HttpsClient {
  send(
    method: string,
    address: string,
    options?: { readonly headers?: Record<string, string>; readonly body?: string | Buffer },
  ): Promise<HttpsAnswer>;
  /** Signs in again, after roles or tokens have changed. */
  signIn(): Promise<number>;
  close(): void;
}

function readJson(body: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** A plain client of a simulator on its own address: no retries, no waiting, every answer as it is. */
export async function createHttpsClient(simulator: Simulator, tenantIndex = 0): Promise<HttpsClient> {
  const agent = new Agent({ keepAlive: true, ca: simulator.caPem });
  const access = simulator.tenants[tenantIndex];
  if (!access) throw new Error('there is no such tenant');
  let token = '';

  function send(
    method: string,
    address: string,
    options: { readonly headers?: Record<string, string>; readonly body?: string | Buffer } = {},
  ): Promise<HttpsAnswer> {
    const url = address.startsWith('https://') ? address : `${simulator.graph}/v1.0${address}`;
    const isJson = typeof options.body === 'string';
    const headers = { ...(isJson ? { 'content-type': 'application/json' } : {}), authorization: `Bearer ${token}`, ...options.headers };
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(parts);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body, json: readJson(body) });
        });
      });
      sent.on('error', reject);
      sent.end(options.body);
    });
  }

  async function signIn(): Promise<number> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: access?.clientId ?? '',
      client_secret: access?.clientSecret ?? '',
      scope: 'https://graph.microsoft.com/.default',
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await send('POST', `${simulator.login}/${access?.tenantId ?? ''}/oauth2/v2.0/token`, { headers, body: form.toString() });
    if (typeof answer.json['access_token'] === 'string') token = answer.json['access_token'];
    return answer.status;
  }

  await signIn();
  return { send, signIn, close: () => agent.destroy() };
}
