import { passkeys } from '@holdfast/contract/passkeys';
import type { ResponseOf } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { useChange } from '../../../api/queries.ts';
import { useText } from '../../../i18n/use-text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { PasswordField } from '../../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../../ui/form.tsx';
import { faultWords } from './fault-words.ts';
import { proofOf, proofText } from './proof.ts';

/** One of one's passkeys. */
export type PasskeyRow = ResponseOf<typeof passkeys.list>['items'][number];

const stepUp = z.object({ proof: proofText });

/** Asks before a passkey opens nothing any more; whoever holds the session alone can't. */
export function RemovePasskey({ passkey, onClose }: { readonly passkey: PasskeyRow; readonly onClose: () => void }): ReactElement {
  const text = useText();
  const remove = useChange(passkeys.remove, { success: 'successes.passkeyRemoved', quiet: true });
  const form = useSchemaForm(stepUp, { proof: '' });
  const send = async ({ proof }: z.output<typeof stepUp>): Promise<void> => {
    try {
      await remove.mutateAsync({ params: { passkeyId: passkey.passkeyId }, body: proofOf(proof) });
      onClose();
    } catch (error) {
      form.setError('proof', { message: faultWords(error) }, { shouldFocus: true });
    }
  };
  return (
    <ConfirmDialog
      title={text('confirmations.passkeyTitle', { name: passkey.name })}
      text={text('confirmations.passkeyText')}
      button={text('profile.removePasskey')}
      destructive
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => void form.handleSubmit(send)()}
    >
      <Form form={form} isNested onSubmit={() => undefined}>
        <PasswordField name="proof" label={text('profile.passwordOrCode')} autoComplete="current-password" />
      </Form>
    </ConfirmDialog>
  );
}
