import { Button, makeStyles, MessageBar, MessageBarBody, MessageBarTitle, tokens } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { usePortal } from '../../../api/portal-context.ts';
import { useText } from '../../../i18n/use-text.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { Row, Stack } from '../../../ui/layout.tsx';

const useStyles = makeStyles({
  codes: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(140px, 1fr))',
    gap: tokens.spacingVerticalS,
    listStyleType: 'none',
    padding: 0,
    margin: 0,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase400,
  },
});

/** Shown once: print, copy, done. */
export function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { toasts } = usePortal();
  const handleCopy = async (): Promise<void> => {
    if (await copyText(codes.join('\n'))) toasts.show('success', text('successes.copied'));
  };
  return (
    <Stack>
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>{text('profile.codesTitle')}</MessageBarTitle>
          {text('profile.codesText')}
        </MessageBarBody>
      </MessageBar>
      <ul className={styles.codes} aria-label={text('profile.codesTitle')}>
        {codes.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <Row>
        <Button onClick={() => void handleCopy()}>{text('common.copy')}</Button>
        <Button onClick={() => globalThis.print()}>{text('common.print')}</Button>
        <Button appearance="primary" onClick={onDone}>
          {text('profile.codesDone')}
        </Button>
      </Row>
    </Stack>
  );
}
