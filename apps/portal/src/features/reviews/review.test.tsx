import type { CaseDetails } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import { compliance } from '@holdfast/contract/compliance';
import { content } from '@holdfast/contract/content';
import { reviewMarks, type ReviewTag } from '@holdfast/contract/review-marks';
import type { ReviewItem, ReviewSet } from '@holdfast/contract/review-values';
import { reviews } from '@holdfast/contract/reviews';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aHit, aMailPreview } from '../../testing/found-samples.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now, onePage } from '../../testing/samples.ts';
import CasesPage from '../cases/cases-page.tsx';
import { tagLooks } from './item-tags.tsx';

const idOf = (last: string): string => `01900000-0000-7000-8000-0000000000${last}`;
const [caseId, setId] = [idOf('ca'), idOf('5e')];
const base = `/ediscovery/portal/${caseId}/review`;
const pattern = '/ediscovery/portal/*';

const aQuery = {
  queryId: idOf('e1'),
  name: 'Offers',
  query: 'offer',
  readAs: 'offer',
  creator: 'ann@contoso.example',
  createdAt: now,
  hits: null,
  bytes: null,
  countedAt: null,
};

const aCase = (given: Partial<CaseDetails> = {}): CaseDetails => ({
  caseId,
  matter: 'Falcon',
  reference: 'HR-17',
  status: 'open',
  from: null,
  to: null,
  creator: 'ann@contoso.example',
  createdAt: now,
  closedAt: null,
  people: [],
  custodians: [],
  queries: [aQuery],
  files: [],
  holds: [],
  ...given,
});

const aSet = (given: Partial<ReviewSet> = {}): ReviewSet => ({
  setId,
  name: 'First pass',
  query: 'offer',
  sample: null,
  population: 5,
  items: 5,
  creator: 'ann@contoso.example',
  createdAt: now,
  coverage: null,
  progress: { unreviewed: 3, relevant: 1, notRelevant: 0, privileged: 0 },
  estimate: null,
  threads: null,
  ...given,
});

function anItem(position: number, given: Partial<ReviewItem> = {}): ReviewItem {
  const decision = { status: 'unreviewed', revision: 0, reviewer: null, reviewedAt: null } as const;
  return {
    position,
    ...decision,
    copies: 1,
    place: 'kept',
    thread: null,
    nearCopy: null,
    tags: [],
    notes: 0,
    hit: aHit({ nodeId: `m${position}`, hitId: `m${position}`, title: `Offer ${position}` }),
    ...given,
  };
}

const items = [anItem(1, { copies: 3 }), anItem(2), anItem(3, { place: 'outside', hit: null }), anItem(4, { place: 'gone', hit: null })];
const people = [{ resourceId: idOf('c3'), name: 'Adele Vance', address: 'adele@contoso.example', contents: 4 }];

const aTag = (last: string, name: string): ReviewTag => ({ tagId: idOf(last), name, colour: 'blue', group: '', contents: 1 });
const tags = [aTag('a1', 'Price'), aTag('a2', 'Urgent')];

const anApi = (set = aSet(), of = aCase()) =>
  aSignedInApi()
    .on(cases.get, of)
    .on(reviewMarks.tags, { items: tags })
    .on(reviewMarks.notes, { items: [] })
    .on(reviews.list, { items: [set] })
    .on(reviews.get, { ...set, people, reviewers: ['ann@contoso.example'] })
    .on(reviews.items, onePage(items))
    .on(content.open, { ticket: 'a'.repeat(40), expiresAt: '2099-01-01T00:00:00.000Z' })
    .on(content.preview, aMailPreview('Offer'));
const puts = (api: ReturnType<typeof anApi>): string[] =>
  api.calls.filter((call) => call.startsWith('PUT')).map((call) => call.split('/').slice(-2).join('/'));

test('a review set is made of all hits or of a sample, and mistakes are named at their fields', async () => {
  const api = anApi().on(reviews.create, aSet());
  const page = await renderPage(<CasesPage />, { path: base, pattern, api });
  expect(await screen.findByText('First pass')).toBeTruthy();
  expect(screen.getByText('25%')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Create review set' }));
  const form = await screen.findByRole('form', { name: 'Create review set' });
  await page.user.type(within(form).getByLabelText(/^Name/), 'Rest');
  await page.user.click(within(form).getByLabelText('Draw a sample'));
  await page.user.click(within(form).getByRole('button', { name: 'Create review set' }));
  expect((await within(form).findAllByText('Please fill in this field.')).length).toBeGreaterThan(0);
  expect(api.bodies).toEqual([]);
  await page.user.type(within(form).getByLabelText(/^Seed/), 'Falcon 1');
  await page.user.click(within(form).getByRole('button', { name: 'Create review set' }));
  await expect.poll(() => page.address()).toBe(`${base}/${setId}`);
  expect(api.bodies).toContainEqual({ name: 'Rest', source: { kind: 'allQueries' }, sample: { size: 100, seed: 'Falcon 1' } });
});

test('a set is read and decided by keys alone: each decision names what was seen and leads to the next item', async () => {
  const api = anApi().on(reviews.decide, ({ params, body }) => {
    const { status, revision } = body as { status: ReviewItem['status']; revision: number };
    const by = { reviewer: 'ann@contoso.example', reviewedAt: now };
    return { position: Number(params['position']), status, revision: revision + 1, copies: 1, ...by };
  });
  const page = await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api });
  expect(await screen.findByText('1 of 4 reviewed')).toBeTruthy();
  expect(await screen.findByText('Offer 1')).toBeTruthy();
  expect(screen.getByText(/2 more copies/)).toBeTruthy();
  await page.checkAccessibility();
  await page.user.keyboard('j');
  expect(await screen.findByText('The price is 42.')).toBeTruthy();
  expect(screen.getByText('2 more copies. The decision applies to all copies of this content.')).toBeTruthy();
  expect(api.bodies).toContainEqual(expect.objectContaining({ nodeId: 'm1', reason: 'HR-17 · Falcon' }));
  await page.user.keyboard('3');
  expect(await screen.findByRole('heading', { level: 2, name: 'Offer 2' })).toBeTruthy();
  await page.user.keyboard('1');
  await expect.poll(() => puts(api)).toEqual(['items/1', 'items/2']);
  expect(api.bodies).toContainEqual({ status: 'privileged', revision: 0 });
  expect(api.bodies).toContainEqual({ status: 'relevant', revision: 0 });
  expect(await screen.findByText(/This item cannot be read: No longer part of this case/)).toBeTruthy();
  await page.user.keyboard('kk');
  const group = await screen.findByRole('group', { name: 'Decision' });
  await expect
    .poll(() =>
      within(group)
        .getByRole('button', { name: /Privileged/ })
        .getAttribute('aria-pressed'),
    )
    .toBe('true');
  await page.user.keyboard('0');
  await expect.poll(() => api.bodies).toContainEqual({ status: 'unreviewed', revision: 1 });
});

test('a message of a chat is read in its conversation, a mail is not, and both say why they are kept', async () => {
  const kept = {
    holds: [{ name: 'Lawsuit', reason: null }],
    policies: [{ name: 'Letters', until: '2033-01-01T00:00:00.000Z' }],
    deletedBy: [{ name: 'Old mail', from: '2034-01-01T00:00:00.000Z', isReviewed: true }],
  };
  const said = { nodeId: 'm1', isHit: true, isReply: false, author: 'Anna', at: now, subject: null, text: 'In the chat.', attachments: [] };
  const chat = aHit({ nodeId: 'm1', hitId: 'm1', title: 'Offer 1', kind: 'im' });
  const api = anApi()
    .on(reviews.items, onePage([anItem(1, { hit: chat }), anItem(2)]))
    .on(compliance.keptItem, { ...kept, rules: [], points: 2, oldestAt: now, newestAt: now })
    .on(content.conversation, {
      kind: 'chat',
      title: 'The kitchen',
      from: now,
      to: now,
      oldestPointAt: now,
      newestPointAt: now,
      gaps: [],
      messages: [{ ...said, isDeleted: false, isEdited: false }],
    });
  const page = await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api });
  await screen.findByText('Offer 1');
  await page.user.keyboard('j');
  expect(await screen.findByText('In the chat.')).toBeTruthy();
  expect(api.bodies.filter((body) => JSON.stringify(body).includes('"m1"'))).toHaveLength(2);
  await page.user.keyboard('j');
  expect(await screen.findByRole('heading', { level: 2, name: 'Offer 2' })).toBeTruthy();
  expect(await screen.findByText('The price is 42.')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Conversation' })).toBeNull();
  for (const fact of ['Hold Lawsuit', /^Letters: at least until /, /^Old mail: reviewed for deletion after /])
    expect(screen.getByText(fact)).toBeTruthy();
});

test('a decision that somebody else was faster with is taken back, said, and the list is read again', async () => {
  const api = anApi().fail(reviews.decide, 409, { code: 'reviews.decided-meanwhile', message: 'Somebody else has decided.' });
  const page = await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api });
  await screen.findByText('Offer 1');
  await page.user.keyboard('j');
  await screen.findByText('The price is 42.');
  const listings = (): number => api.calls.filter((call) => call.startsWith('POST') && call.endsWith('/items')).length;
  const before = listings();
  await page.user.keyboard('1');
  expect((await screen.findAllByText('Somebody else has decided.')).length).toBeGreaterThan(0);
  await expect.poll(listings).toBe(before + 1);
  expect(await screen.findByRole('heading', { level: 2, name: 'Offer 1' })).toBeTruthy();
  const group = screen.getByRole('group', { name: 'Decision' });
  expect(
    within(group)
      .getByRole('button', { name: /^Unreviewed/ })
      .getAttribute('aria-pressed'),
  ).toBe('true');
});

test('a set is narrowed by status and person, and a sample that was read says what is true of the whole', async () => {
  const estimate = { share: 0.2, low: 0.025, high: 0.556, confidence: 0.95 };
  const read = { unreviewed: 0, relevant: 2, notRelevant: 8, privileged: 0 };
  const api = anApi(aSet({ progress: read, sample: { size: 10, seed: 'x' }, population: 110, items: 10, estimate }));
  const page = await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api, language: 'de' });
  expect(await screen.findByText(/gilt das für 2 bis 62 der 110 Elemente/)).toBeTruthy();
  expect(screen.getByText('Alles in dieser Prüfliste ist geprüft.')).toBeTruthy();
  await page.user.click(await screen.findByRole('combobox', { name: 'Status' }));
  await page.user.click(await screen.findByRole('option', { name: 'Relevant' }));
  await expect.poll(() => api.bodies).toContainEqual({ status: 'relevant', limit: 100 });
  await page.user.click(screen.getByRole('combobox', { name: 'Person' }));
  await page.user.click(await screen.findByRole('option', { name: 'Adele Vance (4)' }));
  await expect.poll(() => api.bodies).toContainEqual({ status: 'relevant', resourceId: idOf('c3'), limit: 100 });
});

test('in a closed case a set shows how far it was read and opens nothing', async () => {
  const api = anApi(aSet(), aCase({ status: 'closed', closedAt: now }));
  await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api });
  expect(await screen.findByText('1 of 4 reviewed')).toBeTruthy();
  expect(screen.queryByRole('grid', { name: 'Items of the review set' })).toBeNull();
  expect(api.calls.some((call) => call.endsWith('/items'))).toBe(false);
});

test('what was decided so is exported by itself, with the case as its reason', async () => {
  const api = anApi();
  const page = await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api });
  await page.user.click(await screen.findByRole('button', { name: 'Export: Relevant' }));
  const form = await screen.findByRole('form');
  await page.user.click(within(form).getByRole('button', { name: 'Start the export' }));
  const source = { kind: 'review', caseId, setId, statuses: ['relevant'] };
  await expect.poll(() => api.bodies).toContainEqual({ name: 'First pass: Relevant', format: 'eml', reason: 'HR-17 · Falcon', source });
  expect(screen.queryByRole('button', { name: 'Export: Privileged' })).toBeNull();
});

test('threads are looked for on demand; what mails repeat is said, can be hidden, and a thread can be read as a whole', async () => {
  const threads = { status: 'successful', at: now, figures: { mails: 3, threads: 2, toRead: 2, nearCopies: 1, notCompared: 1 } } as const;
  const thread = { first: 2, mails: 2 };
  const rows = [
    anItem(1, { thread: { ...thread, role: 'inclusive', shownBy: 1 } }),
    anItem(2, { thread: { ...thread, role: 'none', shownBy: 1 }, nearCopy: { pivot: 1, likeness: 0.92 } }),
  ];
  const api = anApi(aSet({ threads }))
    .on(reviews.items, onePage(rows))
    .on(compliance.compare, {
      isCut: false,
      parts: [
        { change: 'removed', text: '900' },
        { change: 'added', text: '950' },
      ],
    })
    .on(reviews.findThreads, aSet({ threads: { ...threads, status: 'pending' } }));
  const page = await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api });
  expect(
    await screen.findByText(/^2 of 3 mails say something .* 2 threads, 1 near duplicates\. 1 mail could not be compared/),
  ).toBeTruthy();
  expect(await screen.findByText(/Thread of 2 mails · Quoted in full in item 1 · 92% similar to item 1$/)).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('switch', { name: 'Hide repeated mails' }));
  await expect.poll(() => api.bodies).toContainEqual({ readLess: true, limit: 100 });
  await page.user.click(await screen.findByRole('button', { name: 'Offer 2' }));
  await page.user.click(await screen.findByRole('button', { name: 'Compare with item 1' }));
  expect((await screen.findByText('950')).tagName).toBe('INS');
  await expect.poll(() => document.activeElement?.closest('[role="group"]')?.getAttribute('aria-label')).toBe('Differences');
  expect(api.bodies).toContainEqual({ position: 1, limit: 1 });
  expect(api.bodies.filter((body) => JSON.stringify(body).includes('HR-17 · Falcon')).length).toBeGreaterThan(1);
  await page.user.click(await screen.findByRole('button', { name: 'Show the whole thread' }));
  await expect.poll(() => api.bodies).toContainEqual({ thread: 2, limit: 100 });
  await page.user.click(await screen.findByRole('button', { name: 'Show all items' }));
  expect(await screen.findByRole('switch', { name: 'Hide repeated mails' })).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Find threads again' }));
  await expect.poll(() => api.calls.filter((call) => call.endsWith('/threads')).length).toBe(1);
});

test('where nobody has looked for threads, the set says what they are good for and hides nothing', async () => {
  const page = await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api: anApi(), language: 'de' });
  expect(await screen.findByText(/^Stellen Sie fest, welche E-Mails andere wiederholen/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Unterhaltungen suchen' })).toBeTruthy();
  expect(screen.queryByRole('switch')).toBeNull();
  await page.checkAccessibility();
});

test('the content that is read is tagged by a key or a button, noted about, and the list is narrowed by a tag', async () => {
  const api = anApi()
    .on(reviewMarks.tag, ({ params }) => ({ tags: [String(params['tagId'])] }))
    .on(reviewMarks.addNote, { noteId: idOf('f1'), text: 'Ask Ben.', author: 'ann@contoso.example', at: now, isOwn: true });
  const page = await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api });
  await screen.findByText('Offer 1');
  await page.user.keyboard('j');
  await screen.findByText('The price is 42.');
  const group = screen.getByRole('group', { name: 'Tags' });
  const marks = within(group)
    .getAllByRole('button')
    .map((button) => button.querySelector<HTMLElement>('[aria-hidden]')?.style.backgroundColor);
  expect(marks).toEqual(tags.map(({ colour }) => tagLooks[colour]));
  await page.user.keyboard('5');
  await expect
    .poll(() =>
      within(group)
        .getByRole('button', { name: /^Urgent/ })
        .getAttribute('aria-pressed'),
    )
    .toBe('true');
  expect(puts(api)).toEqual([`tags/${idOf('a2')}`]);
  // The list names it too: nobody has to open an item to see what it is about.
  expect(await within(screen.getByRole('grid', { name: 'Items of the review set' })).findByText('2 more copies · Urgent')).toBeTruthy();
  await page.user.type(screen.getByLabelText('Note'), 'Ask Ben.');
  await page.user.click(screen.getByRole('button', { name: 'Add note' }));
  await expect.poll(() => api.bodies).toContainEqual({ text: 'Ask Ben.' });
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('combobox', { name: 'Tag' }));
  await page.user.click(await screen.findByRole('option', { name: 'Price' }));
  await expect.poll(() => api.bodies).toContainEqual({ tagId: idOf('a1'), limit: 100 });
});

test('notes that cannot be read are not taken for none, and keep their lines', async () => {
  const api = anApi();
  const page = await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api });
  await screen.findByText('Offer 1');
  api.fail(reviewMarks.notes, 500);
  await page.user.keyboard('j');
  await screen.findByText('The price is 42.');
  expect(await screen.findByText('Failed to retrieve data.')).toBeTruthy();
  api.on(reviewMarks.notes, {
    items: [{ noteId: idOf('f1'), text: 'Ask Ben.\nThen Adele.', author: 'ben@contoso.example', at: now, isOwn: false }],
  });
  await page.user.click(screen.getAllByRole('button', { name: 'Retry' }).at(-1) as HTMLElement);
  expect((await screen.findByText(/^Ask Ben/)).textContent).toBe('Ask Ben.\nThen Adele.');
});

test('tags that cannot be read are not taken for none', async () => {
  const api = anApi().fail(reviewMarks.tags, 500);
  const page = await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api });
  await page.user.click(await screen.findByRole('button', { name: 'Tags' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Tags' }));
  expect(await drawer.findByText('The list could not be loaded.')).toBeTruthy();
  expect(drawer.queryByText(/^No tags yet/)).toBeNull();
  api.on(reviewMarks.tags, { items: [] });
  await page.user.click(drawer.getByRole('button', { name: 'Retry' }));
  expect(await drawer.findByText(/^No tags yet/)).toBeTruthy();
});

test('tags are added and removed in a drawer, and removing asks first', async () => {
  const api = anApi().on(reviewMarks.addTag, aTag('a3', 'Low')).on(reviewMarks.removeTag, undefined);
  const page = await renderPage(<CasesPage />, { path: `${base}/${setId}`, pattern, api });
  await page.user.click(await screen.findByRole('button', { name: 'Tags' }));
  const form = await screen.findByRole('form', { name: 'Add tag' });
  await page.user.click(within(form).getByRole('button', { name: 'Add tag' }));
  expect((await within(form).findAllByText('Please fill in this field.')).length).toBeGreaterThan(0);
  await page.user.type(within(form).getByLabelText(/^Name/), 'Low');
  await page.user.type(within(form).getByLabelText(/^Group/), 'Weight');
  await page.user.click(within(form).getByRole('button', { name: 'Add tag' }));
  await expect.poll(() => api.bodies).toContainEqual({ name: 'Low', colour: 'blue', group: 'Weight' });
  await page.user.click(screen.getByRole('button', { name: 'Remove: Price' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove the tag “Price”?' });
  await page.user.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await expect.poll(() => api.calls.some((call) => call.startsWith('DELETE') && call.endsWith(`/tags/${idOf('a1')}`))).toBe(true);
});
