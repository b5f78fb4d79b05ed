import { Button, Dropdown, makeStyles, Option, Text, tokens } from '@fluentui/react-components';
import { ChevronLeftRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { pageSizes } from '@holdfast/contract/limits';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { printing } from '../theme.ts';

/** Without the words beside them the choice, the range and the two buttons stay in one line. */
const narrowTable = '@container (max-width: 500px)';

const useStyles = makeStyles({
  // What fits depends on the drawer or card that the table stands in, not on the screen.
  frame: { containerType: 'inline-size', [printing]: { display: 'none' } },
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    justifyContent: 'end',
    [narrowTable]: { gap: tokens.spacingHorizontalXS },
  },
  size: { minWidth: '80px' },
  word: { [narrowTable]: { display: 'none' } },
  turn: { [narrowTable]: { minWidth: '32px', paddingInline: tokens.spacingHorizontalXS } },
  sizeLabel: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

export interface PagerProps {
  /** How many pages were gone through before this one. */
  readonly page: number;
  readonly pageSize: number;
  readonly shown: number;
  readonly total: number;
  readonly hasNext: boolean;
  readonly onPrevious: () => void;
  readonly onNext: () => void;
  readonly onPageSize: (size: (typeof pageSizes)[number]) => void;
}

/** "1–50 of 4,310", Previous and Next, rows a page. */
export function Pager(props: PagerProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const from = props.page * props.pageSize + 1;
  const range = text('kit.range', {
    from: format.count(props.shown === 0 ? 0 : from),
    to: format.count(from + props.shown - 1),
    total: format.count(props.total),
  });
  return (
    <div className={styles.frame}>
      <div className={styles.root}>
        <span className={styles.sizeLabel}>
          <Text aria-hidden className={styles.word}>
            {text('kit.rowsPerPage')}
          </Text>
          <Dropdown
            className={styles.size}
            aria-label={text('kit.rowsPerPage')}
            value={String(props.pageSize)}
            selectedOptions={[String(props.pageSize)]}
            onOptionSelect={(_event, { optionValue }) => {
              const size = pageSizes.find((one) => String(one) === optionValue);
              if (size !== undefined) props.onPageSize(size);
            }}
          >
            {pageSizes.map((size) => (
              <Option key={size} value={String(size)} text={String(size)}>
                {size}
              </Option>
            ))}
          </Dropdown>
        </span>
        <Text role="status">{range}</Text>
        <Button
          className={styles.turn}
          appearance="subtle"
          icon={<ChevronLeftRegular />}
          disabledFocusable={props.page === 0}
          onClick={props.onPrevious}
          aria-label={text('kit.previous')}
        >
          <span className={styles.word}>{text('kit.previous')}</span>
        </Button>
        <Button
          className={styles.turn}
          appearance="subtle"
          icon={<ChevronRightRegular />}
          iconPosition="after"
          disabledFocusable={!props.hasNext}
          onClick={props.onNext}
          aria-label={text('kit.nextPage')}
        >
          <span className={styles.word}>{text('kit.nextPage')}</span>
        </Button>
      </div>
    </div>
  );
}
