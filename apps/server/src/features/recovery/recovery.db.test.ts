import type { Candidate } from '@holdfast/contract/discovery';
import type { RestoreLine } from '@holdfast/engine';
import type { SearchAnswer, SearchHit } from '@holdfast/contract/search';
import type { SelectedItem, Selection } from '@holdfast/contract/selections';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { unzip } from '@holdfast/engine/testing/unzip';
import { createHttpsClient, type HttpsClient } from '@holdfast/m365-simulator/testing/https-client';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, unscheduled, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { TestServer } from '../../testing/test-server.ts';

/** What a search finds of several people, put back and handed out in one go. */
const testing = testDatabase(import.meta.url);
const reason = 'A lost project';
let running: SimulatedServer;
let tenant: SimulatedTenant;
let owner: Awaited<ReturnType<TestServer['owner']>>;
let graph: HttpsClient;

async function hits(query: string): Promise<SearchAnswer> {
  return tenant.call<SearchAnswer>(`${tenant.tenantId}/archive/search`, { query, reason, limit: 200 });
}

async function select(query: string, hitIds?: readonly string[]): Promise<Selection> {
  const chosen = hitIds === undefined ? {} : { hitIds };
  return tenant.call<Selection>(`${tenant.tenantId}/archive/search/selections`, { query, reason, ...chosen });
}

let jobs = 0;

/** Restores a selection and answers how its run ended, with what became of each item. */
async function recover({ selectionId }: Selection, settings: object) {
  jobs += 1;
  const recovery = { selectionId, ...settings };
  const { status, code, errors } = await tenant.finish(await tenant.job({ type: 'recovery', name: `Hits ${jobs}`, recovery }));
  const [run] = await testing.asSuperuser("select run_id from runs where type = 'recovery' order by started_at desc nulls last limit 1");
  const { items } = await tenant.call<{ items: RestoreLine[] }>(`${tenant.tenantId}/monitoring/${String(run?.['run_id'])}/items?limit=200`);
  return { status, code, errors, lines: items };
}

async function inboxOf(userId: string): Promise<string[]> {
  const { json } = await graph.send('GET', `/users/${userId}/mailFolders/inbox/messages?$top=200`);
  return (json['value'] as { subject: string }[]).map(({ subject }) => subject).filter((subject) => subject.startsWith(word));
}

const messagesIn = async (userId: string, folder: string): Promise<readonly { subject: string }[]> => {
  const { json } = await graph.send('GET', `/users/${userId}/mailFolders?$top=200`);
  const found = (json['value'] as { id: string; displayName: string }[]).filter(({ displayName }) => displayName.startsWith(folder));
  const lists = await Promise.all(
    found.map(async ({ id }) => {
      const { json: tree } = await graph.send('GET', `/users/${userId}/mailFolders/${id}/childFolders?$top=200`);
      const inner = [id, ...((tree['value'] as { id: string }[] | undefined) ?? []).map((one) => one.id)];
      const pages = await Promise.all(inner.map((one) => graph.send('GET', `/users/${userId}/mailFolders/${one}/messages?$top=200`)));
      return pages.flatMap((page) => page.json['value'] as { subject: string }[]);
    }),
  );
  return lists.flat();
};

async function people(): Promise<readonly { id: string; mail: string }[]> {
  const { json } = await graph.send('GET', '/users?$top=50');
  return (json['value'] as { id: string; mail: string; userType?: string }[]).filter(({ mail }) => mail !== null && mail !== '');
}

/** The messages that carry the word of these tests, one for each of two people. */
const word = 'Quarzsandlieferung';
let writers: readonly { id: string; mail: string }[] = [];

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  owner = await server.owner();
  graph = await createHttpsClient(simulator);
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const mailboxes = [];
  for (const person of await people()) {
    const body = JSON.stringify({ subject: `${word} for ${person.mail}`, body: { contentType: 'text', content: 'Sand' } });
    const { status } = await graph.send('POST', `/users/${person.id}/mailFolders/inbox/messages`, { body });
    if (status === 201) mailboxes.push(person);
    if (mailboxes.length === 2) break;
  }
  writers = mailboxes;
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail', source: everyone }));
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Files', workload: 'onedrive', source: everyone }));
  await vi.waitFor(
    async () => {
      const { coverage } = await hits('');
      if (coverage.items === 0 || coverage.searched < coverage.items) throw new Error('Not everything has been read yet.');
    },
    { timeout: 120_000, interval: 500 },
  );
}, 300_000);
afterAll(async () => {
  graph.close();
  await running.close();
});

async function deleteBoth(): Promise<void> {
  for (const { id } of writers) {
    const { json } = await graph.send('GET', `/users/${id}/mailFolders/inbox/messages?$top=200`);
    for (const message of json['value'] as { id: string; subject: string }[]) {
      if (message.subject.startsWith(word)) await graph.send('DELETE', `/users/${id}/messages/${message.id}`);
    }
  }
}

const subjectsIn = async (userId: string, folder: string): Promise<string[]> =>
  (await messagesIn(userId, folder)).map(({ subject }) => subject).filter((subject) => subject.startsWith(word));

test('all hits of several people come back to their own places in one go, and a second restore skips them', async () => {
  const selection = await select(`subject:${word}`);
  expect(selection).toMatchObject({ items: 2, query: `subject:${word}` });
  expect(selection.resources.map(({ items, workload }) => [items, workload])).toEqual([
    [1, 'exchange'],
    [1, 'exchange'],
  ]);
  expect(await Promise.all(writers.map(({ id }) => inboxOf(id)))).toEqual(writers.map(({ mail }) => [`${word} for ${mail}`]));
  await deleteBoth();
  expect(await Promise.all(writers.map(({ id }) => inboxOf(id)))).toEqual([[], []]);
  const first = await recover(selection, { target: { kind: 'original' } });
  expect([first.status, first.lines.map(({ outcome }) => outcome)]).toEqual(['successful', ['restored', 'restored']]);
  for (const { id, mail } of writers) expect(await inboxOf(id)).toEqual([`${word} for ${mail}`]);
  const second = await recover(selection, { target: { kind: 'original' } });
  expect(second.lines.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped']);
  for (const { id, mail } of writers) expect(await inboxOf(id)).toEqual([`${word} for ${mail}`]);
}, 120_000);

test('what comes from several people goes to one person in a folder for each of them', async () => {
  const candidates = await tenant.call<{ items: Candidate[] }>(
    `${tenant.tenantId}/discovery/${tenant.locationId}/users?limit=200&guests=false`,
  );
  const target = candidates.items.find(({ id }) => id === writers[0]?.id);
  const selection = await select(`subject:${word}`);
  const elsewhere = { kind: 'elsewhere', graphId: target?.id, name: target?.name ?? '', folder: 'Handed over' };
  const without = await running.server.send(`/apollo/api/${tenant.tenantId}/jobs`, {
    token: owner.tokens.main,
    body: {
      type: 'recovery',
      name: 'No reason',
      schedule: unscheduled,
      recovery: { selectionId: selection.selectionId, target: elsewhere },
    },
  });
  expect(without.status).toBe(400);
  const { status } = await recover(selection, { target: elsewhere, reason });
  expect(status).toBe('successful');
  expect((await subjectsIn(target?.id ?? '', 'Handed over')).toSorted()).toEqual(
    writers.map(({ mail }) => `${word} for ${mail}`).toSorted(),
  );
  const { json } = await graph.send('GET', `/users/${target?.id ?? ''}/mailFolders?$top=200`);
  const folders = (json['value'] as { displayName: string }[]).filter(({ displayName }) => displayName.startsWith('Handed over '));
  expect(folders).toHaveLength(2);
}, 120_000);

test('chosen hits alone are restored, and one that is kept no longer is reported as failed', async () => {
  const [hit] = (await hits(`subject:${word}`)).items as [SearchHit, ...SearchHit[]];
  const one = await select(`subject:${word}`, [hit.hitId]);
  expect(one.items).toBe(1);
  const both = await select(`subject:${word}`);
  await testing.asSuperuser('delete from catalog_items where source_id = $1 and item_key = $2', [hit.sourceId, hit.nodeId]);
  const { status, lines } = await recover(both, { target: { kind: 'folder', folder: 'Found again' } });
  expect(status).toBe('defective');
  expect(lines.map(({ outcome, code }) => [outcome, code ?? null])).toEqual(
    expect.arrayContaining([
      ['failed', 'content.item-unknown'],
      ['restored', null],
    ]),
  );
  expect(lines).toHaveLength(2);
}, 120_000);

test('a selection is listed and handed out as files of everybody in one zip, which the audit log names first', async () => {
  const query = 'kind:email OR kind:docs';
  const { total } = await hits(query);
  const selection = await select(query);
  expect([selection.items, new Set(selection.resources.map(({ workload }) => workload))]).toEqual([
    total,
    new Set(['exchange', 'onedrive']),
  ]);
  const to = `${tenant.tenantId}/archive/search/selections/${selection.selectionId}`;
  const listed = await tenant.call<{ items: SelectedItem[]; total: number }>(`${to}/items?limit=200`);
  expect(listed.total).toBe(total);
  const answer = await running.server.send(`/apollo/api/${to}/files`, { token: owner.tokens.main });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = unzip(Buffer.from(await answer.arrayBuffer()));
  const names = [...files.keys()];
  for (const { name } of selection.resources) expect(names.some((file) => file.startsWith(`${name}/`))).toBe(true);
  expect(names).not.toContain('errors.txt');
  expect(names.filter((file) => file.endsWith('.eml'))).toHaveLength(listed.items.filter(({ kind }) => kind === 'email').length);
  expect(files.get('index.csv')?.toString('utf8').trim().split('\r\n')).toHaveLength(total + 2);
  const [entry] = await testing.asSuperuser("select payload from audit_inbox where event = 'content.downloaded' order by id desc limit 1");
  expect(entry?.['payload']).toMatchObject({ reason, details: { hits: total } });
}, 120_000);

test('nobody works with the selection of somebody else, and an empty one is refused', async () => {
  const { selectionId } = await select('kind:email');
  const other = await running.server.member(owner.organisationId, 'administrator');
  for (const what of ['items', 'files']) {
    const to = `/apollo/api/${tenant.tenantId}/archive/search/selections/${selectionId}/${what}`;
    expect((await running.server.send(to, { token: other.tokens.main })).status).toBe(404);
  }
  const none = await running.server.send(`/apollo/api/${tenant.tenantId}/archive/search/selections`, {
    token: owner.tokens.main,
    body: { query: 'subject:nosuchwordanywhere', reason },
  });
  expect([none.status, ((await none.json()) as { code: string }).code]).toEqual([400, 'search.nothing-selected']);
});
