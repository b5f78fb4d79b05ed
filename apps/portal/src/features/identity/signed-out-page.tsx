import { Button } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '../../i18n/use-text.ts';
import { Centred } from '../../ui/centred.tsx';
import { Row } from '../../ui/layout.tsx';

/** `/signed-out`: after "Sign out everywhere". */
export default function SignedOutPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  return (
    <Centred title={text('signIn.signedOutTitle')} lead={text('signIn.signedOutEverywhere')}>
      <Row>
        <Button appearance="primary" onClick={() => void navigate('/signin')}>
          {text('signIn.signInAgain')}
        </Button>
      </Row>
    </Centred>
  );
}
