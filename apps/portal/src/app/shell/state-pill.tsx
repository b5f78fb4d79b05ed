import { makeStyles, mergeClasses, Text, tokens, Tooltip } from '@fluentui/react-components';
import { CheckmarkCircleFilled, DismissCircleFilled, QuestionCircleRegular } from '@fluentui/react-icons';
import type { FluentIcon } from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { spokenOnly } from '../../ui/theme.ts';

export type PillState = 'good' | 'bad' | 'unknown';

const icons: Readonly<Record<PillState, FluentIcon>> = {
  good: CheckmarkCircleFilled,
  bad: DismissCircleFilled,
  unknown: QuestionCircleRegular,
};

const useStyles = makeStyles({
  pill: {
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalXS,
    paddingInline: tokens.spacingHorizontalS,
    height: '28px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorNeutralStrokeAlpha,
    whiteSpace: 'nowrap',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  good: { color: tokens.colorPaletteLightGreenForeground3 },
  bad: { color: tokens.colorPaletteRedForeground3 },
  unknown: { color: tokens.colorNeutralForeground2 },
  spoken: spokenOnly,
});

export interface StatePillProps {
  /** What it is about; always the same words, so that nothing beside it moves when the state changes. */
  readonly label: string;
  /** Fewer words than the label, where it has too many for the bar. */
  readonly shown?: string;
  readonly state: PillState;
  /** The state in words, for those who do not see the sign. */
  readonly words: string;
  readonly hint: string;
  readonly className?: string | undefined;
}

/** How something that everything depends on is doing: its name, and a sign whose shape tells the state without its colour. */
export function StatePill({ label, shown = label, state, words, hint, className }: StatePillProps): ReactElement {
  const styles = useStyles();
  const Icon = icons[state];
  return (
    <Tooltip content={hint} relationship="description">
      <Text size={200} className={mergeClasses(styles.pill, className)} role="status" aria-label={label} tabIndex={0}>
        <Icon aria-hidden className={styles[state]} fontSize={16} />
        <span aria-hidden>{shown}</span>
        <span className={styles.spoken}>{words}</span>
      </Text>
    </Tooltip>
  );
}
