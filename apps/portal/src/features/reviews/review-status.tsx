import { Badge, makeStyles, tokens } from '@fluentui/react-components';
import type { BadgeProps } from '@fluentui/react-components';
import { CheckmarkRegular, CircleRegular, LockClosedRegular, SubtractCircleRegular } from '@fluentui/react-icons';
import type { FluentIcon } from '@fluentui/react-icons';
import type { ReviewStatus } from '@holdfast/contract/review-values';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';

interface Look {
  readonly color: NonNullable<BadgeProps['color']>;
  readonly icon: FluentIcon;
  /** Of its part of the ring. */
  readonly colour: string;
  /** The digit that decides so. */
  readonly digit: string;
}

export const looks: Readonly<Record<ReviewStatus, Look>> = {
  relevant: { color: 'success', icon: CheckmarkRegular, colour: tokens.colorPaletteGreenForeground1, digit: '1' },
  notRelevant: { color: 'informative', icon: SubtractCircleRegular, colour: tokens.colorNeutralForeground3, digit: '2' },
  privileged: { color: 'important', icon: LockClosedRegular, colour: tokens.colorPaletteBerryForeground1, digit: '3' },
  unreviewed: { color: 'subtle', icon: CircleRegular, colour: tokens.colorNeutralStroke2, digit: '0' },
};

/** In the order of their digits. */
export const decisions: readonly ReviewStatus[] = ['relevant', 'notRelevant', 'privileged', 'unreviewed'];

const useStyles = makeStyles({ badge: { flexShrink: 0 } });

/** Tint, icon and word: never colour alone. */
export function ReviewStatusBadge({ status }: { readonly status: ReviewStatus }): ReactElement {
  const text = useText();
  const { color, icon: Icon } = looks[status];
  return (
    <Badge appearance="tint" color={color} icon={<Icon aria-hidden />} className={useStyles().badge}>
      {text(`reviews.statuses.${status}`)}
    </Badge>
  );
}
