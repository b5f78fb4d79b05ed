import { act, screen, waitFor } from '@testing-library/react';
import { discovery } from '@holdfast/contract/discovery';
import type { Candidate } from '@holdfast/contract/discovery';
import { FormProvider, useForm, useWatch } from 'react-hook-form';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage } from '../../testing/render-page.tsx';
import { onePage, sampleIds } from '../../testing/samples.ts';
import { chosenWords } from './chosen-words.ts';
import { sourceKindsOf } from './picker-kind.ts';
import { SourcePickers } from './source-pickers.tsx';

const candidate = { address: '', protection: 'unprotected', lastPointAt: null } as const;
const sales: Candidate = { ...candidate, id: 'sales', name: 'Sales', address: 'sales@contoso.example', kind: 'team' };
const adele: Candidate = { ...candidate, id: 'adele', name: 'Adele Vance', address: 'adele@contoso.example', kind: 'user' };

function theApi(): FakeApi {
  return aSignedInApi()
    .on(discovery.teams, ({ query }) => onePage(['^sal', null].includes(query.get('expression')) ? [sales] : []))
    .on(discovery.users, onePage([adele]))
    .on(discovery.channels, {
      items: [
        { id: 'general', name: 'General' },
        { id: 'offers', name: 'Offers' },
      ],
    });
}

function Chooser(): ReactElement {
  const form = useForm({ defaultValues: { teams: [], channels: [], channelTeam: [], members: [], teamExpression: '' } });
  const values = useWatch({ control: form.control });
  return (
    <FormProvider {...form}>
      <SourcePickers
        tenantId={sampleIds.tenant}
        locationId={sampleIds.location}
        workload="teams"
        kinds={sourceKindsOf('teams', { type: 'backup' })}
      />
      <output>{JSON.stringify(values)}</output>
    </FormProvider>
  );
}

const values = (): Record<string, unknown> => JSON.parse(document.querySelector('output')?.textContent ?? '{}') as Record<string, unknown>;
async function openTab(name: string, api = theApi()): Promise<RenderedPage> {
  const page = await renderPage(<Chooser />, { api });
  await page.user.click(await screen.findByRole('tab', { name }));
  return page;
}

test('a channel is chosen by its team, stands with it, and is taken back', async () => {
  const page = await openTab('Channels');
  await page.user.click(await screen.findByRole('checkbox', { name: /Sales/ }));
  await page.user.click(await screen.findByRole('checkbox', { name: 'Offers' }));
  const offers = { id: 'offers', name: 'Offers', address: 'sales@contoso.example', teamId: 'sales', teamName: 'Sales' };
  expect(values()['channels']).toEqual([offers]);
  expect(values()['teams']).toEqual([]);
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: /Sales › Offers/ }));
  expect(values()['channels']).toEqual([]);
});

test('members are chosen from people, and their teams are found at each run', async () => {
  const page = await openTab('Members');
  expect(await screen.findByText('All teams that they are in, found at each run.')).toBeTruthy();
  await page.user.click(await screen.findByRole('checkbox', { name: /Adele Vance/ }));
  expect(values()['members']).toEqual([{ id: 'adele', name: 'Adele Vance', address: 'adele@contoso.example' }]);
  expect(screen.queryByText('Not protected'), 'their teams are, or are not').toBeNull();
  await page.user.click(screen.getByRole('tab', { name: 'Teams' }));
  expect(await screen.findByText('Not protected')).toBeTruthy();
});

test('an expression is tried when the reader pauses: the teams that have such a name now are named', async () => {
  const api = theApi();
  const page = await openTab('Expression', api);
  await page.user.type(await screen.findByRole('textbox', { name: 'Expression' }), '^sal');
  act(() => page.clock.advance(400));
  expect(await screen.findByText('1 team has such a name now: Sales')).toBeTruthy();
  const tried = api.calls.filter((call) => call.includes('expression='));
  expect(new Set(tried).size, 'not at every key').toBe(1);
  expect(values()['teamExpression']).toBe('^sal');
  await page.checkAccessibility();
  await page.user.type(screen.getByRole('textbox', { name: 'Expression' }), 't');
  act(() => page.clock.advance(400));
  expect(await screen.findByText('No team has such a name now.')).toBeTruthy();
});

test('what is no expression is said so in the words of the server', async () => {
  const api = theApi().fail(discovery.teams, 400, {
    message: 'This is not a regular expression.',
    code: 'discovery.expression-invalid',
  });
  const page = await openTab('Expression', api);
  await page.user.type(await screen.findByRole('textbox', { name: 'Expression' }), '(');
  act(() => page.clock.advance(400));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('This is not a regular expression.'));
});

test('a deletion and a drill choose whole teams, and chats are chosen by people', () => {
  const kinds = (type: 'backup' | 'deletion' | 'drill', withChats = false) => sourceKindsOf('teams', { type, withChats });
  expect(kinds('backup', true)).toEqual(['teams', 'channels', 'members', 'teamExpression', 'users']);
  for (const type of ['deletion', 'drill'] as const) expect(kinds(type)).toEqual(['teams', 'members', 'teamExpression']);
  expect(sourceKindsOf('sharepoint', { type: 'backup' })).toEqual(['sites']);
});

test('what a job chooses is said in words', () => {
  const text = (key: string, values: object = {}): string => `${key} ${Object.values(values).join('/')}`;
  const reference = { id: 'a', name: 'Adele', address: '' };
  const channel = { ...reference, name: 'Offers', teamId: 's', teamName: 'Sales' };
  const chosen = { users: [], groups: [], sites: [], teams: [reference], channels: [channel], members: [reference], teamExpression: '^S' };
  expect(chosenWords(chosen, text as never)).toEqual(['Adele', 'jobs.channelOf Offers/Sales', 'jobs.teamsOf Adele', 'jobs.teamsNamed ^S']);
});
