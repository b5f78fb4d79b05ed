import { Button, makeStyles, Text, Title2, tokens } from '@fluentui/react-components';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../api/portal-context.ts';
import { useText } from '../i18n/use-text.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'start',
    gap: tokens.spacingVerticalL,
    maxWidth: '560px',
    margin: `${tokens.spacingVerticalXXXL} auto`,
    padding: tokens.spacingHorizontalXXL,
  },
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
});

/** What is left when rendering failed. Going to the homepage signs out, so that a broken state is left behind. */
export function FallbackError(): ReactElement {
  const text = useText();
  const styles = useStyles();
  const portal = usePortal();
  const title = text('shell.fallbackTitle');
  useEffect(() => {
    document.title = text('common.windowTitleAlone', { page: title });
  }, [text, title]);
  return (
    <main className={styles.root}>
      <Title2 as="h1">{title}</Title2>
      <Text role="alert">{text('shell.fallback')}</Text>
      <div className={styles.buttons}>
        <Button appearance="primary" onClick={() => globalThis.location.reload()}>
          {text('shell.refreshPage')}
        </Button>
        <Button onClick={() => void portal.signOut.begin('signedOut')}>{text('shell.goHome')}</Button>
      </div>
    </main>
  );
}
