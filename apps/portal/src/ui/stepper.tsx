import { Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { CheckmarkCircleFilled, CircleRegular, RecordRegular } from '@fluentui/react-icons';
import { useEffect, useRef } from 'react';
import type { ReactElement, ReactNode, Ref } from 'react';
import { useText } from '../i18n/use-text.ts';
import { layout, narrowScreen, sheet, spokenOnly } from './theme.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXL,
    minWidth: 0,
    ...sheet,
    [narrowScreen]: { padding: tokens.spacingHorizontalM },
  },
  steps: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalL, listStyleType: 'none', margin: 0, padding: 0 },
  step: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalXS, color: tokens.colorNeutralForeground2 },
  current: { color: tokens.colorBrandForeground1, fontWeight: tokens.fontWeightSemibold, scrollMarginTop: layout.topBarHeight },
  label: { [narrowScreen]: { fontSize: tokens.fontSizeBase200 } },
  hidden: spokenOnly,
  buttons: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalM,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    paddingTop: tokens.spacingVerticalL,
  },
});

export interface StepperProps {
  readonly steps: readonly string[];
  readonly current: number;
  readonly children: ReactNode;
  readonly onBack: () => void;
  readonly onNext: () => void;
  /** The verb of the last step. */
  readonly finish: string;
  readonly busy?: boolean;
  /** The next step needs something that is not there yet. */
  readonly blocked?: boolean;
  readonly onCancel: () => void;
}

/** Steps one after the other: where one is, Back that loses nothing, Next that checks first. */
export function Stepper(props: StepperProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { steps, current } = props;
  const isLast = current === steps.length - 1;
  const mark = useRef<HTMLLIElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const shown = useRef(current);
  useEffect(() => {
    // The button that led on stays where it was, behind everything that the new step asks. A field that asks for the focus keeps it.
    const isLeft = document.activeElement === document.body || buttons.current?.contains(document.activeElement) === true;
    if (shown.current !== current && isLeft) mark.current?.focus();
    shown.current = current;
  }, [current]);
  return (
    <div className={styles.root}>
      <ol className={styles.steps} aria-label={text('kit.stepOf', { step: current + 1, total: steps.length })}>
        {steps.map((step, position) => (
          <StepMark key={step} step={step} position={position} current={current} mark={position === current ? mark : null} />
        ))}
      </ol>
      {props.children}
      <div ref={buttons} className={styles.buttons}>
        <Button disabledFocusable={current === 0} onClick={props.onBack}>
          {text('common.back')}
        </Button>
        <Button appearance="primary" disabledFocusable={props.busy === true || props.blocked === true} onClick={props.onNext}>
          {isLast ? props.finish : text('common.next')}
        </Button>
        <Button appearance="subtle" onClick={props.onCancel}>
          {text('common.cancel')}
        </Button>
      </div>
    </div>
  );
}

function StepMark({
  step,
  position,
  current,
  mark,
}: {
  readonly step: string;
  readonly position: number;
  readonly current: number;
  readonly mark: Ref<HTMLLIElement>;
}): ReactElement {
  const text = useText();
  const styles = useStyles();
  const isCurrent = position === current;
  const isDone = position < current;
  const upcoming = isCurrent ? <RecordRegular aria-hidden /> : <CircleRegular aria-hidden />;
  const upcomingText = text(isCurrent ? 'kit.stepCurrent' : 'kit.stepOpen');
  return (
    <li
      ref={mark}
      tabIndex={-1}
      className={mergeClasses(styles.step, isCurrent && styles.current)}
      aria-current={isCurrent ? 'step' : undefined}
    >
      {isDone ? <CheckmarkCircleFilled aria-hidden /> : upcoming}
      <Text className={styles.label}>{step}</Text>
      <span className={styles.hidden}>{isDone ? text('kit.stepDone') : upcomingText}</span>
    </li>
  );
}
