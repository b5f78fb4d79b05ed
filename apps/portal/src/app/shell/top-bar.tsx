import { Button, FluentProvider, makeStyles, mergeClasses, Text, tokens, Tooltip } from '@fluentui/react-components';
import { CircleFilled, NavigationRegular, QuestionCircleRegular, SearchRegular } from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { Link, useNavigate } from 'react-router';
import { useChosenWorker, usePortal } from '../../api/portal-context.ts';
import { useStore } from '../../api/store.ts';
import { useText } from '../../i18n/use-text.ts';
import { useTheme } from '../../ui/theme-provider.tsx';
import { layers, layout, narrowScreen, printing, themes, topBarColour } from '../../ui/theme.ts';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { addresses } from '../addresses.ts';
import { MicrosoftMark } from './microsoft-mark.tsx';
import { AccountMenu, LanguageMenu, RealmMenu, ThemeMenu } from './menus.tsx';
import { TenantMenu } from './tenant-menu.tsx';

const useStyles = makeStyles({
  // Without a box of its own: in one as low as itself the bar could not stay on top of a page that is scrolled.
  around: { display: 'contents' },
  bar: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    minHeight: layout.topBarHeight,
    paddingInline: tokens.spacingHorizontalS,
    position: 'sticky',
    top: 0,
    // Above what comes before it for the keyboard.
    order: -1,
    zIndex: layers.topBar,
    flexWrap: 'wrap',
    [narrowScreen]: { gap: 0, paddingInline: tokens.spacingHorizontalXXS },
    [printing]: { display: 'none' },
  },
  name: {
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    fontWeight: tokens.fontWeightSemibold,
    fontSize: tokens.fontSizeBase400,
    marginInline: tokens.spacingHorizontalS,
    [narrowScreen]: { marginInline: tokens.spacingHorizontalXXS },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  space: { flexGrow: 1 },
  beside: { marginInlineEnd: tokens.spacingHorizontalS },
  wide: { [narrowScreen]: { display: 'none' } },
  // Without its words a button is as wide as its picture, and all of them fit beside each other on 320 pixels.
  search: { [narrowScreen]: { minWidth: '32px', paddingInline: tokens.spacingHorizontalXS } },
  live: { display: 'inline-flex', alignItems: 'center', gap: tokens.spacingHorizontalXS, [narrowScreen]: { display: 'none' } },
});

export interface TopBarProps {
  readonly navigationOpen: boolean;
  readonly onToggleNavigation: () => void;
  readonly onGoTo: () => void;
}

/** The dark blue bar: inside the dark theme also on light pages, whose black focus ring could not be seen here. */
export function TopBar({ navigationOpen, onToggleNavigation, onGoTo }: TopBarProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { name } = useTheme();
  const isComplete = useAfterPaint();
  return (
    <FluentProvider
      theme={name === 'highContrast' ? themes.highContrast : themes.dark}
      applyStylesToPortals={false}
      className={styles.around}
    >
      <header className={styles.bar} style={{ backgroundColor: topBarColour[name] }} aria-label={text('shell.topBar')} data-region>
        <Tooltip content={text('shell.toggleNavigation')} relationship="label">
          <Button appearance="subtle" icon={<NavigationRegular />} aria-expanded={navigationOpen} onClick={onToggleNavigation} />
        </Tooltip>
        <Link to={addresses.home} className={styles.name}>
          {text('common.productName')}
        </Link>
        {isComplete && <Tools onGoTo={onGoTo} />}
      </header>
    </FluentProvider>
  );
}

/** What the bar offers beside the way home. */
function Tools({ onGoTo }: Pick<TopBarProps, 'onGoTo'>): ReactElement {
  const text = useText();
  const styles = useStyles();
  const navigate = useNavigate();
  const chosen = useChosenWorker();
  return (
    <>
      <Tooltip content={text('shell.goToHint')} relationship="description">
        <Button
          className={styles.search}
          appearance="subtle"
          icon={<SearchRegular />}
          onClick={onGoTo}
          aria-label={text('shell.goTo')}
          aria-keyshortcuts="Control+K"
        >
          <span className={styles.wide}>{text('shell.goTo')}</span>
        </Button>
      </Tooltip>
      <span className={styles.space} />
      {/* What comes late or changes its width stands before the buttons: none of them may move under the pointer. */}
      {chosen !== null && <MicrosoftMark className={mergeClasses(styles.live, styles.beside)} />}
      <LiveMark className={mergeClasses(styles.live, styles.beside)} />
      {chosen !== null && <TenantMenu />}
      <RealmMenu />
      <ThemeMenu />
      <LanguageMenu />
      <Tooltip content={text('shell.help')} relationship="label">
        <Button appearance="subtle" icon={<QuestionCircleRegular />} onClick={() => void navigate(addresses.helpCenter)} />
      </Tooltip>
      <AccountMenu />
    </>
  );
}

function LiveMark({ className }: { readonly className: string }): ReactElement {
  const text = useText();
  const live = useStore(usePortal().live);
  return (
    <Text size={200} className={className} role="status" aria-label={text('shell.live')}>
      <CircleFilled fontSize={10} aria-hidden />
      {text(live === 'connected' ? 'shell.connected' : 'shell.reconnecting')}
    </Text>
  );
}
