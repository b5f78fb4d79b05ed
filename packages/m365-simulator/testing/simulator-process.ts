import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TenantAccess } from '../src/index.ts';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

interface Address {
  readonly graph: string;
  readonly ca: string;
  readonly tenants: readonly TenantAccess[];
}

export interface ProcessAnswer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

/** A simulator in a process of its own, as `npm run simulator` starts it, and what it takes of the machine. */
export interface SimulatorProcess {
  readonly readyMs: number;
  /** Paths below `/v1.0`, or whole addresses. */
  send(
    method: string,
    address: string,
    options?: { readonly headers?: Record<string, string>; readonly body?: string | Buffer },
  ): Promise<ProcessAnswer>;
  residentMegabytes(): Promise<number>;
  stop(): Promise<void>;
}

function parsed(text: string): Record<string, unknown> {
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
}

export async function startProcess(args: readonly string[]): Promise<SimulatorProcess> {
  const begin = performance.now();
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface(child.stdout);
  const line = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`The simulator ended with ${code}.`)));
  });
  const readyMs = performance.now() - begin;
  const address = JSON.parse(line) as Address;
  const [access] = address.tenants;
  if (!access) throw new Error('The simulator has no tenant.');
  const agent = new Agent({ keepAlive: true, ca: readFileSync(address.ca, 'utf8') });
  let token = '';

  const send: SimulatorProcess['send'] = (method, path, { headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const url = path.startsWith('https://') ? path : `${address.graph}/v1.0${path}`;
      const bearer = token === '' || !url.includes('/v1.0/') ? {} : { authorization: `Bearer ${token}` };
      const sent = request(url, { method, agent, headers: { ...bearer, ...headers } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, json: parsed(Buffer.concat(parts).toString()) }));
      });
      sent.on('error', reject);
      sent.end(body);
    });

  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: access.clientId,
    client_secret: access.clientSecret,
    scope: 'https://graph.microsoft.com/.default',
  });
  const signedIn = await send('POST', `${address.graph}/${access.tenantId}/oauth2/v2.0/token`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  token = String(signedIn.json['access_token']);
  return {
    readyMs,
    send,
    async residentMegabytes() {
      const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(child.pid)]);
      return Number(stdout.trim()) / 1024;
    },
    async stop() {
      agent.destroy();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}
