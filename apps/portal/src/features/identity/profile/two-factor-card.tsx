import { Button, Card, Subtitle2, Text } from '@fluentui/react-components';
import { identity } from '@holdfast/contract/identity';
import { passkeys } from '@holdfast/contract/passkeys';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { ApiError } from '../../../api/api-error.ts';
import { usePortal } from '../../../api/portal-context.ts';
import { read, useChange } from '../../../api/queries.ts';
import { useStore } from '../../../api/store.ts';
import { useText } from '../../../i18n/use-text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { FailedState } from '../../../ui/empty-state.tsx';
import { PasswordField, TextField } from '../../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../../ui/form.tsx';
import { Row, Stack } from '../../../ui/layout.tsx';
import { LoadingShape } from '../../../ui/loading-shape.tsx';
import { LongCode } from '../../../ui/long-code.tsx';
import { faultWords } from './fault-words.ts';
import { KeyImage } from './key-image.tsx';
import { proofOf, proofText, sixDigits } from './proof.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

type TwoFactor = ResponseOf<typeof identity.twoFactor>;

const stepUp = z.object({ proof: proofText });
const code = z.object({ twoFactorCode: z.string().trim().regex(sixDigits, { error: 'validation.code' }), password: z.string() });

/** The second factor: set up with an app, its recovery codes, turned off again. */
export function TwoFactorCard({ onDone }: { readonly onDone: () => void }): ReactElement {
  const text = useText();
  const state = useQuery(read(identity.twoFactor, { body: {}, quiet: true }));
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const handleDone = (): void => {
    setCodes(null);
    onDone();
  };
  return (
    <Card>
      <Subtitle2 as="h2">{text('profile.twoFactor')}</Subtitle2>
      {state.isPending && <LoadingShape rows={1} />}
      {state.isError && <FailedState error={state.error} onRetry={() => void state.refetch()} />}
      {codes !== null && <RecoveryCodes codes={codes} onDone={handleDone} />}
      {state.data?.isTwoFactorEnabled === true && codes === null && <TurnedOn state={state.data} onCodes={setCodes} />}
      {state.data?.isTwoFactorEnabled === false && codes === null && <TurnedOff state={state.data} onCodes={setCodes} />}
    </Card>
  );
}

interface CodesProps {
  readonly state: TwoFactor;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

function TurnedOff({ state, onCodes }: CodesProps): ReactElement {
  const text = useText();
  const [open, setOpen] = useState(false);
  const own = useQuery(read(passkeys.list, { quiet: true }));
  const hasPasskeys = own.data !== undefined && own.data.items.length > 0;
  return (
    <Stack>
      {!own.isPending && <Text>{text(hasPasskeys ? 'profile.twoFactorByPasskey' : 'profile.twoFactorOff')}</Text>}
      {open ? (
        <SetUp state={state} onCodes={onCodes} isProtected={hasPasskeys} />
      ) : (
        <Row>
          <Button appearance="primary" onClick={() => setOpen(true)}>
            {text('profile.setUp')}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

/** Where a passkey protects the account, a session alone turns no app on. */
function SetUp({ state, onCodes, isProtected }: CodesProps & { readonly isProtected: boolean }): ReactElement {
  const text = useText();
  const { user } = useStore(usePortal().signIn.state);
  const enable = useChange(identity.twoFactor, { success: 'successes.twoFactorOn' });
  const form = useSchemaForm(code, { twoFactorCode: '', password: '' });
  /** Awaited and no callback: once it is on, this form is gone, and the codes are shown only now. */
  const turnOn = async (values: z.infer<typeof code>): Promise<void> => {
    try {
      onCodes((await enable.mutateAsync({ body: { enable: true, ...values }, quiet: true })).recoveryCodes);
    } catch (error) {
      const isProof = error instanceof ApiError && ['StepUpRequired', 'PasswordMismatch'].some((key) => key in error.fields);
      form.setError(isProof ? 'password' : 'twoFactorCode', { message: faultWords(error) }, { shouldFocus: true });
    }
  };
  return (
    <Form form={form} label={text('profile.setUp')} onSubmit={(values) => void turnOn(values)}>
      <Text>{text('profile.scan')}</Text>
      <KeyImage sharedKey={state.sharedKey} email={user?.email ?? ''} />
      <Text>
        {text('profile.key')}: <LongCode>{state.sharedKey.match(/.{1,4}/g)?.join(' ')}</LongCode>
      </Text>
      <TextField name="twoFactorCode" label={text('profile.code')} inputMode="numeric" autoComplete="one-time-code" />
      {isProtected && <PasswordField name="password" label={text('profile.currentPassword')} autoComplete="current-password" />}
      <Row>
        <Button type="submit" appearance="primary" disabledFocusable={enable.isPending}>
          {text('profile.turnOn')}
        </Button>
      </Row>
    </Form>
  );
}

function TurnedOn({ state, onCodes }: CodesProps): ReactElement {
  const text = useText();
  const [asked, setAsked] = useState<'off' | 'codes' | null>(null);
  const change = useChange(identity.twoFactor);
  const { toasts } = usePortal();
  const form = useSchemaForm(stepUp, { proof: '' });
  /** Awaited and no callback: once it is turned off, this part of the page is gone. */
  const send = async (body: { enable?: false; resetRecoveryCodes?: true }, proof: string): Promise<void> => {
    try {
      const { recoveryCodes } = await change.mutateAsync({ body: { ...body, ...proofOf(proof) }, quiet: true });
      setAsked(null);
      onCodes(recoveryCodes);
      if (body.enable === false) toasts.show('success', text('successes.twoFactorOff'));
    } catch (error) {
      form.setError('proof', { message: faultWords(error) }, { shouldFocus: true });
    }
  };
  const submit = (body: { enable?: false; resetRecoveryCodes?: true }): void => {
    void form.handleSubmit(({ proof }) => send(body, proof))();
  };
  const isOff = asked === 'off';
  return (
    <Stack>
      <Text>{text('profile.twoFactorOn', { count: state.recoveryCodesLeft })}</Text>
      <Row>
        <Button onClick={() => setAsked('codes')}>{text('profile.newCodes')}</Button>
        <Button onClick={() => setAsked('off')}>{text('profile.turnOff')}</Button>
      </Row>
      {asked !== null && (
        <ConfirmDialog
          title={text(isOff ? 'confirmations.twoFactorOffTitle' : 'profile.newCodes')}
          text={text(isOff ? 'confirmations.twoFactorOffText' : 'profile.codesText')}
          button={text(isOff ? 'confirmations.twoFactorOffButton' : 'profile.newCodes')}
          destructive={isOff}
          busy={change.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() => submit(isOff ? { enable: false } : { resetRecoveryCodes: true })}
        >
          <Form form={form} isNested onSubmit={() => undefined}>
            <PasswordField name="proof" label={text('profile.passwordOrCode')} autoComplete="current-password" />
          </Form>
        </ConfirmDialog>
      )}
    </Stack>
  );
}
