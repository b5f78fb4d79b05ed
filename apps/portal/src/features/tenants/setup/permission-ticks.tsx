import { makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { CheckmarkCircleFilled, CircleRegular } from '@fluentui/react-icons';
import type { AskedPermission } from '@holdfast/contract/app-setups';
import type { ConnectionReport } from '@holdfast/contract/tenants';
import type { ReactElement } from 'react';
import { useNamedText } from '../../../i18n/use-code-text.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Stack } from '../../../ui/layout.tsx';
import { spokenOnly } from '../../../ui/theme.ts';

const useStyles = makeStyles({
  // The button below stays in sight at 900 pixels.
  scrolled: { maxHeight: '420px', overflow: 'auto', outlineOffset: '2px' },
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  item: { display: 'grid', gridTemplateColumns: '20px minmax(0, 1fr)', columnGap: tokens.spacingHorizontalS },
  granted: { color: tokens.colorPaletteGreenForeground1 },
  waiting: { color: tokens.colorNeutralForeground3 },
  name: { overflowWrap: 'anywhere' },
  use: { color: tokens.colorNeutralForeground2, gridColumn: 2 },
  spoken: spokenOnly,
});

export interface PermissionTicksProps {
  readonly asked: readonly AskedPermission[];
  /** What Microsoft has granted by now; nothing is known before the identifiers are there. */
  readonly report: ConnectionReport | undefined;
}

/** Each permission with a tick that turns green once it is granted, and what would be missing without it. */
export function PermissionTicks({ asked, report }: PermissionTicksProps): ReactElement {
  const text = useText();
  const wordsFor = useNamedText('permissionUses');
  const styles = useStyles();
  const states = new Map(report?.permissions.map(({ permission, state }) => [permission, state]));
  const isGranted = (permission: string): boolean => states.get(permission) === 'granted';
  const granted = asked.filter(({ permission }) => isGranted(permission)).length;
  return (
    <Stack>
      <Subtitle2 as="h2">{text('configuration.permissions')}</Subtitle2>
      <Text role="status">{text('setups.granted', { granted, count: asked.length })}</Text>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls a long list by its keys */}
      <div className={styles.scrolled} tabIndex={0} role="region" aria-label={text('configuration.permissions')}>
        <ul className={styles.list}>
          {asked.map(({ permission }) => (
            <li key={permission} className={styles.item}>
              {isGranted(permission) ? (
                <CheckmarkCircleFilled className={styles.granted} fontSize={20} aria-hidden />
              ) : (
                <CircleRegular className={styles.waiting} fontSize={20} aria-hidden />
              )}
              <Text weight="semibold" className={styles.name}>
                {permission}
                <span className={styles.spoken}> {text(isGranted(permission) ? 'status.granted' : 'status.missing')}</span>
              </Text>
              <Text size={200} className={styles.use}>
                {wordsFor(permission)}
              </Text>
            </li>
          ))}
        </ul>
      </div>
    </Stack>
  );
}
