import { Button, makeStyles, mergeClasses, tokens, Tooltip } from '@fluentui/react-components';
import { ChevronDownRegular, ChevronRightRegular, PanelLeftContractRegular, PanelLeftExpandRegular } from '@fluentui/react-icons';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { mayDo } from '@holdfast/contract/actions';
import { useChosenWorker } from '../../api/portal-context.ts';
import { roleOf } from '../../api/worker-choice.ts';
import { useText } from '../../i18n/use-text.ts';
import { groupTitles, navigationGroups } from '../route-table.ts';
import type { NavigationGroup, PageRoute } from '../route-table.ts';
import { pageRoutes } from '../routes.ts';
import { groupIcons } from './navigation-icons.ts';

const marked = {
  color: tokens.colorNeutralForeground2BrandSelected,
  fontWeight: tokens.fontWeightSemibold,
  backgroundColor: tokens.colorNeutralBackground1Selected,
  borderInlineStartColor: tokens.colorCompoundBrandStroke,
} as const;

const entry = {
  display: 'flex',
  alignItems: 'center',
  columnGap: tokens.spacingHorizontalM,
  minHeight: '36px',
  boxSizing: 'border-box',
  minWidth: 0,
  borderRadius: tokens.borderRadiusMedium,
  borderInlineStartWidth: tokens.strokeWidthThicker,
  borderInlineStartStyle: 'solid',
  // The stroke that is transparent elsewhere is white in high contrast: every entry would look marked.
  borderInlineStartColor: tokens.colorTransparentBackground,
  color: tokens.colorNeutralForeground1,
  textDecorationLine: 'none',
  ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
  ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
} as const;

const useStyles = makeStyles({
  nav: {
    display: 'flex',
    flexDirection: 'column',
    rowGap: tokens.spacingVerticalXXS,
    padding: tokens.spacingVerticalS,
    minHeight: '100%',
    boxSizing: 'border-box',
  },
  row: { display: 'flex', alignItems: 'center' },
  group: { ...entry, flexGrow: 1, paddingInline: tokens.spacingHorizontalSNudge, '&[aria-current="page"]': marked },
  icon: { flexShrink: 0, fontSize: '20px' },
  // A folded group that holds the current page says so: the page's own entry is out of sight.
  holds: marked,
  foot: { marginTop: 'auto', justifyContent: 'start', columnGap: tokens.spacingHorizontalS },
  list: { listStyleType: 'none', margin: `0 0 ${tokens.spacingVerticalXS}`, padding: 0 },
  // The longest name, semibold because it is the current page, stays in one line.
  link: {
    ...entry,
    minHeight: '32px',
    paddingInlineStart: '40px',
    paddingInlineEnd: tokens.spacingHorizontalXS,
    color: tokens.colorNeutralForeground2,
    '&[aria-current="page"]': marked,
  },
});

export interface NavigationProps {
  /** Icons alone, each with its name as a hint. */
  readonly isCollapsed: boolean;
  /** Unfolded by the reader; that of the current page is unfolded by itself, and folded by the reader. */
  readonly turnedGroups: readonly string[];
  readonly onToggleGroup: (group: NavigationGroup) => void;
  /** Folds the whole navigation; absent where it covers the page and goes away by itself. */
  readonly onToggle: (() => void) | undefined;
  readonly onNavigate: () => void;
}

/** The page whose entry is marked: the one with the longest address that the current one begins with, or the page it belongs under. */
function currentPage(pathname: string, pages: readonly PageRoute[]): PageRoute | undefined {
  const [found] = pages
    .filter(({ path }) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)))
    .toSorted((one, other) => other.path.length - one.path.length);
  return found?.under === undefined ? found : pages.find(({ path }) => path === found.under);
}

/** The pages by group; only those that exist and that the reader's role may open. */
export function Navigation({ isCollapsed, turnedGroups, onToggleGroup, onToggle, onNavigate }: NavigationProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const role = roleOf(useChosenWorker());
  const visible = pageRoutes.filter((route) => route.action === undefined || (role !== null && mayDo(role, route.action)));
  const current = currentPage(useLocation().pathname, visible);
  return (
    <nav aria-label={text('shell.navigation')} className={styles.nav}>
      {navigationGroups.map((group) => {
        const pages = visible.filter((route) => route.group === group);
        const [first] = pages;
        if (first === undefined) return null;
        const isCurrent = current?.group === group;
        if (isCollapsed) return <IconOf key={group} group={group} to={first.path} isCurrent={isCurrent} />;
        const isTurned = turnedGroups.includes(group);
        return (
          <GroupOf
            key={group}
            {...{ group, pages, current, onNavigate }}
            // Where one is stays in sight, unless the reader folds it: the others open when they are asked for.
            isOpen={isCurrent !== isTurned}
            onToggle={() => onToggleGroup(group)}
          />
        );
      })}
      {onToggle !== undefined && <Foot isCollapsed={isCollapsed} onToggle={onToggle} />}
    </nav>
  );
}

function Foot({ isCollapsed, onToggle }: { readonly isCollapsed: boolean; readonly onToggle: () => void }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const name = text(isCollapsed ? 'shell.expand' : 'shell.collapse');
  const button = (
    <Button
      appearance="subtle"
      className={styles.foot}
      icon={isCollapsed ? <PanelLeftExpandRegular /> : <PanelLeftContractRegular />}
      aria-expanded={!isCollapsed}
      onClick={onToggle}
    >
      {isCollapsed ? null : name}
    </Button>
  );
  if (!isCollapsed) return button;
  return (
    <Tooltip content={name} relationship="label" positioning="after">
      {button}
    </Tooltip>
  );
}

interface IconProps {
  readonly group: NavigationGroup;
  readonly to: string;
  readonly isCurrent: boolean;
}

function IconOf({ group, to, isCurrent }: IconProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const Icon = groupIcons[group];
  return (
    <Tooltip content={text(groupTitles[group])} relationship="label" positioning="after">
      <NavLink to={to} end className={mergeClasses(styles.group, isCurrent && styles.holds)}>
        <Icon className={styles.icon} aria-hidden />
      </NavLink>
    </Tooltip>
  );
}

interface GroupProps {
  readonly group: NavigationGroup;
  readonly pages: readonly PageRoute[];
  readonly current: PageRoute | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onNavigate: () => void;
}

function GroupOf({ group, pages, current, isOpen, onToggle, onNavigate }: GroupProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const listId = useId();
  const Icon = groupIcons[group];
  const name = text(groupTitles[group]);
  const [first] = pages;
  const hasList = pages.length > 1;
  const isMarked = current?.group === group && hasList && !isOpen;
  return (
    <div>
      <div className={styles.row}>
        {/* A group is no page of its own: its first page, listed below it, is what can be the current one. */}
        <NavLink
          to={first?.path ?? '/'}
          end={first?.path === '/'}
          {...(hasList ? { 'aria-current': false } : {})}
          className={mergeClasses(styles.group, isMarked && styles.holds)}
          onClick={onNavigate}
        >
          <Icon className={styles.icon} aria-hidden />
          {name}
        </NavLink>
        {hasList && (
          <Button
            appearance="transparent"
            size="small"
            icon={isOpen ? <ChevronDownRegular /> : <ChevronRightRegular />}
            aria-label={text('shell.openGroup', { name })}
            aria-expanded={isOpen}
            aria-controls={listId}
            onClick={onToggle}
          />
        )}
      </div>
      {hasList && (
        <ul id={listId} className={styles.list} hidden={!isOpen}>
          {pages.map((page) => (
            <li key={page.path}>
              <Link to={page.path} aria-current={page === current ? 'page' : undefined} className={styles.link} onClick={onNavigate}>
                {text(page.title)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
