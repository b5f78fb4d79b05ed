import type { CDPSession, Page } from 'playwright-core';

/** A device of the browser that keeps passkeys, and answers as if somebody touched it. */
export interface VirtualAuthenticator {
  /** Lays it ready on the document that is open, and says whether whoever touches it is recognised. */
  ready(isRecognised?: boolean): Promise<void>;
  /** What it keeps, for a device on another page. */
  passkeys(): Kept;
}

export type Kept = Awaited<ReturnType<typeof credentialsOf>>;

const options = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

const credentialsOf = async (session: CDPSession, authenticatorId: string) =>
  (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

/**
 * Gives a page a device with passkeys (WebAuthn domain of the debugger). Chromium takes it away with each document that is
 * loaded, so what it keeps is kept here, and goes into a new one when the last one is gone.
 */
export async function virtualAuthenticator(page: Page, kept: Kept = []): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  const passkeys = new Map(kept.map((credential) => [credential.credentialId, credential]));
  for (const event of ['WebAuthn.credentialAdded', 'WebAuthn.credentialAsserted'] as const) {
    session.on(event, ({ credential }) => passkeys.set(credential.credentialId, credential));
  }
  let authenticatorId = '';

  async function plugIn(): Promise<void> {
    const isThere = await credentialsOf(session, authenticatorId).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await session.send('WebAuthn.enable');
    ({ authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options }));
    for (const credential of passkeys.values()) await session.send('WebAuthn.addCredential', { authenticatorId, credential });
  }

  const device: VirtualAuthenticator = {
    async ready(isRecognised = true) {
      await plugIn();
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isRecognised });
    },
    passkeys: () => [...passkeys.values()],
  };
  await device.ready();
  return device;
}
