import { screen, within } from '@testing-library/react';
import { approvals } from '@holdfast/contract/approvals';
import { archive } from '@holdfast/contract/archive';
import { members } from '@holdfast/contract/members';
import { retention } from '@holdfast/contract/retention';
import type { DirectoryState, Policy, PolicyPreview, RetentionEvent } from '@holdfast/contract/retention';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aPolicy } from '../../testing/retention-samples.ts';
import RetentionPage from './retention-page.tsx';

const place = { path: '/configuration/retention', pattern: '/configuration/retention/*' };
const ann = { mailboxId: '01900000-0000-7000-8000-0000000000c1', name: 'Ann Marsh', email: 'ann@contoso.example' };
const none = { messages: 0, bytes: 0 };

const summary = {
  at: '2026-11-26T12:00:00.000Z',
  validUntil: '2999-01-01T00:00:00.000Z',
  kept: { messages: 4_210, bytes: 3 * 1024 ** 2 },
  keptUntil: '2032-12-31T23:00:00.000Z',
  over: { messages: 17, bytes: 1024 },
  waiting: none,
  longer: none,
  shortened: none,
  due: none,
  dueKept: none,
};

const preview: PolicyPreview = {
  ...summary,
  shortened: { messages: 12, bytes: 100 },
  years: [
    { year: 2019, kept: none, over: { messages: 17, bytes: 1024 }, due: none, keptUntil: null },
    { year: 2026, kept: summary.kept, over: none, due: none, keptUntil: summary.keptUntil },
  ],
  mailboxes: [{ ...ann, kept: summary.kept, over: summary.over, due: none, keptUntil: summary.keptUntil }],
};

const event: RetentionEvent = {
  eventId: '01900000-0000-7000-8000-0000000000ce',
  kind: 'leftCompany',
  subject: ann,
  items: [],
  description: 'Retired',
  date: '2026-06-30',
  recorder: 'ben@contoso.example',
  recordedAt: '2026-07-01T09:00:00.000Z',
  policies: ['Leavers'],
};

const directory: DirectoryState = {
  readAt: '2026-11-26T12:00:00.000Z',
  code: null,
  isWaiting: false,
  people: 12,
  values: [{ attribute: 'department', values: ['Legal', 'Sales'] }],
  departures: [],
};

const nobodyWaits = { items: [], secondPersons: ['cara@contoso.example'], approvers: [], delayHours: 24, delayFrom: null };
const anApi = (policies: Policy[], events: RetentionEvent[] = []) =>
  aSignedInApi()
    .on(retention.list, { items: policies })
    .on(retention.events, { items: events })
    .on(retention.directory, directory)
    .on(archive.mailboxes, { items: [], nextCursor: null, total: 0 })
    .on(approvals.list, nobodyWaits);
const posted = (api: ReturnType<typeof anApi>, to: string): boolean =>
  api.calls.some((call) => call.startsWith('POST') && call.endsWith(to));

test('without a policy the page says what to do next, and a template fills the form', async () => {
  const api = anApi([]).on(retention.create, aPolicy({ name: 'Books and accounts' }));
  const page = await renderPage(<RetentionPage />, { ...place, api });
  expect(await screen.findByText(/No policy keeps anything yet/)).toBeTruthy();
  expect(await screen.findByText(/No event is recorded/)).toBeTruthy();
  await page.user.click(screen.getAllByText('New policy')[0] as HTMLElement);
  await page.user.click(await screen.findByText('Books and accounts: 10 years'));
  expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Books and accounts');
  expect(screen.getByLabelText<HTMLInputElement>(/Keep for at least/).value).toBe('10');
  expect(screen.getByText(/no legal advice/)).toBeTruthy();
  await page.user.click(screen.getByText('Save draft'));
  await expect.poll(() => posted(api, '/archive/policies')).toBe(true);
  // The saved policy opens at once, without a question about unsaved changes.
  await expect.poll(() => page.address()).toBe(`/configuration/retention/${aPolicy().policyId}`);
  expect(screen.queryByText('Discard changes?')).toBeNull();
});

test('a policy for certain mailboxes is not saved without one', async () => {
  const api = anApi([]).on(retention.create, aPolicy());
  const page = await renderPage(<RetentionPage />, { ...place, api, language: 'de' });
  await page.user.click((await screen.findAllByText('Neue Richtlinie'))[0] as HTMLElement);
  await page.user.type(await screen.findByLabelText(/^Name/), 'Briefe');
  await page.user.click(screen.getByText('Bestimmte Postfächer'));
  await page.user.click(screen.getByText('Entwurf speichern'));
  expect((await screen.findAllByText('Bitte wählen Sie 1 bis 1.000 Einträge.')).length).toBeGreaterThan(0);
  expect(posted(api, '/archive/policies')).toBe(false);
});

test('a policy that deletes asks reviewers in stages, and not the same single person twice', async () => {
  const bodies: unknown[] = [];
  const people = ['ann', 'ben'].map((name, at) => ({
    userId: `01900000-0000-7000-8000-0000000000f${at}`,
    email: `${name}@contoso.example`,
    firstName: name,
    lastName: '',
    phoneNumber: '',
    role: 'owner' as const,
    organisationId: '01900000-0000-7000-8000-0000000000d0',
    status: 'active' as const,
    isTwoFactorEnabled: true,
    accessEndsAt: null,
    lastSignInAt: null,
    invitedAt: null,
    invitationExpiresAt: null,
    approval: null,
  }));
  const api = anApi([])
    .on(members.list, { items: people })
    .on(retention.create, ({ body }) => {
      bodies.push(body);
      return aPolicy();
    });
  const page = await renderPage(<RetentionPage />, { ...place, api });
  const choose = async (field: RegExp, role: 'option' | 'menuitemcheckbox', option: string) => {
    await page.user.click(await screen.findByRole('combobox', { name: field }));
    await page.user.click(await screen.findByRole(role, { name: option }));
    if (role === 'menuitemcheckbox') await page.user.keyboard('{Escape}');
  };
  await page.user.click((await screen.findAllByText('New policy'))[0] as HTMLElement);
  await page.user.type(await screen.findByLabelText(/^Name/), 'Reviewed');
  await page.user.click(screen.getByRole('radio', { name: /^Delete after a time/u }));
  await choose(/^Review before deletion/u, 'option', 'Two stages');
  await choose(/^Reviewers of stage 1/u, 'menuitemcheckbox', 'ann@contoso.example');
  await choose(/^Reviewers of stage 2/u, 'menuitemcheckbox', 'ann@contoso.example');
  await page.user.click(screen.getByText('Save draft'));
  expect((await screen.findAllByText(/^Choose at least one reviewer for each stage/u)).length).toBeGreaterThan(0);
  expect(bodies).toEqual([]);
  await choose(/^Reviewers of stage 2/u, 'menuitemcheckbox', 'ben@contoso.example');
  await page.user.click(screen.getByText('Save draft'));
  const [ann, ben] = people.map(({ userId }) => userId);
  await expect.poll(() => bodies).toMatchObject([{ stages: [{ reviewers: [ann] }, { reviewers: [ann, ben] }] }]);
});

test('the preview shows what is kept and until when, by year and by mailbox, and warns of what is kept for a shorter time', async () => {
  const api = anApi([aPolicy()]).on(retention.preview, preview);
  const page = await renderPage(<RetentionPage />, { ...place, api });
  await page.user.click(await screen.findByText('Letters'));
  await page.user.click(await screen.findByText('Preview'));
  expect(await screen.findByText('12 messages would be kept for a shorter time than now.')).toBeTruthy();
  expect(screen.getByText('4,210 messages, 3 MB')).toBeTruthy();
  expect(screen.getByText('17 messages, 1 KB')).toBeTruthy();
  expect(screen.getByText('Messages by year of receipt')).toBeTruthy();
  expect(screen.getByText('Ann Marsh (ann@contoso.example)')).toBeTruthy();
  await page.checkAccessibility();
});

test('the activation is asked for once a preview of the last day is there, and names who can approve', async () => {
  const old = { ...summary, validUntil: '2020-01-01T00:00:00.000Z' };
  const stale = await renderPage(<RetentionPage />, { ...place, api: anApi([aPolicy({ preview: old })]) });
  await stale.user.click(await screen.findByText('Letters'));
  expect(await screen.findByText(/The preview is older than a day/)).toBeTruthy();
  expect(screen.queryByText('Ask for activation')).toBeNull();
  stale.unmount();
  const api = anApi([aPolicy({ preview: summary })]).on(retention.activate, aPolicy({ status: 'waiting', preview: summary }));
  const page = await renderPage(<RetentionPage />, { ...place, api });
  await page.user.click(await screen.findByText('Letters'));
  await page.user.click(await screen.findByText('Ask for activation'));
  const dialog = within(await screen.findByRole('dialog', { name: /Ask a second person to activate Letters/ }));
  expect(await dialog.findByText(/cara@contoso.example/)).toBeTruthy();
  await page.user.click(dialog.getByText('Ask for activation'));
  await expect.poll(() => posted(api, '/activate')).toBe(true);
});

test('a policy in force is replaced or ended with a reason, and never edited or deleted', async () => {
  const active = aPolicy({ status: 'active', preview: summary, activatedAt: '2026-11-21T08:00:00.000Z' });
  const api = anApi([active]).on(retention.end, { ...active, status: 'ending', endReason: 'New law' });
  const page = await renderPage(<RetentionPage />, { ...place, api });
  await page.user.click(await screen.findByText('Letters'));
  expect(await screen.findByText('Replace')).toBeTruthy();
  expect(screen.queryByText('Edit')).toBeNull();
  expect(screen.queryByText('Delete draft')).toBeNull();
  await page.user.click(screen.getByText('End this policy'));
  await page.user.type(await screen.findByLabelText(/Reason for the end/), 'New law');
  await page.user.click(screen.getAllByText('End this policy').at(-1) as HTMLElement);
  await expect.poll(() => posted(api, '/end')).toBe(true);
});

test('an event is recorded with a description and a date, and with neither the page says so', async () => {
  const api = anApi([], [event]).on(retention.recordEvent, event);
  const page = await renderPage(<RetentionPage />, { ...place, api });
  expect(await screen.findByText('Leavers')).toBeTruthy();
  await page.user.click(screen.getByText('Record an event'));
  await page.user.type(await screen.findByLabelText(/^Mailbox/), 'ann@contoso.example');
  await page.user.click(screen.getAllByText('Record an event').at(-1) as HTMLElement);
  expect((await screen.findAllByText('The description must not be empty.')).length).toBeGreaterThan(0);
  expect(screen.getAllByText('The date must not be empty.').length).toBeGreaterThan(0);
  expect(posted(api, '/archive/events')).toBe(false);
  await page.user.type(screen.getByLabelText(/^Description/), 'Retired');
  await page.user.type(screen.getByLabelText(/^Date/), '2026-06-30');
  await page.user.click(screen.getAllByText('Record an event').at(-1) as HTMLElement);
  await expect.poll(() => posted(api, '/archive/events')).toBe(true);
});

test('events of a csv file are recorded once each line is right, and a wrong line is named', async () => {
  const bodies: unknown[] = [];
  const api = anApi([]).on(retention.recordEvents, ({ body }) => {
    bodies.push(body);
    return { recorded: 2 };
  });
  const page = await renderPage(<RetentionPage />, { ...place, api });
  await page.user.click(await screen.findByText('Record events from a CSV file'));
  const drawer = within(await screen.findByRole('dialog'));
  await page.checkAccessibility();
  const choose = (text: string) =>
    page.user.upload(drawer.getByLabelText('Choose CSV file', { selector: 'input' }), new File([text], 'leavers.csv'));
  const lines = [
    'Subject;Date;Kind;Description',
    'ann@contoso.example;30.06.2026;Left the company;"Retired; moved"',
    'ben@contoso.example;;leftCompany;Left',
  ];
  await page.user.click(drawer.getByRole('button', { name: 'Record events' }));
  expect(await drawer.findByText('Choose a CSV file first.')).toBeTruthy();
  await choose('subject,date\nann@contoso.example,2026-06-30');
  expect(await drawer.findByText('The first line of the file lacks these titles: kind, description.')).toBeTruthy();
  expect(drawer.getByText(/kind one of these: Left the company, Contract ended, Matter closed;/)).toBeTruthy();
  await choose(lines.join('\r\n').replace('leftCompany', 'gone'));
  const kinds = 'Left the company, Contract ended, Matter closed';
  expect(await drawer.findByText(`Line 3: The kind must be one of these: ${kinds}.`)).toBeTruthy();
  await choose(lines.join('\r\n'));
  expect(await drawer.findByText('Line 3: The date must not be empty.')).toBeTruthy();
  await page.user.click(drawer.getByRole('button', { name: 'Record events' }));
  expect(bodies).toEqual([]);
  await choose(lines.join('\r\n').replace(';;', ';2026-07-01;'));
  expect(await drawer.findByText('2 events are ready to be recorded.')).toBeTruthy();
  await page.user.click(drawer.getByRole('button', { name: 'Record events' }));
  const kind = 'leftCompany';
  const events = [
    { kind, subject: 'ann@contoso.example', date: '2026-06-30', description: 'Retired; moved', items: [] },
    { kind, subject: 'ben@contoso.example', date: '2026-07-01', description: 'Left', items: [] },
  ];
  await expect.poll(() => bodies).toEqual([{ events }]);
});

test('a policy that keeps and deletes is saved with both times, and never with a maximum before its minimum', async () => {
  const api = anApi([]).on(retention.create, aPolicy());
  const page = await renderPage(<RetentionPage />, { ...place, api });
  await page.user.click((await screen.findAllByText('New policy'))[0] as HTMLElement);
  await page.user.type(await screen.findByLabelText(/^Name/), 'Mail');
  expect(screen.queryByLabelText(/^Delete after(?! a time)/)).toBeNull();
  await page.user.click(screen.getByText('Keep, then delete'));
  await page.user.clear(await screen.findByLabelText(/^Delete after(?! a time)/));
  await page.user.type(screen.getByLabelText(/^Delete after(?! a time)/), '5');
  await page.user.click(screen.getByText('Save draft'));
  expect((await screen.findAllByText(/cannot be deleted before the end of their minimum/)).length).toBeGreaterThan(0);
  expect(posted(api, '/archive/policies')).toBe(false);
  await page.user.type(screen.getByLabelText(/^Delete after(?! a time)/), '0');
  await page.checkAccessibility();
  await page.user.click(screen.getByText('Save draft'));
  await expect.poll(() => posted(api, '/archive/policies')).toBe(true);
  expect(api.bodies.at(-1)).toMatchObject({ length: { amount: 6, unit: 'years' }, maximum: { amount: 50, unit: 'years' } });
});

test('a policy that only deletes asks for no minimum, and says so in its list', async () => {
  const api = anApi([aPolicy({ length: null, maximum: { amount: 1, unit: 'years' } })]).on(retention.create, aPolicy());
  const page = await renderPage(<RetentionPage />, { ...place, api, language: 'de' });
  expect(await screen.findByText(/höchstens 1 Jahr ab Ende des Kalenderjahres/)).toBeTruthy();
  await page.user.click((await screen.findAllByText('Neue Richtlinie'))[0] as HTMLElement);
  await page.user.type(await screen.findByLabelText(/^Name/), 'Alte Mail');
  await page.user.click(screen.getByText('Nach einer Zeit löschen'));
  expect(screen.queryByLabelText(/Mindestens aufbewahren/)).toBeNull();
  await page.user.click(screen.getByText('Entwurf speichern'));
  await expect.poll(() => posted(api, '/archive/policies')).toBe(true);
  expect(api.bodies.at(-1)).toMatchObject({ length: null, maximum: { amount: 10, unit: 'years' } });
});

test('nobody is told to wait for the activation of a policy that deletes: only a second person brings it into force', async () => {
  const deleting = aPolicy({ maximum: { amount: 10, unit: 'years' }, preview: { ...summary, due: { messages: 31, bytes: 4_096 } } });
  const api = anApi([deleting]).on(approvals.list, { ...nobodyWaits, secondPersons: [] });
  const page = await renderPage(<RetentionPage />, { ...place, api });
  await page.user.click(await screen.findByText('Letters'));
  await page.user.click(await screen.findByText('Ask for activation'));
  const dialog = within(await screen.findByRole('dialog', { name: /Ask a second person to activate Letters/ }));
  expect(await dialog.findByText(/keeps 4,210 messages and lists 31 for deletion/)).toBeTruthy();
  expect(await dialog.findByText(/Add a second owner or administrator first/)).toBeTruthy();
  expect(dialog.queryByText(/after 24 hours instead/)).toBeNull();
});

test('the preview of a policy that deletes says what goes first, and anybody stops its deletions', async () => {
  const deleting = aPolicy({
    status: 'active',
    maximum: { amount: 10, unit: 'years' },
    preview: { ...summary, due: { messages: 31, bytes: 4_096 }, dueKept: { messages: 7, bytes: 100 } },
    activatedAt: '2026-11-21T08:00:00.000Z',
  });
  const due = { messages: 31, bytes: 4_096 };
  const api = anApi([deleting])
    .on(retention.preview, { ...preview, due, dueKept: { messages: 7, bytes: 100 } })
    .on(retention.stop, { ...deleting, stopped: { at: '2026-11-27T08:00:00.000Z', by: 'cara@contoso.example' } });
  const page = await renderPage(<RetentionPage />, { ...place, api });
  expect(await screen.findByText(/at least 6 years, at most 10 years/)).toBeTruthy();
  await page.user.click(screen.getByText('Letters'));
  await page.user.click(await screen.findByText('Preview again'));
  expect(await screen.findByText(/31 messages are past the maximum/)).toBeTruthy();
  expect(screen.getByText('Past the maximum, but kept')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByText('Stop deleting'));
  const dialog = within(await screen.findByRole('dialog', { name: /Stop the deletions of Letters/ }));
  await page.user.click(dialog.getByText('Stop deleting'));
  await expect.poll(() => posted(api, '/stop')).toBe(true);
});

test('a policy by what the directory says names its conditions, and is not saved without a value', async () => {
  const api = anApi([]).on(retention.create, aPolicy());
  const page = await renderPage(<RetentionPage />, { ...place, api });
  await page.user.click((await screen.findAllByText('New policy'))[0] as HTMLElement);
  await page.user.click(await screen.findByText('Applications: 6 months'));
  await page.user.click(screen.getByLabelText('People by directory attributes'));
  expect(await screen.findByText(/In the directory now: Legal, Sales/)).toBeTruthy();
  await page.user.click(screen.getByText('Save draft'));
  expect(await screen.findByText(/each attribute once, with 1 to 50 values/)).toBeTruthy();
  expect(posted(api, '/archive/policies')).toBe(false);
  await page.user.type(screen.getByLabelText(/^Values/), 'Sales{Enter} Legal {Enter}');
  await page.user.click(screen.getByText('Add a condition'));
  await page.user.click(screen.getByText('Remove condition 2'));
  await page.user.click(screen.getByText('Save draft'));
  await expect.poll(() => posted(api, '/archive/policies')).toBe(true);
  expect(api.bodies.at(-1)).toMatchObject({ attributes: [{ attribute: 'department', values: ['Sales', 'Legal'] }], mailboxes: null });
});

test('a policy in force says in words whose mailboxes it is on', async () => {
  const attributes = [
    { attribute: 'department' as const, values: ['Sales', 'Legal'] },
    { attribute: 'extensionAttribute7' as const, values: ['Z-9'] },
  ];
  await renderPage(<RetentionPage />, { ...place, api: anApi([aPolicy({ attributes })]) });
  expect(await screen.findByText('Department: Sales, Legal; Extension attribute 7: Z-9')).toBeTruthy();
});

test('of a directory that was never read the page claims nothing', async () => {
  const api = anApi([]).on(retention.directory, { ...directory, readAt: null, values: [], departures: [] });
  const page = await renderPage(<RetentionPage />, { ...place, api });
  expect(await screen.findByText(/Not known yet: the directory has not been read/)).toBeTruthy();
  expect(screen.queryByText('Nobody with archived data seems to have left.')).toBeNull();
  await page.user.click((await screen.findAllByText('New policy'))[0] as HTMLElement);
  await page.user.click(await screen.findByLabelText('People by directory attributes'));
  expect(await screen.findByText(/its values are not known here/)).toBeTruthy();
});

test('whoever seems to have left is listed with what the directory says, and the event is recorded with the day that somebody knows', async () => {
  const left: DirectoryState = {
    ...directory,
    code: 'graph.access-denied',
    departures: [
      {
        subject: ann,
        about: 'messages',
        kind: 'disabled',
        lastSeenAt: '2026-11-20T12:00:00.000Z',
        noticedAt: '2026-11-21T12:00:00.000Z',
        date: null,
        recordedFrom: null,
      },
    ],
  };
  const api = anApi([], [{ ...event, recorder: null, description: 'The directory deleted the account.' }])
    .on(retention.directory, left)
    .on(retention.readDirectory, { ...left, isWaiting: true })
    .on(retention.recordEvent, event);
  const page = await renderPage(<RetentionPage />, { ...place, api });
  const table = await screen.findByRole('table', { name: 'People who seem to have left' });
  expect(await within(table).findByText('Account disabled')).toBeTruthy();
  expect(within(table).getByText('Not known')).toBeTruthy();
  expect(screen.getByText(/The last attempt to read the directory failed/)).toBeTruthy();
  expect(within(screen.getByRole('table', { name: 'Events' })).getByText('Directory')).toBeTruthy();
  await page.user.click(screen.getByText('Read directory now'));
  expect(await screen.findByText(/read within a minute/)).toBeTruthy();
  await page.user.click(within(table).getByText(/Ann Marsh/));
  const form = await screen.findByRole('form', { name: 'Retention event: Ann Marsh' });
  await page.user.click(within(form).getByText('Record an event'));
  expect(posted(api, '/archive/events')).toBe(false);
  await page.user.type(within(form).getByLabelText(/^Description/), 'HR, ticket 12');
  await page.user.type(within(form).getByLabelText(/^Date/), '2026-03-31');
  await page.user.click(within(form).getByText('Record an event'));
  await expect.poll(() => posted(api, '/archive/events')).toBe(true);
  expect(api.bodies.at(-1)).toMatchObject({ kind: 'leftCompany', subject: ann.mailboxId, date: '2026-03-31' });
});
