import { Button } from '@fluentui/react-components';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { usePortal } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { Centred } from '../../ui/centred.tsx';
import { Row } from '../../ui/layout.tsx';
import { LanguageChoice } from './language-choice.tsx';

/** `/signed-out`: after "Sign out everywhere". */
export default function SignedOutPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const { departure } = usePortal();
  useEffect(() => departure.write(null), [departure]);
  return (
    <Centred title={text('signIn.signedOutTitle')} lead={text('signIn.signedOutEverywhere')} foot={<LanguageChoice />}>
      <Row>
        <Button appearance="primary" onClick={() => void navigate('/signin')}>
          {text('signIn.signInAgain')}
        </Button>
      </Row>
    </Centred>
  );
}
