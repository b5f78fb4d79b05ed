import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../api/portal-context.ts';
import { useText } from '../i18n/use-text.ts';

/** What comes soon needs no announcement: shapes appear only after this. */
const patienceMs = 300;

const useStyles = makeStyles({ root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM } });

/** True once something has been awaited for long enough to show that it is coming. */
export function usePatience(): boolean {
  const { clock } = usePortal();
  const [over, setOver] = useState(false);
  useEffect(() => clock.after(patienceMs, () => setOver(true)), [clock]);
  return over;
}

/** The shape of what is on its way, never a spinner over a page. */
export function LoadingShape({ rows, height = 32 }: { readonly rows: number; readonly height?: 16 | 32 | 64 | 128 }): ReactElement {
  const text = useText();
  const styles = useStyles();
  if (!usePatience()) return <div aria-busy="true" />;
  return (
    <Skeleton aria-label={text('common.loading')} className={styles.root}>
      {Array.from({ length: rows }, (_empty, row) => (
        <SkeletonItem key={row} size={height} />
      ))}
    </Skeleton>
  );
}
