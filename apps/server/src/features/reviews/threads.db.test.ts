import type { CaseDetails, CasePerson } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import type { ReviewItem, ReviewSet } from '@holdfast/contract/review-values';
import type { SearchAnswer } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { loadCorpus } from '@holdfast/m365-simulator';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn } from '../../testing/test-server.ts';

/** Threads of a review set over HTTP, of mail that was really backed up. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let owner: SignedIn;
let corpus: string;
let caseId = '';
let set: ReviewSet;

const question = 'Can we have an offer for Falcon?\r\nWe need it by Monday.';
const head = 'On Fri, 3 May 2024 at 10:02, Anna Schmidt <anna@contoso.com> wrote:';
const offer = `Here it is.\r\n\r\n${head}\r\n> Can we have an offer for\r\n> Falcon? We need it by Monday.`;
const letter = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');

function mail(id: string, body: string, { answers, attachment }: { readonly answers?: string; readonly attachment?: string } = {}): string {
  const lines = [
    `Message-ID: <${id}@contoso.com>`,
    ...(answers === undefined ? [] : [`In-Reply-To: <${answers}@contoso.com>`, `References: <${answers}@contoso.com>`]),
    'From: Anna Schmidt <anna@contoso.com>',
    'To: ben@contoso.com',
    `Subject: ${answers === undefined ? '' : 'Re: '}Falcon ${id}`,
    'Date: Fri, 03 May 2024 10:02:00 +0000',
    'MIME-Version: 1.0',
  ];
  const text = `Content-Type: text/plain; charset=utf-8\r\n\r\n${body}\r\n`;
  if (attachment === undefined) return `${lines.join('\r\n')}\r\n${text}`;
  const file = `Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="a.bin"\r\n\r\n${attachment}\r\n`;
  return `${lines.join('\r\n')}\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n${text}--b\r\n${file}--b--\r\n`;
}

const mails = {
  question: mail('question', question),
  offer: mail('offer', offer, { answers: 'question' }),
  accepted: mail('accepted', `We take it.\r\n\r\n${head}\r\n> ${offer.replaceAll('\r\n', '\r\n> ')}`, { answers: 'offer' }),
  edited: mail('edited', `Fine.\r\n\r\n${head}\r\n> Can we have no offer for Falcon?\r\n> We need it by Monday.`, { answers: 'question' }),
  contract: mail('contract', 'The Falcon contract is attached.', { attachment: 'signed' }),
  thanks: mail('thanks', `Thanks.\r\n\r\n${head}\r\n> The Falcon contract is attached.`, { answers: 'contract' }),
  letter: mail('letter', letter),
  near: mail('near', letter.replace('word30', 'other')),
};

async function done<T>(to: string, body?: object, method?: string): Promise<T> {
  const options = { token: owner.tokens.main, ...(body === undefined ? {} : { body }), ...(method === undefined ? {} : { method }) };
  const answer = await running.server.send(`/apollo/api/${tenant.tenantId}/archive/${to}`, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${to} answered ${answer.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

const place = (): string => `cases/${caseId}/review/${set.setId}`;
const listed = async (filters: object = {}): Promise<ReviewItem[]> =>
  (await done<Page<ReviewItem>>(`${place()}/items`, { limit: 200, ...filters })).items;

/** Items by the names of the mails above. */
async function byName(filters: object = {}): Promise<Map<string, ReviewItem>> {
  const named = (await listed(filters)).map((item) => [(item.hit?.title ?? '').replace(/^(?:Re: )?Falcon /u, ''), item] as const);
  return new Map(named.filter(([name]) => Object.hasOwn(mails, name)));
}

async function found(): Promise<ReviewSet> {
  return vi.waitFor(
    async () => {
      const known = await done<ReviewSet>(place());
      if (known.threads?.status !== 'successful') throw new Error(`The search for threads is ${known.threads?.status}.`);
      return known;
    },
    { timeout: 60_000, interval: 100 },
  );
}

async function ticketFor(item: ReviewItem | undefined): Promise<{ ticket: string }> {
  const { locationId = '', sourceId = '', nodeId = '', sequence = 0 } = item?.hit ?? {};
  const body = { locationId, sourceId, nodeId, sequence, reason: 'HR-17' };
  const answer = await running.server.send(`/apollo/api/${tenant.tenantId}/content-tickets`, { token: owner.tokens.main, body });
  return { ticket: ((await answer.json()) as { ticket: string }).ticket };
}

async function compared(older: ReviewItem | undefined, newer: ReviewItem | undefined): Promise<{ change: string; text: string }[]> {
  const answer = await running.server.send(`/apollo/api/${tenant.tenantId}/data-management/comparisons`, {
    token: owner.tokens.main,
    body: { older: await ticketFor(older), newer: await ticketFor(newer) },
  });
  return ((await answer.json()) as { parts: { change: string; text: string }[] }).parts;
}

beforeAll(async () => {
  corpus = await mkdtemp(path.join(tmpdir(), 'holdfast-threads-'));
  for (const [name, text] of Object.entries(mails)) await writeFile(path.join(corpus, `${name}.eml`), text);
  running = await startSimulatedServer(testing);
  const [inside] = running.simulator.simulation.tenants.values();
  if (!inside) throw new Error('The simulator has no tenant.');
  loadCorpus(inside, corpus);
  owner = await running.server.owner();
  const vault = path.join(running.folder, 'vault');
  tenant = await connectSimulated({ server: running.server, owner, simulator: running.simulator, testing, vault });
  await tenant.finish(await tenant.job({ name: 'All mail', type: 'backup', workload: 'exchange', source: everyone }));
  await vi.waitFor(
    async () => {
      const { coverage } = await done<SearchAnswer>('search', { query: '', reason: 'Wait', limit: 1 });
      if (coverage.items === 0 || coverage.searched < coverage.items) throw new Error('Not everything has been read yet.');
    },
    { timeout: 60_000, interval: 500 },
  );
  ({ caseId } = await done<CaseDetails>('cases', { matter: 'Falcon', reference: '', from: null, to: null }));
  const { items: people } = await done<Page<CasePerson>>(`cases/${caseId}/people?limit=200`);
  await done(`cases/${caseId}/custodians`, { keys: people.filter(({ mailboxes }) => mailboxes > 0).map(({ key }) => key) });
  await done(`cases/${caseId}/queries`, { name: 'All', query: '' });
  set = await done(`cases/${caseId}/review`, { name: 'Set', source: { kind: 'allQueries' } });
}, 240_000);
afterAll(async () => {
  await running.close();
  await rm(corpus, { recursive: true, force: true });
});

test('A32: of a thread only mails with something of their own are to be read, and each that is not names the one that says it', async () => {
  expect(set.threads).toBeNull();
  expect((await listed()).every(({ thread }) => thread === null)).toBe(true);
  const started = await done<ReviewSet>(`${place()}/threads`, {});
  expect(started.threads).toMatchObject({ figures: null, at: null });
  const { threads } = await found();
  const items = await byName();
  const roles = [...items].map(([name, { thread }]) => [name, thread?.role] as const);
  expect(Object.fromEntries(roles)).toEqual({
    question: 'none',
    offer: 'none',
    accepted: 'inclusive',
    edited: 'inclusive',
    contract: 'inclusiveMinus',
    thanks: 'inclusive',
    letter: 'inclusive',
    near: 'inclusive',
  });
  const accepted = items.get('accepted')?.position;
  for (const name of ['question', 'offer']) expect(items.get(name)?.thread).toMatchObject({ shownBy: accepted, mails: 4 });
  const all = await listed();
  expect(threads?.figures).toMatchObject({
    mails: all.filter(({ thread }) => thread !== null).length,
    toRead: all.filter(({ position, thread }) => thread?.shownBy === position).length,
    notCompared: 0,
  });
});

test('who reads less is shown everything that stands nowhere else, and the thread of a mail as a whole', async () => {
  const [everything, less] = [await listed(), await listed({ readLess: true })];
  const left = everything.filter(({ position }) => !less.some((item) => item.position === position));
  expect(left.every(({ thread }) => thread?.role === 'none' || thread?.role === 'copy')).toBe(true);
  expect([...(await byName({ readLess: true })).keys()].toSorted()).toEqual(['accepted', 'contract', 'edited', 'letter', 'near', 'thanks']);
  const first = (await byName()).get('question')?.thread?.first;
  expect([...(await byName({ thread: first })).keys()].toSorted()).toEqual(['accepted', 'edited', 'offer', 'question']);
});

/** The text that is nearly another, and that other one. */
async function near(): Promise<readonly [copy: ReviewItem | undefined, pivot: ReviewItem | undefined]> {
  const items = await byName();
  const both = [items.get('letter'), items.get('near')] as const;
  return both[0]?.nearCopy ? both : [both[1], both[0]];
}

test('a text that is nearly another names it and how much they have in common', async () => {
  const [copy, pivot] = await near();
  expect(copy?.nearCopy?.pivot).toBe(pivot?.position);
  expect(copy?.nearCopy?.likeness).toBeCloseTo(55 / 61, 2);
  expect((await byName()).get('question')?.nearCopy).toBeNull();
});

test('it is listed alone, and compared with the other word by word', async () => {
  const [copy, pivot] = await near();
  const [alone, ...others] = await listed({ position: pivot?.position });
  expect([alone?.position, others]).toEqual([pivot?.position, []]);
  const parts = await compared(alone, copy);
  const changed = parts.filter(({ change, text }) => change !== 'same' && /word30|other/u.test(text));
  expect(new Set(changed.map(({ text }) => text.trim()))).toEqual(new Set(['word30', 'other']));
});

test('a mail is shown again when the case no longer includes the one that says it', async () => {
  const accepted = (await byName()).get('accepted');
  const move = (to: string): Promise<unknown> =>
    testing.asSuperuser(`update review_items set resource_id = ${to} where set_id = $1 and position = $2`, [set.setId, accepted?.position]);
  const [row] = await testing.asSuperuser('select resource_id from review_items where set_id = $1 and position = $2', [
    set.setId,
    accepted?.position,
  ]);
  await move('gen_random_uuid()');
  expect([...(await byName({ readLess: true })).keys()]).toEqual(expect.arrayContaining(['question', 'offer']));
  await move(`'${String(row?.['resource_id'])}'`);
  expect([...(await byName({ readLess: true })).keys()]).not.toEqual(expect.arrayContaining(['question']));
});

test('threads are looked for by one run at a time, the case knows of it, and a closed case refuses', async () => {
  const options = { token: owner.tokens.main, body: {} };
  const to = `/apollo/api/${tenant.tenantId}/archive/${place()}/threads`;
  const answers = await Promise.all([running.server.send(to, options), running.server.send(to, options)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 409]));
  await found();
  const { items } = await done<Page<{ event: string }>>(`cases/${caseId}/log`);
  expect(items.filter(({ event }) => event === 'cases.threads-sought')).toHaveLength(2);
  await testing.asSuperuser(`update cases set closed_at = now()`);
  expect((await running.server.send(to, options)).status).toBe(409);
});
