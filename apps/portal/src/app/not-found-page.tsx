import { Button, Text } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useText } from '../i18n/use-text.ts';
import { Page } from '../ui/page.tsx';
import { Row } from '../ui/layout.tsx';
import { addresses } from './addresses.ts';

/** The page of every address that leads nowhere. */
export default function NotFoundPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (
    <Page title={text('shell.notFoundTitle')}>
      <Text>{text('shell.notFound', { path: pathname })}</Text>
      <Row>
        <Button appearance="primary" onClick={() => void navigate(addresses.home)}>
          {text('shell.home')}
        </Button>
        <Button onClick={() => void navigate(-1)}>{text('common.back')}</Button>
      </Row>
    </Page>
  );
}
