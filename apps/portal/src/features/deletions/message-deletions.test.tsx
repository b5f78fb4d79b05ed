import { screen, within } from '@testing-library/react';
import { accounts } from '@holdfast/contract/identity';
import { approvals } from '@holdfast/contract/approvals';
import { deletions } from '@holdfast/contract/deletions';
import type { DeletionDetails } from '@holdfast/contract/deletions';
import type { SearchHit } from '@holdfast/contract/search';
import { selection } from '@holdfast/contract/selections';
import { expect, test } from 'vitest';
import { anApproval } from '../../testing/approval-samples.ts';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { onePage, sampleIds } from '../../testing/samples.ts';
import DeletionJobsPage from '../archive/deletion-jobs-page.tsx';
import { DeleteMessagesForm } from './delete-messages-form.tsx';

const base = '/archive/deletion-jobs';
const place = { path: `${base}?tab=messages`, pattern: `${base}/*` };
const tenantId = sampleIds.tenant;
const deletionId = '01900000-0000-7000-8000-0000000000de';
const amount = (messages: number) => ({ messages, bytes: messages * 1_000 });

function aDeletion(given: Partial<DeletionDetails> = {}): DeletionDetails {
  return {
    deletionId,
    state: 'draft',
    basis: 'erasure',
    reason: 'Art. 17, ticket 4711',
    query: 'from:ada@proseware.example',
    requester: 'ann@contoso.example',
    policyId: null,
    createdAt: '2026-11-20T21:00:00.000Z',
    previewedAt: '2026-11-20T21:00:00.000Z',
    listed: amount(1_204),
    kept: amount(4),
    erased: amount(0),
    gone: 0,
    notArchived: 3,
    isEverywhere: false,
    person: null,
    approver: null,
    decidedAt: null,
    rejection: null,
    dueAt: null,
    returned: null,
    returnedBy: null,
    runId: null,
    code: null,
    endedAt: null,
    sweptAt: null,
    mailboxes: [
      {
        mailboxId: sampleIds.source,
        kind: 'archive',
        name: 'Adele Vance',
        email: 'adele@contoso.example',
        locationName: 'Vault',
        listed: amount(1_204),
        kept: amount(4),
        erased: amount(0),
        isMention: false,
      },
    ],
    keepers: [{ kind: 'hold', name: 'Case 12', until: null, messages: 4 }],
    remains: null,
    approval: null,
    ...given,
  };
}

const aHit = (given: Pick<SearchHit, 'hitId' | 'title'>): SearchHit => ({
  locationId: sampleIds.source,
  sourceId: sampleIds.source,
  nodeId: given.hitId,
  sequence: 1,
  kind: 'email',
  workload: 'exchange',
  sender: 'Ada',
  at: '2026-11-20T21:00:00.000Z',
  sizeBytes: 4_096,
  attachments: 0,
  state: 'indexed',
  resource: { resourceId: sampleIds.source, name: 'Ben', address: 'ben@contoso.example', kind: 'mailbox' },
  isDeleted: false,
  lastSeenAt: '2026-11-20T21:00:00.000Z',
  ...given,
});

const theApi = (deletion: DeletionDetails): FakeApi =>
  aSignedInApi()
    .on(deletions.list, onePage([deletion]))
    .on(deletions.get, deletion)
    .on(deletions.mentions, onePage([]))
    .on(deletions.tombstones, onePage([]));

const opened = (deletion: DeletionDetails, api = theApi(deletion)) =>
  renderPage(<DeletionJobsPage />, { ...place, path: `${place.path}&list=${deletionId}`, api });

test('a draft says what would go and what keeps the rest, and asks for a second person', async () => {
  const draft = aDeletion();
  const api = theApi(draft).on(deletions.request, aDeletion({ state: 'waiting' }));
  const page = await opened(draft, api);
  const drawer = await screen.findByRole('dialog');
  expect(within(drawer).getByText('Would delete 1,200 of 1,204 items. Kept: 4.')).toBeTruthy();
  expect(within(drawer).getByText('Case 12')).toBeTruthy();
  const places = within(within(drawer).getByRole('table', { name: 'By place' }));
  expect(places.getByRole('columnheader', { name: /^Would be deleted/ })).toBeTruthy();
  expect(places.queryByRole('columnheader', { name: /^Deleted/ })).toBeNull();
  expect(places.getByText('1,200')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(within(drawer).getByRole('button', { name: 'Request approval' }));
  await page.user.click(
    within(
      await screen.findByRole('alertdialog').catch(() => screen.findAllByRole('dialog').then((all) => all.at(-1) as HTMLElement)),
    ).getByRole('button', { name: 'Request approval' }),
  );
  await screen.findByText('A second person has been asked.');
  expect(api.calls.some((call) => call.startsWith('POST') && call.endsWith('/request'))).toBe(true);
});

test('a deletion that cannot be read says so and is asked for again, and is not taken for one that is gone', async () => {
  const api = theApi(aDeletion()).fail(deletions.get, 500);
  const page = await opened(aDeletion(), api);
  const drawer = within(await screen.findByRole('dialog', { name: 'Deletion of messages and files' }));
  expect(drawer.queryByText('This no longer exists.')).toBeNull();
  api.on(deletions.get, aDeletion());
  await page.user.click(drawer.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Art. 17, ticket 4711')).toBeTruthy();
});

test('a draft of which everything is kept cannot be requested', async () => {
  await opened(aDeletion({ kept: amount(1_204) }));
  const drawer = await screen.findByRole('dialog');
  expect(
    within(drawer).getByText(
      'Everything on this list is kept, so nothing can be deleted. The table below says by what: release the legal hold or wait until the retention policy allows it, then check again.',
    ),
  ).toBeTruthy();
  expect(within(drawer).queryByRole('button', { name: 'Request approval' })).toBeNull();
});

test('a rejection is sent with its reason, and not without one', async () => {
  const waiting = aDeletion({ state: 'waiting', approval: anApproval({ kind: 'messageDeletion', subjectId: deletionId }) });
  const api = theApi(waiting).on(approvals.refuse, anApproval({ status: 'refused' }));
  const page = await opened(waiting, api);
  const drawer = await screen.findByRole('dialog');
  expect(within(drawer).getByText('ben@contoso.example')).toBeTruthy();
  await page.user.click(within(drawer).getByRole('button', { name: 'Reject' }));
  const refused = (): boolean => api.calls.some((call) => call.includes('/refuse'));
  await page.user.click(within(drawer).getByRole('button', { name: 'Reject' }));
  expect(refused()).toBe(false);
  await page.user.type(within(drawer).getByRole('textbox', { name: /Reason/ }), 'These are letters.');
  await page.user.click(within(drawer).getByRole('button', { name: 'Reject' }));
  await screen.findByText('The deletion is rejected.');
  expect(refused()).toBe(true);
});

test('a finished deletion says where copies remain and what the vault still names', async () => {
  const copies = [{ place: 'backups', locationName: 'Vault', messages: 1, lockedDays: 30 }] as const;
  const remains = { countedAt: '2026-11-22T21:00:00.000Z', sweepAt: '2026-11-23T22:00:00.000Z', copies: [...copies] };
  await opened(aDeletion({ state: 'finished', erased: amount(1_200), remains, approver: 'ben@contoso.example' }));
  expect(await screen.findByText(/^1 message is still in restore points of backups in Vault/u)).toBeTruthy();
  expect(screen.getByText('Objects of Vault cannot be deleted for 30 days after they were written.')).toBeTruthy();
  expect(screen.getByText(/encrypted journal of the vault still names each message/u)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  expect(within(screen.getByRole('table', { name: 'By place' })).getByRole('columnheader', { name: /^Deleted/ })).toBeTruthy();
});

test('everything of a person shows each place, and offers the letter once it is erased', async () => {
  const person = { personId: sampleIds.source, name: 'Adele Vance', address: 'adele@contoso.example' };
  const place = { mailboxId: sampleIds.source, name: 'Adele Vance', email: person.address, locationName: 'Vault' };
  const amounts = { listed: amount(10), kept: amount(0), erased: amount(10) };
  const mailboxes = (['archive', 'mailbox', 'drive'] as const).map((kind) => ({ ...place, ...amounts, kind, isMention: false }));
  const erased = aDeletion({ state: 'finished', isEverywhere: true, person, mailboxes, erased: amount(30), runId: sampleIds.run });
  const links: string[] = [];
  const api = theApi(erased).on(accounts.downloadPass, ({ body }) => void links.push(JSON.stringify(body)));
  const page = await opened(erased, api);
  const drawer = await screen.findByRole('dialog');
  for (const place of ['Archive', 'Mailbox backup', 'OneDrive']) expect(within(drawer).getByText(place)).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(within(drawer).getByRole('button', { name: 'Download letter' }));
  await expect.poll(() => links.join('\n')).toContain(`/printed-reports/erasures/${deletionId}?language=en`);
});

test('where a person is mentioned elsewhere can be taken into a draft, item by item or all of it, and is only shown afterwards', async () => {
  const person = { personId: sampleIds.source, name: 'Adele Vance', address: 'adele@contoso.example' };
  const mentions = onePage([
    { hit: aHit({ hitId: '1', title: 'Free' }), state: null, keepers: [] },
    {
      hit: aHit({ hitId: '2', title: 'Held' }),
      state: 'kept' as const,
      keepers: [{ kind: 'hold' as const, name: 'Case 12', until: null }],
    },
  ]);
  const bodies: unknown[] = [];
  const draft = aDeletion({ person });
  const api = theApi(draft)
    .on(deletions.mentions, mentions)
    .on(deletions.includeMentions, ({ body }) => {
      bodies.push(body);
      return draft;
    });
  const page = await opened(draft, api);
  const table = await screen.findByRole('region', { name: 'Mentions elsewhere' });
  expect(await within(table).findByText('Kept by Case 12')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click((await within(table).findAllByRole('checkbox'))[1] as HTMLElement);
  await page.user.click(await within(table).findByRole('button', { name: 'Erase too' }));
  await expect.poll(() => bodies).toEqual([{ hitIds: ['1'] }]);
  await page.user.click(screen.getByRole('button', { name: 'Erase all mentions too' }));
  await expect.poll(() => bodies).toEqual([{ hitIds: ['1'] }, {}]);
  page.unmount();
  await opened(aDeletion({ person, state: 'finished' }), theApi(aDeletion({ person, state: 'finished' })).on(deletions.mentions, mentions));
  expect(await screen.findByText('Kept by Case 12')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Erase all mentions too' })).toBeNull();
});

test('a deletion of chosen messages has no letter', async () => {
  await opened(aDeletion({ state: 'finished', runId: sampleIds.run }));
  const drawer = await screen.findByRole('dialog');
  expect(within(drawer).getByRole('button', { name: 'Download certificate' })).toBeTruthy();
  expect(within(drawer).queryByRole('button', { name: 'Download letter' })).toBeNull();
  expect(within(drawer).queryByText('Mentions elsewhere')).toBeNull();
});

test('chosen messages become a draft with a legal basis and a reason', async () => {
  const chosen = selection.parse({
    selectionId: sampleIds.source,
    query: 'Adele Vance',
    items: 2,
    bytes: 2_000,
    resources: [],
    expiresAt: '2026-11-24T21:00:00.000Z',
  });
  const api = theApi(aDeletion()).on(deletions.create, aDeletion());
  const page = await renderPage(<DeleteMessagesForm tenantId={tenantId} selection={chosen} onClose={() => undefined} />, { api });
  const drawer = await screen.findByRole('dialog');
  await page.user.click(within(drawer).getByRole('button', { name: 'Show what would be deleted' }));
  const created = (): boolean => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/archive/deletions'));
  expect(created()).toBe(false);
  await page.user.type(within(drawer).getByRole('textbox', { name: /Reason/ }), 'Art. 17, ticket 4711');
  await page.user.click(within(drawer).getByRole('button', { name: 'Show what would be deleted' }));
  await expect.poll(created).toBe(true);
});

test('a list of a retention policy names it, and whoever stops it reads that the policy stops too', async () => {
  const policyId = '01900000-0000-7000-8000-0000000000c0';
  const listed = aDeletion({
    state: 'approved',
    basis: 'expiry',
    query: 'Letters',
    reason: 'Letters',
    policyId,
    dueAt: '2026-11-29T21:00:00.000Z',
  });
  const page = await opened(listed);
  expect(await screen.findByText('Retention policy Letters')).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Stop' }));
  expect(await screen.findByText(/deletes nothing any longer until another one takes its place/)).toBeTruthy();
});
