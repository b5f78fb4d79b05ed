import { makeStyles, tokens } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useStore } from '../../api/store.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { printing } from '../../ui/theme.ts';

const useStyles = makeStyles({
  root: {
    display: 'none',
    [printing]: {
      // Fixed things stand on every sheet; the margin of the page below keeps the text clear of them.
      display: 'flex',
      justifyContent: 'space-between',
      gap: tokens.spacingHorizontalM,
      position: 'fixed',
      insetInline: 0,
      bottom: 0,
      paddingTop: tokens.spacingVerticalXS,
      borderTop: `1px solid ${tokens.colorNeutralStroke1}`,
      fontSize: tokens.fontSizeBase100,
      color: tokens.colorNeutralForeground1,
      backgroundColor: tokens.colorNeutralBackground1,
    },
  },
});

/** The foot of a printed page: which page of the portal, of whom, when and by whom it was printed. */
export function PrintFoot(): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const { clock, signIn } = usePortal();
  const { user } = useStore(signIn.state);
  const [printed, setPrinted] = useState<{ readonly title: string; readonly at: string } | null>(null);
  useEffect(() => {
    const note = (): void => setPrinted({ title: document.title, at: new Date(clock.now()).toISOString() });
    globalThis.addEventListener('beforeprint', note);
    return () => globalThis.removeEventListener('beforeprint', note);
  }, [clock]);
  return (
    <footer className={styles.root}>
      <span>{printed?.title}</span>
      <span>{text('shell.printedBy', { time: format.dateTime(printed?.at), user: user?.email ?? '–' })}</span>
    </footer>
  );
}
