import { Button, Input } from '@fluentui/react-components';
import { microsoftSignIn } from '@holdfast/contract/microsoft-sign-in';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { FieldFrame } from '../../ui/field-frame.tsx';
import { Stack } from '../../ui/layout.tsx';

export interface MicrosoftButtonProps {
  readonly leave?: (address: string) => void;
}

/** The way to the provider. The short name of the organisation is asked for only where several have one. */
export function MicrosoftButton({ leave = (address) => globalThis.location.assign(address) }: MicrosoftButtonProps): ReactElement | null {
  const text = useText();
  const { data } = useQuery({ ...read(microsoftSignIn.offer, { quiet: true }), staleTime: Infinity });
  const start = useChange(microsoftSignIn.start);
  const [isAsking, setIsAsking] = useState(false);
  const [organisation, setOrganisation] = useState('');
  const handleSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    start.mutate(
      { body: organisation === '' ? {} : { organisation }, quiet: !isAsking },
      {
        onSuccess: ({ address }) => leave(address),
        onError: (error) => setIsAsking(error instanceof ApiError && error.code === 'microsoft-sign-in.not-set-up'),
      },
    );
  };
  if (data?.isOffered !== true) return null;
  return (
    <form onSubmit={handleSubmit} noValidate aria-label={text('signIn.microsoft')}>
      <Stack>
        {isAsking && (
          <FieldFrame label={text('signIn.shortName')} hint={text('signIn.shortNameHint')}>
            <Input
              name="organisation"
              value={organisation}
              autoComplete="organization"
              autoFocus
              onChange={(_event, { value }) => setOrganisation(value)}
            />
          </FieldFrame>
        )}
        <Button type="submit" disabledFocusable={start.isPending}>
          {text('signIn.microsoft')}
        </Button>
      </Stack>
    </form>
  );
}
