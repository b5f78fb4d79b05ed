import type { CDPSession, Page } from 'playwright-core';

/** A device of the browser that keeps passkeys, and answers as if somebody touched it. */
export interface VirtualAuthenticator {
  /** Whether whoever touches it is recognised. */
  recognise(isRecognised: boolean): Promise<void>;
  /** What it keeps, for a device on another page. */
  passkeys(): Promise<Kept>;
}

export type Kept = Awaited<ReturnType<typeof credentialsOf>>;

const credentialsOf = async (session: CDPSession, authenticatorId: string) =>
  (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

/** Gives a page that is open a device with passkeys (WebAuthn domain of the debugger); the way from an empty page would lose it. */
export async function virtualAuthenticator(page: Page, kept: Kept = []): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  for (const credential of kept) await session.send('WebAuthn.addCredential', { authenticatorId, credential });
  return {
    recognise: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    passkeys: async () => await credentialsOf(session, authenticatorId),
  };
}
