import { passkeys } from '@holdfast/contract/passkeys';
import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { aSignedInApi, renderPage, type RenderedPage } from '../../../testing/render-page.tsx';
import { sampleIds } from '../../../testing/samples.ts';
import { PasskeysCard } from './passkeys-card.tsx';

const creation = {
  challenge: 'AAAA',
  rp: { id: 'localhost', name: 'Holdfast' },
  user: { id: 'AAAA', name: 'admin@contoso.example', displayName: 'admin@contoso.example' },
  pubKeyCredParams: [{ type: 'public-key' as const, alg: -7 }],
  timeout: 300_000,
  attestation: 'none' as const,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true as const, userVerification: 'required' as const },
};
const laptop = {
  passkeyId: sampleIds.job,
  name: 'Laptop',
  createdAt: '2026-11-20T08:00:00.000Z',
  lastUsedAt: null,
  isOfOtherAddress: false,
};

/** A browser with a device: what it makes, or why it does not. */
function withDevice(make: () => Promise<unknown>): void {
  Object.assign(globalThis, { PublicKeyCredential: () => undefined });
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create: make } });
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    Reflect.deleteProperty(navigator, 'credentials');
  });
}

const bytes = () => new Uint8Array([1, 2, 3]).buffer;
const aPasskey = () =>
  Promise.resolve({
    id: 'AQID',
    rawId: bytes(),
    type: 'public-key',
    response: { clientDataJSON: bytes(), attestationObject: bytes(), getTransports: () => ['internal'] },
    getClientExtensionResults: () => ({}),
  });

async function openDialog(page: RenderedPage): Promise<HTMLElement> {
  await page.user.click(await screen.findByRole('button', { name: 'Add passkey' }));
  const dialog = await screen.findByRole('dialog');
  await page.user.type(within(dialog).getByLabelText('Your password or a code from your app'), 'Calm-River-Stones-12!');
  await page.user.click(within(dialog).getByRole('button', { name: 'Go on' }));
  return dialog;
}

test('a passkey is added with name and proof, and the recovery codes are shown until they are put away', async () => {
  withDevice(aPasskey);
  const api = aSignedInApi()
    .on(passkeys.list, { isPossible: true, items: [] })
    .on(passkeys.begin, creation)
    .on(passkeys.add, { recoveryCodes: ['AAAAA-BBBBB'] });
  let isDone = false;
  const page = await renderPage(<PasskeysCard onDone={() => (isDone = true)} />, { api });
  await openDialog(page);
  await screen.findByText('AAAAA-BBBBB');
  expect(api.bodies).toContainEqual({ password: 'Calm-River-Stones-12!' });
  const made = api.bodies.find((body) => (body as { made?: object } | null)?.made !== undefined);
  expect(made).toMatchObject({ made: { id: 'AQID', response: { attestationObject: 'AQID', transports: ['internal'] } } });
  await page.checkAccessibility();
  // The page behind the dialog is hidden until the dialog has closed.
  await page.user.click(await screen.findByRole('button', { name: 'I have kept them' }));
  expect([isDone, screen.queryByText('AAAAA-BBBBB')]).toEqual([true, null]);
});

test('somebody who tells the device no is told so, and nothing is sent', async () => {
  withDevice(() => Promise.reject(new DOMException('no', 'NotAllowedError')));
  const api = aSignedInApi().on(passkeys.list, { isPossible: true, items: [] }).on(passkeys.begin, creation);
  const page = await renderPage(<PasskeysCard onDone={() => undefined} />, { api });
  const dialog = await openDialog(page);
  expect(await within(dialog).findByText('No passkey was used.')).toBeTruthy();
  expect(api.calls).not.toContain('POST /apollo/api/passkeys');
});

test('a wrong proof is named at its field, in German', async () => {
  withDevice(aPasskey);
  const message = 'Das Kennwort stimmt nicht.';
  const api = aSignedInApi().on(passkeys.list, { isPossible: true, items: [laptop] });
  api.fail(passkeys.remove, 400, { errors: { password: [message] } });
  const page = await renderPage(<PasskeysCard onDone={() => undefined} />, { api, language: 'de' });
  await page.user.click(await screen.findByRole('button', { name: 'Entfernen' }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText('Passkey „Laptop“ entfernen?');
  await page.user.type(within(dialog).getByLabelText('Ihr Kennwort oder ein Code aus Ihrer App'), 'falsch');
  await page.user.click(within(dialog).getByRole('button', { name: 'Entfernen' }));
  expect(await within(dialog).findByText(message)).toBeTruthy();
});

test('where no passkeys are possible nothing is offered, and what is needed is said', async () => {
  const page = await renderPage(<PasskeysCard onDone={() => undefined} />, { api: aSignedInApi() });
  await screen.findByText(/begins with https/);
  expect(screen.queryByRole('button', { name: 'Add passkey' })).toBeNull();
  await page.checkAccessibility();
});
