import { MessageBar, MessageBarBody, Spinner } from '@fluentui/react-components';
import { microsoftSignIn } from '@holdfast/contract/microsoft-sign-in';
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { useLocation } from 'react-router';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Centred } from '../../ui/centred.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { LanguageChoice } from './language-choice.tsx';
import type { MicrosoftButtonProps } from './microsoft-button.tsx';
import { useCompleteSignIn } from './sign-in.queries.ts';

/** `/signin/microsoft`: where the provider sends people back to, and with `?organisation=…` the way to it. */
export default function MicrosoftPage({ leave = (address) => globalThis.location.assign(address) }: MicrosoftButtonProps): ReactElement {
  const text = useText();
  const { search } = useLocation();
  const start = useChange(microsoftSignIn.start);
  const complete = useChange(microsoftSignIn.complete);
  const finish = useCompleteSignIn();
  // An answer counts once, and effects may run twice.
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    const organisation = new URLSearchParams(search).get('organisation');
    if (organisation === null) complete.mutate({ body: { answer: search }, quiet: true }, { onSuccess: finish });
    else start.mutate({ body: { organisation }, quiet: true }, { onSuccess: ({ address }) => leave(address) });
  });
  const failure = start.error ?? complete.error;
  return (
    <Centred title={text('signIn.microsoft')} lead={text('signIn.microsoftLead')} foot={<LanguageChoice />}>
      {failure === null ? (
        <Spinner label={text('signIn.microsoftBusy')} />
      ) : (
        <>
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{failure.message}</MessageBarBody>
          </MessageBar>
          <RouterLink to="/signin">{text('signIn.otherWay')}</RouterLink>
        </>
      )}
    </Centred>
  );
}
