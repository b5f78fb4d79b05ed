import { Button } from '@fluentui/react-components';
import { auth } from '@holdfast/contract/legacy/auth';
import type { SignedIn } from '@holdfast/contract/identity';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Row } from '../../ui/layout.tsx';
import { knowsPasskeys, PasskeyFault, signWithPasskey } from './passkey.ts';

export interface PasskeyStepProps {
  readonly challengeId: string;
  readonly onDone: (answer: SignedIn) => void;
  readonly onError: (error: Error) => void;
}

/** A passkey as the second factor, after the password. */
export function PasskeyStep({ challengeId, onDone, onError }: PasskeyStepProps): ReactElement | null {
  const text = useText();
  const { settings, toasts } = usePortal();
  const options = useChange(auth.passkeyOptions);
  const verify = useChange(auth.verifyPasskey);
  const [isBusy, setIsBusy] = useState(false);
  const use = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const answer = await signWithPasskey(await options.mutateAsync({ body: { challengeId } }));
      onDone(await verify.mutateAsync({ body: { challengeId, answer } }));
    } catch (error) {
      if (error instanceof PasskeyFault) toasts.show('warning', text(error.phrase));
      else if (error instanceof Error) onError(error);
    } finally {
      setIsBusy(false);
    }
  };
  if (!settings.passkeys || !knowsPasskeys()) return null;
  return (
    <Row>
      <Button appearance="primary" autoFocus disabledFocusable={isBusy} onClick={() => void use()}>
        {text('signIn.passkeyUse')}
      </Button>
    </Row>
  );
}
