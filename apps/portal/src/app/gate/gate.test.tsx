import { act, screen, waitFor } from '@testing-library/react';
import { accounts } from '@holdfast/contract/identity';
import type { ResponseOf } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { Link } from 'react-router';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage } from '../../testing/render-page.tsx';
import { Gate } from './gate.tsx';

function Behind(): ReactElement {
  return (
    <Gate>
      <p>behind the gate</p>
      <Link to="/elsewhere">on</Link>
    </Gate>
  );
}

const asked = { code: 'identity.second-factor-required', message: 'A second factor is required.' };

async function at(path: string, workerChosen: boolean, api = aSignedInApi()): Promise<RenderedPage> {
  return renderPage(<Behind />, { path, workerChosen, api });
}

test('lets through who has chosen a customer', async () => {
  const page = await at('/account/profile', true);
  await screen.findByText('behind the gate');
  expect(page.address()).toBe('/account/profile');
});

test.each(['/', '/account/profile', '/configuration?page=2'])('asks for a customer before %s, and knows the way back', async (path) => {
  const page = await at(path, false);
  await screen.findByText('elsewhere');
  expect(page.address()).toBe('/select-worker');
  expect(page.portal.departure.read()?.returnTo).toBe(path);
});

test('who needs a second factor first is led to the profile', async () => {
  const page = await at('/', true, aSignedInApi().fail(accounts.account, 403, asked));
  await waitFor(() => expect(page.address()).toBe('/account/profile'));
});

test('who has just set up the second factor keeps the recovery codes on the screen until he goes on', async () => {
  const api = aSignedInApi();
  const good = await api.fetch('/apollo/account').then(async (answer) => (await answer.json()) as ResponseOf<typeof accounts.account>);
  const page = await at('/account/profile', false, api.fail(accounts.account, 403, asked));
  await waitFor(() => expect(page.portal.queries.isFetching()).toBe(0));
  expect(page.address()).toBe('/account/profile');
  const asksBefore = api.calls.length;
  api.on(accounts.account, good);
  await act(async () => await page.portal.queries.invalidateQueries());
  expect(api.calls.length).toBeGreaterThan(asksBefore);
  expect(page.address()).toBe('/account/profile');
  await page.user.click(screen.getByRole('link', { name: 'on' }));
  expect(page.address()).toBe('/elsewhere');
});
