import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpsClient, type HttpsClient } from '../testing/https-client.ts';
import { textOf } from './values/json.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from './index.ts';

const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(
  options: SimulatorOptions = {},
): Promise<{ readonly simulator: Simulator; readonly client: HttpsClient; readonly user: string; readonly tenantId: string }> {
  const simulator = await startSimulator({ clock: 'virtual', ...options });
  closing.push(() => simulator.close());
  const client = await createHttpsClient(simulator);
  closing.push(() => client.close());
  const tenantId = simulator.tenants[0]?.tenantId ?? '';
  return { simulator, client, tenantId, user: simulator.control.tenant(tenantId).directory.users()[0]?.id ?? '' };
}

describe('sign-in', () => {
  it('tells a wrong secret, an unknown app and an unknown tenant apart', async () => {
    const { simulator, client, tenantId } = await start();
    const ask = async (tenant: string, form: Record<string, string>): Promise<unknown> => {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'https://graph.microsoft.com/.default',
        ...form,
      }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return (await client.send('POST', `${simulator.login}/${tenant}/oauth2/v2.0/token`, { headers, body })).json['error_codes'];
    };
    const clientId = simulator.tenants[0]?.clientId ?? '';
    expect(await ask(tenantId, { client_id: clientId, client_secret: 'wrong' })).toEqual([7000215]);
    expect(await ask(tenantId, { client_id: tenantId, client_secret: 'wrong' })).toEqual([700016]);
    expect(await ask('nowhere.example', { client_id: clientId, client_secret: 'wrong' })).toEqual([90002]);
  });

  it('issues tokens that end on the clock of the simulator', async () => {
    const { simulator, client } = await start();
    simulator.control.setSwitches({ accessTokenSeconds: 300 });
    await client.signIn();
    expect((await client.send('GET', '/users')).status).toBe(200);
    simulator.clock.advance(301_000);
    expect((await client.send('GET', '/users')).status).toBe(401);
  });

  it('opens nothing with a token for another service, and nothing without the word Bearer', async () => {
    const { simulator, client, tenantId } = await start();
    const tokenFor = async (resource: string): Promise<string> => {
      const access = simulator.tenants[0];
      const form = {
        grant_type: 'client_credentials',
        client_id: access?.clientId ?? '',
        client_secret: access?.clientSecret ?? '',
        scope: `${resource}/.default`,
      };
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(form).toString();
      const { json } = await client.send('POST', `${simulator.login}/${tenantId}/oauth2/v2.0/token`, { headers, body });
      return textOf(json['access_token']);
    };
    const ask = async (authorization: string): Promise<unknown> => {
      const { status, json } = await client.send('GET', '/users', { headers: { authorization } });
      return { status, error: json['error'] };
    };
    const own = await tokenFor('https://graph.microsoft.com');
    expect(await ask(`Bearer ${own}`)).toMatchObject({ status: 200 });
    expect(await ask(`bearer ${own}`)).toMatchObject({ status: 200 });
    const elsewhere = await tokenFor('https://contoso.sharepoint.com');
    const refused = { status: 401, error: { code: 'InvalidAuthenticationToken' } };
    expect(await ask(`Bearer ${elsewhere}`)).toMatchObject(refused);
    expect(await ask(`Bearer ${elsewhere}`)).toMatchObject({ error: { message: 'Access token validation failure. Invalid audience.' } });
    expect(await ask(own)).toMatchObject(refused);
    expect(await ask(`Basic ${own}`)).toMatchObject(refused);
  });

  it('lets a withdrawn role work until the next token', async () => {
    const { simulator, client, tenantId } = await start();
    simulator.control.withdraw(tenantId, ['User.Read.All']);
    expect((await client.send('GET', '/users')).status).toBe(200);
    await client.signIn();
    const refused = await client.send('GET', '/users');
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ error: { code: 'Authorization_RequestDenied' } });
  });
});

describe('limits', () => {
  it('refuse at the limit of the mailbox, count what comes early, and open again when the window has passed', async () => {
    const { simulator, client, user } = await start();
    simulator.simulation.limiter.set({ factor: 0.001 });
    const ask = (): Promise<{ readonly status: number; readonly headers: Readonly<Record<string, unknown>> }> =>
      client.send('GET', `/users/${user}/mailFolders/inbox?$select=id`);
    for (let turn = 0; turn < 10; turn += 1) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(1);
    expect(simulator.simulation.limiter.early).toHaveLength(0);
    expect((await ask()).status).toBe(429);
    expect(simulator.simulation.limiter.early).toHaveLength(1);
    simulator.clock.advance(seconds * 1000 + 600_000);
    expect((await ask()).status).toBe(200);
  });

  it.each(['integer', 'decimal', 'date'] as const)('write Retry-After as %s', async (form) => {
    const { simulator, client } = await start();
    simulator.control.setSwitches({ retryAfterForm: form });
    simulator.control.setFaults([{ match: { path: '/users' }, do: 'throttle', seconds: 7, form, times: 1 }]);
    const header = String((await client.send('GET', '/users')).headers['retry-after']);
    const expected = { integer: /^7$/u, decimal: /^7\.000$/u, date: /GMT$/u }[form];
    expect(header).toMatch(expected);
  });

  it('leave other mailboxes alone', async () => {
    const { simulator, client, user, tenantId } = await start();
    const other = simulator.control.tenant(tenantId).directory.users()[1]?.id ?? '';
    simulator.simulation.limiter.set({ factor: 0.0001 });
    await client.send('GET', `/users/${user}/mailFolders/inbox`);
    expect((await client.send('GET', `/users/${user}/mailFolders/inbox`)).status).toBe(429);
    expect((await client.send('GET', `/users/${other}/mailFolders/inbox`)).status).toBe(200);
  });

  it('tell from 80 percent on how near the limit of SharePoint is', async () => {
    const { simulator, client, user } = await start();
    simulator.simulation.limiter.set({ factor: 0.01 });
    const drive = String((await client.send('GET', `/users/${user}/drive`)).json['id']);
    let headers: Readonly<Record<string, unknown>> = {};
    for (let turn = 0; turn < 10; turn += 1) ({ headers } = await client.send('GET', `/drives/${drive}`));
    expect(headers).toMatchObject({ 'ratelimit-limit': '12', 'ratelimit-remaining': expect.any(String) });
  });
});

/** Sends a body to its end before it reads anything, as clients do that write and read in turn. */
async function sendAll({ caPem }: Simulator, url: URL, range: string, sizeBytes: number): Promise<string> {
  const socket = connect({ host: url.hostname, port: Number(url.port), ca: caPem });
  closing.push(() => void socket.destroy());
  await once(socket, 'secureConnect');
  socket.pause();
  const head = [
    `PUT ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    `Content-Range: ${range}`,
    `Content-Length: ${sizeBytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const part = Buffer.alloc(64 * 1024);
  for (let sent = 0; sent < sizeBytes; sent += part.byteLength) {
    if (!socket.write(part)) await once(socket, 'drain');
    await new Promise(setImmediate);
  }
  let answer = '';
  for await (const data of socket) {
    answer += String(data);
    if (answer.endsWith('}}}')) return answer;
  }
  return answer;
}

describe('a refused fragment', () => {
  const SIZE_BYTES = 12 * 1024 * 1024;

  it.each([
    ['out of order', 'bytes 327680-12910591/20000000', 416, 'fragmentOutOfOrder'],
    ['longer than it says', 'bytes 0-327679/20000000', 400, 'fragmentLengthMismatch'],
  ] as const)('that is %s is answered to a client that sends all of it first', async (_case, range, status, inner) => {
    const { simulator, client, user } = await start();
    const drive = String((await client.send('GET', `/users/${user}/drive`)).json['id']);
    const opened = await client.send('POST', `/drives/${drive}/root:/big.bin:/createUploadSession`, { body: '{}' });
    const url = String(opened.json['uploadUrl']);
    const answer = await sendAll(simulator, new URL(url), range, SIZE_BYTES);
    expect([answer.slice(0, 'HTTP/1.1 416'.length), answer.includes(inner)]).toEqual([`HTTP/1.1 ${status}`, true]);
    expect((await client.send('GET', url)).json['nextExpectedRanges']).toEqual(['0-']);
  });
});

describe('faults', () => {
  it('carry a write out and fail nevertheless', async () => {
    const { simulator, client, user } = await start();
    simulator.control.setFaults([
      { match: { method: 'POST', path: '/users/{id}/mailFolders' }, do: { applyThenFail: { status: 504 } }, times: 1 },
    ]);
    expect((await client.send('POST', `/users/${user}/mailFolders`, { body: '{"displayName":"Twice"}' })).status).toBe(504);
    expect((await client.send('POST', `/users/${user}/mailFolders`, { body: '{"displayName":"Twice"}' })).status).toBe(409);
  });

  it('cut a body short and reset the connection', async () => {
    const { simulator, client, user } = await start();
    const list = await client.send('GET', `/users/${user}/mailFolders/inbox/messages?$top=1&$select=id`);
    const [message] = list.json['value'] as { readonly id: string }[];
    for (const action of ['truncate', 'reset']) {
      simulator.control.setFaults([{ match: { path: '/users/{id}/messages/{id}/$value' }, do: action, times: 1 }]);
      await expect(client.send('GET', `/users/${user}/messages/${message?.id}/$value`)).rejects.toThrow(/aborted|hang up|reset/u);
    }
    expect((await client.send('GET', `/users/${user}/messages/${message?.id}/$value`)).status).toBe(200);
  });

  it('let a message vanish between listing and reading, in the store too', async () => {
    const { simulator, client, user, tenantId } = await start();
    const list = await client.send('GET', `/users/${user}/mailFolders/inbox/messages?$top=1&$select=id`);
    const [message] = list.json['value'] as { readonly id: string }[];
    const before = [...(simulator.control.truth(tenantId, 'mail', user) as Iterable<unknown>)].length;
    simulator.control.setFaults([{ match: { path: '/users/{id}/messages/{id}/$value' }, do: 'vanish', times: 1 }]);
    expect((await client.send('GET', `/users/${user}/messages/${message?.id}/$value`)).status).toBe(404);
    expect([...(simulator.control.truth(tenantId, 'mail', user) as Iterable<unknown>)]).toHaveLength(before - 1);
  });

  it('fall where the seed of the rule says, again and again', async () => {
    const { simulator, client } = await start();
    const play = async (): Promise<number[]> => {
      simulator.control.setFaults([{ match: { path: '/users', probability: 0.5, seed: 9 }, do: { status: { status: 502 } } }]);
      const seen: number[] = [];
      for (let turn = 0; turn < 12; turn += 1) seen.push((await client.send('GET', '/users')).status);
      return seen;
    };
    const first = await play();
    expect(await play()).toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 502]));
  });

  it('speak the numbers of the sign-in service', async () => {
    const { simulator, client } = await start();
    simulator.control.setFaults([{ match: { host: 'login' }, do: 'signIn', code: 50033, times: 1 }]);
    expect(await client.signIn()).toBe(503);
    expect(await client.signIn()).toBe(200);
  });
});

describe('the admin address', () => {
  it('tells the ground truth, plays a day and takes it back', async () => {
    const { simulator, user, tenantId } = await start();
    const call = async (method: string, path: string, body?: unknown): Promise<string> =>
      (await fetch(`${simulator.admin}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).text();
    const truth = (): Promise<string> => call('GET', `/tenants/${tenantId}/truth/mail/${user}`);
    const before = await truth();
    expect(
      before
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { readonly sha256: string })[0]?.sha256,
    ).toMatch(/^[0-9a-f]{64}$/u);
    const { id } = JSON.parse(await call('POST', '/snapshot')) as { readonly id: string };
    expect(JSON.parse(await call('POST', `/tenants/${tenantId}/changes`, { day: 1 }))).toMatchObject({
      done: { 'mail.deliver': expect.any(Number) },
    });
    expect(await truth()).not.toBe(before);
    expect(await call('GET', `/tenants/${tenantId}/truth/mail/${user}?at=0`)).toBe(before);
    await call('POST', `/restore/${id}`);
    expect(await truth()).toBe(before);
  });

  it('tells of each request its bytes, and what it cost in which limit', async () => {
    const { simulator, client, user, tenantId } = await start();
    const drive = String((await client.send('GET', `/users/${user}/drive`)).json['id']);
    const answer = await client.send('GET', `/drives/${drive}/root/delta`);
    const list = async (): Promise<Record<string, unknown>[]> => {
      const log = await fetch(`${simulator.admin}/requests?template=${encodeURIComponent('/drives/{id}/root/delta')}`);
      return ((await log.json()) as { readonly requests: Record<string, unknown>[] }).requests;
    };
    expect(await list()).toMatchObject([
      { status: 200, bytesOut: answer.body.byteLength, cost: 2, bucket: expect.stringContaining(tenantId) },
    ]);
    simulator.simulation.limiter.set({ mode: 'off' });
    await client.send('GET', `/drives/${drive}/root/delta`);
    expect((await list()).at(-1)).toMatchObject({ cost: 0 });
  });

  it('refuses what it does not know, and says what', async () => {
    const { simulator } = await start();
    const answer = await fetch(`${simulator.admin}/switches`, { method: 'PUT', body: '{"socks":true}' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('socks');
    expect((await fetch(`${simulator.admin}/nothing`)).status).toBe(404);
  });

  it('makes another tenant while it runs', async () => {
    const { simulator } = await start();
    const answer = await fetch(`${simulator.admin}/tenants`, { method: 'POST', body: '{"recipe":"fabrikam","seed":3}' });
    expect(await answer.json()).toMatchObject({
      tenantId: expect.any(String),
      clientId: expect.any(String),
      clientSecret: expect.any(String),
    });
    expect(simulator.simulation.tenants.size).toBe(2);
  });
});

describe('a simulator', () => {
  it('is the same for the same seed, and another for another', async () => {
    const read = async (seed: number): Promise<string> => {
      const { client, user } = await start({ seed, limits: 'off' });
      const list = await client.send('GET', `/users/${user}/mailFolders/inbox/messages/delta?$select=subject,receivedDateTime`);
      return JSON.stringify((list.json['value'] as unknown[]).slice(0, 5));
    };
    const first = await read(1);
    expect(await read(1)).toBe(first);
    expect(await read(2)).not.toBe(first);
  });

  it('has its state again after a restart when there is a folder for it', async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'holdfast-simulator-test-'));
    closing.push(() => rm(dataFolder, { recursive: true, force: true }));
    const first = await startSimulator({ dataFolder });
    const tenantId = first.tenants[0]?.tenantId ?? '';
    const user = first.control.tenant(tenantId).directory.users()[0]?.id ?? '';
    const made = first.control.change(tenantId, { do: 'mail.deliver', user, subject: 'Kept', body: '<p>words that came in</p>' });
    const writer = await createHttpsClient(first);
    const drive = (await writer.send('GET', `/users/${user}/drive`)).json['id'] as string;
    const bytes = Buffer.alloc(3_000_000, 'kept over the restart');
    expect((await writer.send('PUT', `/drives/${drive}/root:/kept.bin:/content`, { body: bytes })).status).toBe(201);
    writer.close();
    await first.close();
    const second = await start({ dataFolder, clock: 'real' });
    const answer = await second.client.send('GET', `/users/${user}/messages/${made['id'] as string}`);
    expect(answer.json).toMatchObject({ subject: 'Kept', body: { content: '<p>words that came in</p>' } });
    const located = await second.client.send('GET', `/drives/${drive}/root:/kept.bin:/content`);
    const read = await second.client.send('GET', String(located.headers['location']));
    expect(read.body.equals(bytes)).toBe(true);
    expect(second.simulator.caPem).toBe(first.caPem);
  });

  it('starts with a thousand mailboxes of a thousand messages as fast as with one', async () => {
    const { resized, recipeNamed } = await import('./recipes/recipes.ts');
    const { client, user } = await start({
      recipes: [resized(recipeNamed('contoso'), { users: 1000, messagesPerUser: 1000 })],
      limits: 'off',
    });
    const folders = await client.send('GET', `/users/${user}/mailFolders/delta`);
    const total = (folders.json['value'] as { readonly totalItemCount: number }[]).reduce((sum, folder) => sum + folder.totalItemCount, 0);
    expect(total).toBe(1003);
  });
});
