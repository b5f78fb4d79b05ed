import { makeStyles, Text, ToggleButton, tokens } from '@fluentui/react-components';
import type { ReviewItem, ReviewStatus } from '@holdfast/contract/review-values';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { decisions, looks } from './review-status.tsx';

const useStyles = makeStyles({
  key: {
    marginInlineStart: tokens.spacingHorizontalS,
    paddingInline: tokens.spacingHorizontalXS,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusSmall,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
});

interface DecisionProps {
  readonly item: ReviewItem;
  readonly onDecide: (status: ReviewStatus) => void;
}

/** The four decisions with their keys, the one that was made, and by whom. */
export function ReviewDecision({ item, onDecide }: DecisionProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const { reviewer, reviewedAt, copies } = item;
  return (
    <Stack>
      <div role="group" aria-label={text('reviews.decision')}>
        <Row>
          {decisions.map((status) => {
            const { icon: Icon, digit } = looks[status];
            return (
              <ToggleButton
                key={status}
                icon={<Icon />}
                checked={item.status === status}
                aria-keyshortcuts={digit}
                onClick={() => onDecide(status)}
              >
                {text(`reviews.statuses.${status}`)}
                <kbd className={styles.key} aria-hidden>
                  {digit}
                </kbd>
              </ToggleButton>
            );
          })}
        </Row>
      </div>
      {reviewer !== null && reviewedAt !== null && (
        <Text size={200}>{text('reviews.by', { reviewer, date: format.dateTime(reviewedAt) })}</Text>
      )}
      {copies > 1 && <Text size={200}>{`${text('reviews.copies', { count: copies - 1 })}. ${text('reviews.copiesHint')}`}</Text>}
    </Stack>
  );
}
