import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { passkeyName, passkeys } from '@holdfast/contract/passkeys';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { ApiError } from '../../../api/api-error.ts';
import { useChange } from '../../../api/queries.ts';
import { useText } from '../../../i18n/use-text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { PasswordField, TextField } from '../../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../../ui/form.tsx';
import { makePasskey, PasskeyFault } from '../passkey.ts';
import { deviceName } from './device-name.ts';
import { faultWords } from './fault-words.ts';
import { proofOf, proofText } from './proof.ts';

const wish = z.object({ name: passkeyName, proof: proofText });

export interface AddPasskeyProps {
  readonly onClose: () => void;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

/** Name and proof; then the device asks, and the passkey is there. */
export function AddPasskey({ onClose, onCodes }: AddPasskeyProps): ReactElement {
  const text = useText();
  const begin = useChange(passkeys.begin, { quiet: true });
  const add = useChange(passkeys.add, { success: 'successes.passkeyAdded', quiet: true });
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const form = useSchemaForm(wish, { name: deviceName(navigator.userAgent).slice(0, 60), proof: '' });
  const handleFault = (error: unknown): void => {
    const fields = error instanceof ApiError ? Object.keys(error.fields) : [];
    if (fields.includes('name')) form.setError('name', { message: faultWords(error) }, { shouldFocus: true });
    else if (fields.length > 0) form.setError('proof', { message: faultWords(error) }, { shouldFocus: true });
    else setFault(error instanceof PasskeyFault ? text(error.phrase) : faultWords(error));
  };
  const send = async ({ name, proof }: z.output<typeof wish>): Promise<void> => {
    setFault(null);
    setIsBusy(true);
    try {
      const made = await makePasskey(await begin.mutateAsync({ body: proofOf(proof) }));
      const { recoveryCodes } = await add.mutateAsync({ body: { name, made } });
      onClose();
      onCodes(recoveryCodes);
    } catch (error) {
      handleFault(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title={text('profile.addPasskey')}
      text={text('profile.addPasskeyText')}
      button={text('profile.addPasskeyButton')}
      busy={isBusy}
      onClose={onClose}
      onConfirm={() => void form.handleSubmit(send)()}
    >
      <Form form={form} isNested onSubmit={() => undefined}>
        {fault !== null && (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{fault}</MessageBarBody>
          </MessageBar>
        )}
        <TextField name="name" label={text('common.name')} hint={text('profile.passkeyNameHint')} />
        <PasswordField name="proof" label={text('profile.passwordOrCode')} autoComplete="current-password" />
      </Form>
    </ConfirmDialog>
  );
}
