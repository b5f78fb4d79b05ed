import { makeStyles } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';

const useStyles = makeStyles({ text: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', margin: 0 } });

/** `/account/imprint`: the operator's legal notice from the settings. */
export default function ImprintPage(): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { i18n } = useTranslation();
  const { imprint } = usePortal().settings;
  const words = i18n.language === 'de' ? imprint?.de : imprint?.en;
  return (
    <Page title={text('shell.imprint')}>
      {words ? <p className={styles.text}>{words}</p> : <EmptyState text={text('help.noImprint')} />}
    </Page>
  );
}
