import { screen, waitFor, within } from '@testing-library/react';
import { content } from '@holdfast/contract/content';
import { discovery } from '@holdfast/contract/discovery';
import type { NodeFacts } from '@holdfast/contract/discovery';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aNode, aPoint, aPreview, onePage, sampleIds } from '../../testing/samples.ts';
import { ContentBrowser, type OpenNode } from './index.ts';

const place = { tenantId: sampleIds.tenant, locationId: sampleIds.location, sourceId: sampleIds.source };
const points = [
  aPoint({ sequence: 3, at: '2026-11-20T21:00:00.000Z' }),
  aPoint({ sequence: 2, at: '2026-11-19T21:00:00.000Z' }),
  aPoint({ sequence: 1, at: '2026-11-12T21:00:00.000Z' }),
];
const [newest = aPoint()] = points;

const facts = (given: Partial<NodeFacts> = {}): NodeFacts => ({
  isUnread: false,
  isFlagged: false,
  isImportant: false,
  hasAttachments: false,
  categories: [],
  startsAt: null,
  endsAt: null,
  isAllDay: false,
  isRecurring: false,
  dueAt: null,
  isDone: false,
  wellKnown: null,
  ...given,
});

function Browser({ start }: { readonly start: OpenNode }): ReactElement {
  const [point, setPoint] = useState(newest);
  return <ContentBrowser place={place} source={{ workload: 'exchange' }} points={points} point={point} onPoint={setPoint} start={start} />;
}

const mail = [
  aNode({ nodeId: 'm1', name: 'Offer', author: 'Ben Walters', facts: facts({ isUnread: true, hasAttachments: true }) }),
  aNode({ nodeId: 'm2', name: 'Minutes', author: 'Adele Vance', facts: facts() }),
];
const gone = aNode({ nodeId: 'm3', name: 'Deleted one', lastSeenAt: '2026-11-12T21:00:00.000Z', lastSequence: 1, facts: facts() });

/** A mailbox with two messages in its inbox, and one that was deleted. */
function aMailbox(): FakeApi {
  const inbox = aNode({
    nodeId: 'inbox',
    name: 'Inbox',
    kind: 'mailFolder',
    isContainer: true,
    itemCount: 1_204,
    facts: facts({ wellKnown: 'inbox' }),
  });
  return aSignedInApi()
    .on(discovery.points, { items: points })
    .on(discovery.items, ({ params, query }) => {
      if (params['nodeId'] === 'root') return { ...onePage([inbox]), point: newest, trail: [] };
      const items = query.get('deleted') === 'true' ? [gone] : query.get('kind') === 'message' ? mail : [];
      return { ...onePage(items), point: newest, trail: [{ nodeId: 'inbox', name: 'Inbox', kind: 'mailFolder' }] };
    })
    .on(content.open, { ticket: 'a-ticket-of-more-than-twenty-letters', expiresAt: '2026-11-21T09:31:00.000Z' })
    .on(content.source, { text: 'Subject: Offer\r\nX-Mark: 1\r\n\r\nBelow the header lines', isCut: false })
    .on(
      content.preview,
      aPreview({ kind: 'message', title: 'Offer', from: 'Ben Walters <ben@contoso.example>', text: 'As discussed', versions: [] }),
    );
}

const open = (api: FakeApi, start: OpenNode = { nodeId: 'inbox', kind: 'mailFolder' }) => renderPage(<Browser start={start} />, { api });
const message = (name: string) => screen.findByRole('button', { name: `Preview ${name}` });

test('mail is listed newest first with who, what and its marks, and folders tell how much they hold', async () => {
  const api = aMailbox();
  const page = await open(api);
  await message('Offer');
  expect(api.calls.some((call) => call.includes('sort=-modifiedAt') && call.includes('kind=message'))).toBe(true);
  expect(screen.getByText('Ben Walters')).toBeTruthy();
  expect(screen.getAllByLabelText('With attachments')).toHaveLength(1);
  expect(screen.getByText(/^Message, unread$/)).toBeTruthy();
  expect(await screen.findByText('1,204')).toBeTruthy();
  await page.checkAccessibility();
});

test('the reason is asked once: then a click and the arrows fill the reading pane', async () => {
  const api = aMailbox();
  const page = await open(api);
  await page.user.click(await message('Offer'));
  const pane = within(screen.getByRole('region', { name: 'Reading pane' }));
  await page.user.type(pane.getByRole('textbox', { name: /Reason/ }), 'Lost mail, ticket 4711');
  await page.user.click(pane.getByRole('button', { name: 'Open' }));
  expect(await pane.findByText('As discussed')).toBeTruthy();
  expect(pane.getByRole('heading', { level: 2 }).textContent).toBe('Offer');
  await page.checkAccessibility();
  await page.user.click(await message('Minutes'));
  expect(pane.getByRole('heading', { level: 2 }).textContent).toBe('Minutes');
  page.clock.advance(300);
  await waitFor(() =>
    expect(api.bodies.filter((body) => (body as { reason?: string }).reason === 'Lost mail, ticket 4711')).toHaveLength(2),
  );
  expect(pane.queryByRole('textbox', { name: /Reason/ })).toBeNull();
  await page.user.keyboard('{ArrowUp}');
  expect(pane.getByRole('heading', { level: 2 }).textContent).toBe('Offer');
});

test('after an hour the reason is asked again', async () => {
  const page = await open(aMailbox());
  await page.user.click(await message('Offer'));
  await page.user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Ticket 4711');
  await page.user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByText('As discussed');
  page.clock.advance(3_600_001);
  await page.user.click(await message('Minutes'));
  expect(await screen.findByRole('textbox', { name: /Reason/ })).toBeTruthy();
});

test('a message shows its header lines, then all of its source', async () => {
  const page = await open(aMailbox());
  await page.user.click(await message('Offer'));
  await page.user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Ticket 4711');
  await page.user.click(screen.getByRole('button', { name: 'Open' }));
  await page.user.click(await screen.findByRole('button', { name: 'Headers and source' }));
  expect((await screen.findByText(/X-Mark: 1/)).textContent).not.toContain('Below');
  await page.user.click(screen.getByRole('button', { name: 'Whole source' }));
  expect(screen.getByText(/Below the header lines/)).toBeTruthy();
  await page.checkAccessibility();
});

test('what was deleted is marked with the day it was last there', async () => {
  const page = await open(aMailbox());
  await message('Offer');
  await page.user.click(screen.getByRole('switch', { name: 'Show deleted' }));
  await message('Deleted one');
  expect(screen.getByText('Last there on 12 Nov 2026')).toBeTruthy();
  await page.checkAccessibility();
});

test('the arrows lead along the line of time from point to point, and the folder stays open', async () => {
  const api = aMailbox();
  const page = await open(api);
  await message('Offer');
  const line = screen.getByRole('slider', { name: 'Restore point' });
  expect(line.getAttribute('aria-valuetext')).toContain('20 Nov 2026');
  line.focus();
  await page.user.keyboard('{ArrowLeft}');
  expect(line.getAttribute('aria-valuetext')).toContain('19 Nov 2026');
  await page.user.keyboard('{Home}');
  expect(line.getAttribute('aria-valuenow')).toBe('1');
  await waitFor(() => expect(api.calls.some((call) => call.includes('/items/inbox') && call.includes('at=2026-11-12'))).toBe(true));
  expect(await message('Offer')).toBeTruthy();
  await page.user.keyboard('{End}');
  expect(line.getAttribute('aria-valuetext')).toContain('20 Nov 2026');
});

test('events are in their month, and those of a whole day on the day that was meant', async () => {
  const events = [
    aNode({ nodeId: 'e1', kind: 'event', name: 'Audit', facts: facts({ startsAt: '2026-11-10T09:00:00.000Z' }) }),
    aNode({ nodeId: 'e2', kind: 'event', name: 'Holiday', facts: facts({ startsAt: '2026-11-11T00:00:00.000Z', isAllDay: true }) }),
  ];
  const api = aMailbox().on(discovery.items, {
    ...onePage(events),
    point: newest,
    trail: [{ nodeId: 'c', name: 'Calendar', kind: 'calendar' }],
  });
  const page = await open(api, { nodeId: 'c', kind: 'calendar' });
  const table = await screen.findByRole('table', { name: 'November 2026' });
  const cell = within(table).getByText('11').closest('td');
  expect(cell?.textContent).toContain('All day Holiday');
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Show as list' }));
  expect(await screen.findByRole('grid', { name: 'Contents' })).toBeTruthy();
});

test('files are shown as tiles on wish, also in the next folder, and the reader opens them by name', async () => {
  const files = [
    aNode({ nodeId: 'd', name: 'Photos', kind: 'folder', isContainer: true, itemCount: 3 }),
    aNode({ nodeId: 'f', name: 'Plan.xlsx', kind: 'file', sizeBytes: 84_000, versions: 31 }),
  ];
  const api = aMailbox().on(discovery.items, { ...onePage(files), point: newest, trail: [] });
  const page = await open(api, { nodeId: 'root', kind: 'root' });
  await page.user.click(await screen.findByRole('button', { name: 'Show as grid' }));
  const grid = within(await screen.findByRole('grid', { name: 'Contents' }));
  expect(grid.getByText('3 items')).toBeTruthy();
  expect(grid.getByText(/84 kB · 31 versions|82 KB · 31 versions/)).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(grid.getByRole('button', { name: 'Open Photos' }));
  await page.user.click(await screen.findByRole('button', { name: 'Preview Plan.xlsx' }));
  expect(within(screen.getByRole('region', { name: 'Reading pane' })).getByRole('heading', { level: 2 }).textContent).toBe('Plan.xlsx');
  await page.user.click(screen.getByRole('button', { name: 'Show as list' }));
  expect(screen.getByRole('columnheader', { name: /Name/ })).toBeTruthy();
});
