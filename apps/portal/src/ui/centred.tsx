import { makeStyles, Text, tokens, typographyStyles } from '@fluentui/react-components';
import { ShieldCheckmarkRegular } from '@fluentui/react-icons';
import { useEffect, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/use-text.ts';
import { useWindowTitle } from './window-title.ts';
import { narrowScreen } from './theme.ts';

const useStyles = makeStyles({
  root: {
    minHeight: '100vh',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: tokens.spacingVerticalL,
    padding: tokens.spacingHorizontalL,
    boxSizing: 'border-box',
    backgroundColor: tokens.colorNeutralBackground3,
  },
  card: {
    display: 'flex',
    flexDirection: 'column',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow4,
    width: '100%',
    maxWidth: '440px',
    boxSizing: 'border-box',
    padding: tokens.spacingHorizontalXXXL,
    gap: tokens.spacingVerticalL,
    [narrowScreen]: { padding: tokens.spacingHorizontalL },
  },
  product: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, color: tokens.colorBrandForeground1 },
  title: { ...typographyStyles.title2, margin: 0, outlineStyle: 'none' },
  lead: { color: tokens.colorNeutralForeground2 },
});

export interface CentredProps {
  readonly title: string;
  readonly lead?: string;
  readonly children: ReactNode;
  /** Below the card: language choice and the like. */
  readonly foot?: ReactNode;
}

/** The page of somebody who is not signed in: one card in the middle. */
export function Centred({ title, lead, children, foot }: CentredProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const heading = useRef<HTMLHeadingElement>(null);
  useWindowTitle(title);
  useEffect(() => {
    // A field that asked for focus keeps it.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <main className={styles.root} id="content">
      <div className={styles.card}>
        <Text className={styles.product} weight="semibold" size={400}>
          <ShieldCheckmarkRegular fontSize={24} aria-hidden />
          {text('common.productName')}
        </Text>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {lead !== undefined && <Text className={styles.lead}>{lead}</Text>}
        {children}
      </div>
      {foot}
    </main>
  );
}
