import { Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import type { DrawnPage } from '@holdfast/contract/values';
import type { ReactElement } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Row } from './layout.tsx';

const useStyles = makeStyles({
  // A small picture stays as large as it is: blown up, it would look damaged.
  page: {
    display: 'block',
    maxWidth: '100%',
    height: 'auto',
    boxSizing: 'border-box',
    backgroundColor: 'white',
    border: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}`,
  },
  leaving: { opacity: 0.4 },
  forReaders: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)', whiteSpace: 'pre-line' },
});

export interface DrawnPagesProps {
  /** The name of a picture; pages are named by their numbers. */
  readonly name?: string;
  readonly number: number;
  readonly shown: DrawnPage;
  /** The page before, until the one that was asked for is there. */
  readonly isLeaving: boolean;
  readonly onNumber: (number: number) => void;
}

/** Pages of a file, one at a time, as the server has drawn them: nothing of the file itself gets here. */
export function DrawnPages({ name, number, shown, isLeaving, onNumber }: DrawnPagesProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const title = text('documents.pageOf', { number: String(number), count: String(shown.pages) });
  return (
    <>
      {shown.pages > 1 && (
        <Row>
          <Button disabledFocusable={number === 1} onClick={() => onNumber(number - 1)}>
            {text('documents.previousPage')}
          </Button>
          <Text role="status">{title}</Text>
          <Button disabledFocusable={number === shown.pages} onClick={() => onNumber(number + 1)}>
            {text('documents.nextPage')}
          </Button>
        </Row>
      )}
      <div aria-busy={isLeaving}>
        <img
          className={mergeClasses(styles.page, isLeaving && styles.leaving)}
          src={`data:image/webp;base64,${shown.picture}`}
          width={shown.width}
          height={shown.height}
          alt={shown.pages === 1 && name !== undefined ? name : title}
        />
        {!isLeaving && <div className={styles.forReaders}>{shown.words}</div>}
      </div>
    </>
  );
}
