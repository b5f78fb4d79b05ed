import { makeStyles } from '@fluentui/react-components';
import type { ReactElement, ReactNode } from 'react';
import { useFocusInside } from './use-focus-inside.ts';

const useStyles = makeStyles({ group: { outlineStyle: 'none' } });

/** Part of a page with a button that gives way to what it shows: the focus stays in the part. */
export function FocusGroup({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  const styles = useStyles();
  const group = useFocusInside();
  return (
    <div ref={group} role="group" aria-label={label} tabIndex={-1} className={styles.group}>
      {children}
    </div>
  );
}
