import { makeStyles, tokens } from '@fluentui/react-components';
import { useRef } from 'react';
import type { PointerEvent, ReactElement } from 'react';
import { printing } from '../theme.ts';

const minimum = 40;

const useStyles = makeStyles({
  handle: {
    position: 'absolute',
    insetInlineEnd: 0,
    top: 0,
    bottom: 0,
    width: '8px',
    cursor: 'col-resize',
    touchAction: 'none',
    ':hover': { borderInlineEndWidth: '2px', borderInlineEndStyle: 'solid', borderInlineEndColor: tokens.colorNeutralStroke1 },
    [printing]: { display: 'none' },
  },
});

/** The edge of a column, for the pointer; the column dialog does the same by keyboard. */
export function ResizeHandle({ onWidth }: { readonly onWidth: (width: number) => void }): ReactElement {
  const styles = useStyles();
  const start = useRef<{ x: number; width: number } | null>(null);
  const handleDown = (event: PointerEvent<HTMLSpanElement>): void => {
    const cell = event.currentTarget.closest('th');
    if (cell === null) return;
    start.current = { x: event.clientX, width: cell.offsetWidth };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const handleMove = (event: PointerEvent): void => {
    if (start.current !== null) onWidth(Math.max(minimum, start.current.width + event.clientX - start.current.x));
  };
  return (
    <span
      aria-hidden
      className={styles.handle}
      onPointerDown={handleDown}
      onPointerMove={handleMove}
      onPointerUp={() => {
        start.current = null;
      }}
      onClick={(event) => event.stopPropagation()}
    />
  );
}
