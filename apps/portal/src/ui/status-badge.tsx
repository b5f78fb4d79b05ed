import { Badge, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { BadgeProps } from '@fluentui/react-components';
import {
  ArrowSyncRegular,
  CalendarClockRegular,
  CheckmarkCircleRegular,
  CheckmarkRegular,
  CircleHalfFillRegular,
  CircleRegular,
  ClockRegular,
  DismissCircleRegular,
  ErrorCircleRegular,
  HourglassRegular,
  LockClosedRegular,
  PauseCircleRegular,
  PlugConnectedRegular,
  PlugDisconnectedRegular,
  ProhibitedRegular,
  QuestionCircleRegular,
  RecordStopRegular,
  ShieldCheckmarkRegular,
  ShieldDismissRegular,
  ShieldRegular,
  SubtractCircleRegular,
  WarningRegular,
} from '@fluentui/react-icons';
import type { FluentIcon } from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { useText } from '../i18n/use-text.ts';

type Look = readonly [color: NonNullable<BadgeProps['color']>, icon: FluentIcon];

/** Every status the portal shows, with its colour and icon; the words stand in the phrases. */
const looks = {
  pending: ['informative', ClockRegular],
  running: ['brand', ArrowSyncRegular],
  inProgress: ['brand', HourglassRegular],
  finished: ['success', CheckmarkRegular],
  successful: ['success', CheckmarkCircleRegular],
  defective: ['warning', WarningRegular],
  failed: ['danger', ErrorCircleRegular],
  disabled: ['subtle', PauseCircleRegular],
  scheduled: ['informative', CalendarClockRegular],
  cancelling: ['warning', RecordStopRegular],
  cancelled: ['subtle', ProhibitedRegular],
  skipped: ['subtle', SubtractCircleRegular],
  active: ['success', CheckmarkCircleRegular],
  inactive: ['subtle', CircleRegular],
  provisioned: ['success', ShieldCheckmarkRegular],
  notProvisioned: ['subtle', ShieldRegular],
  provisioning: ['brand', HourglassRegular],
  deprovisioning: ['brand', HourglassRegular],
  reachable: ['success', PlugConnectedRegular],
  unreachable: ['danger', PlugDisconnectedRegular],
  granted: ['success', CheckmarkRegular],
  missing: ['danger', DismissCircleRegular],
  unknown: ['subtle', QuestionCircleRegular],
  protected: ['success', ShieldCheckmarkRegular],
  partly: ['warning', CircleHalfFillRegular],
  unprotected: ['danger', ShieldDismissRegular],
  excluded: ['subtle', ProhibitedRegular],
  verified: ['success', CheckmarkCircleRegular],
  overdue: ['warning', ClockRegular],
  deviation: ['danger', ErrorCircleRegular],
  onHold: ['important', LockClosedRegular],
  expired: ['subtle', ClockRegular],
} as const satisfies Readonly<Record<string, Look>>;

export type Status = keyof typeof looks;
export const statuses = Object.keys(looks) as readonly Status[];

const useStyles = makeStyles({
  root: { display: 'inline-flex', flexDirection: 'column', alignItems: 'start', maxWidth: '100%', gap: tokens.spacingVerticalXXS },
  // In a narrow column its words go on in a second line instead of over the next column.
  badge: { height: 'auto', minHeight: '20px', maxWidth: '100%', textAlign: 'start', '& > span': { flexShrink: 0 } },
  detail: { color: tokens.colorNeutralForeground2 },
});

/** Tint, icon and word: never colour alone. */
export function StatusBadge({ status, detail }: { readonly status: Status; readonly detail?: string | undefined }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const [color, Icon] = looks[status];
  return (
    <span className={styles.root}>
      <Badge appearance="tint" color={color} icon={<Icon aria-hidden />} className={styles.badge}>
        {text(`status.${status}`)}
      </Badge>
      {detail !== undefined && (
        <Text size={200} className={styles.detail}>
          {detail}
        </Text>
      )}
    </span>
  );
}
