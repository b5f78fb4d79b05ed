import { Button } from '@fluentui/react-components';
import { passkeySignIn } from '@holdfast/contract/passkeys';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { knowsPasskeys, PasskeyFault, signWithPasskey } from './passkey.ts';
import { useCompleteSignIn } from './sign-in.queries.ts';

/** The way in with a passkey alone, where the public address and the browser allow passkeys. */
export function PasskeyButton(): ReactElement | null {
  const text = useText();
  const { settings, toasts } = usePortal();
  const complete = useCompleteSignIn();
  const start = useChange(passkeySignIn.start);
  const finish = useChange(passkeySignIn.complete);
  const [isBusy, setIsBusy] = useState(false);
  const signIn = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const answer = await signWithPasskey(await start.mutateAsync({}));
      complete(await finish.mutateAsync({ body: { answer } }));
    } catch (error) {
      // What the server refused, the query client has told.
      if (error instanceof PasskeyFault) toasts.show('warning', text(error.phrase));
    } finally {
      setIsBusy(false);
    }
  };
  if (!settings.passkeys || !knowsPasskeys()) return null;
  return (
    <Button disabledFocusable={isBusy} onClick={() => void signIn()}>
      {text('signIn.passkey')}
    </Button>
  );
}
