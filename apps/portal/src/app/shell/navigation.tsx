import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import {
  ArchiveRegular,
  ChevronDownRegular,
  ChevronRightRegular,
  CloudSyncRegular,
  DocumentTextRegular,
  HomeRegular,
  PeopleTeamRegular,
  QuestionCircleRegular,
  SettingsRegular,
  ShieldCheckmarkRegular,
} from '@fluentui/react-icons';
import type { FluentIcon } from '@fluentui/react-icons';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { NavLink } from 'react-router';
import { mayDo } from '@holdfast/contract/actions';
import { useChosenWorker } from '../../api/portal-context.ts';
import { roleOf } from '../../api/worker-choice.ts';
import { useText } from '../../i18n/use-text.ts';
import { groupTitles, navigationGroups } from '../route-table.ts';
import type { NavigationGroup, PageRoute } from '../route-table.ts';
import { pageRoutes } from '../routes.ts';

const useStyles = makeStyles({
  nav: { display: 'flex', flexDirection: 'column', padding: tokens.spacingVerticalS, minHeight: '100%', boxSizing: 'border-box' },
  group: { width: '100%', justifyContent: 'start', fontWeight: tokens.fontWeightSemibold },
  groupName: { flexGrow: 1, textAlign: 'start' },
  foot: { marginTop: 'auto' },
  list: { listStyleType: 'none', margin: `0 0 ${tokens.spacingVerticalS}`, padding: 0 },
  link: {
    display: 'block',
    // The longest name, semibold because it is the current page, stays in one line.
    padding: `${tokens.spacingVerticalSNudge} ${tokens.spacingHorizontalXS} ${tokens.spacingVerticalSNudge} ${tokens.spacingHorizontalXXL}`,
    borderRadius: tokens.borderRadiusMedium,
    borderInlineStartWidth: tokens.strokeWidthThicker,
    borderInlineStartStyle: 'solid',
    // The stroke that is transparent elsewhere is white in high contrast: every entry would look marked.
    borderInlineStartColor: tokens.colorTransparentBackground,
    color: tokens.colorNeutralForeground2,
    textDecorationLine: 'none',
    ':hover': { color: tokens.colorNeutralForeground2Hover, backgroundColor: tokens.colorNeutralBackground2Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
    '&[aria-current="page"]': {
      color: tokens.colorNeutralForeground2Selected,
      fontWeight: tokens.fontWeightSemibold,
      backgroundColor: tokens.colorNeutralBackground2Selected,
      borderInlineStartColor: tokens.colorCompoundBrandStroke,
    },
  },
});

const groupIcons: Readonly<Record<NavigationGroup, FluentIcon>> = {
  home: HomeRegular,
  backup: CloudSyncRegular,
  archive: ArchiveRegular,
  teams: PeopleTeamRegular,
  compliance: ShieldCheckmarkRegular,
  reports: DocumentTextRegular,
  configuration: SettingsRegular,
  help: QuestionCircleRegular,
};

export interface NavigationProps {
  readonly closedGroups: readonly string[];
  readonly onToggleGroup: (group: NavigationGroup) => void;
  readonly onNavigate: () => void;
}

/** The pages by group; only those that exist and that the reader's role may open. */
export function Navigation({ closedGroups, onToggleGroup, onNavigate }: NavigationProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const role = roleOf(useChosenWorker());
  const visible = pageRoutes.filter((route) => route.action === undefined || (role !== null && mayDo(role, route.action)));
  return (
    <nav aria-label={text('shell.navigation')} className={styles.nav}>
      {navigationGroups.map((group) => {
        const entries = visible.filter((route) => route.group === group);
        if (entries.length === 0) return null;
        const open = !closedGroups.includes(group);
        return <GroupOf key={group} group={group} entries={entries} open={open} onToggle={onToggleGroup} onNavigate={onNavigate} />;
      })}
    </nav>
  );
}

interface GroupProps {
  readonly group: NavigationGroup;
  readonly entries: readonly PageRoute[];
  readonly open: boolean;
  readonly onToggle: (group: NavigationGroup) => void;
  readonly onNavigate: () => void;
}

function GroupOf({ group, entries, open, onToggle, onNavigate }: GroupProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const listId = useId();
  const Icon = groupIcons[group];
  return (
    <div className={mergeClasses(group === 'help' && styles.foot)}>
      <Button
        appearance="subtle"
        size="small"
        className={styles.group}
        icon={<Icon />}
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => onToggle(group)}
      >
        <span className={styles.groupName}>{text(groupTitles[group])}</span>
        {open ? <ChevronDownRegular /> : <ChevronRightRegular />}
      </Button>
      <ul id={listId} className={styles.list} hidden={!open}>
        {entries.map((entry) => (
          <li key={entry.path}>
            <NavLink
              to={entry.path}
              end={entry.path === '/' || entries.some((other) => other.path.startsWith(`${entry.path}/`))}
              className={styles.link}
              onClick={onNavigate}
            >
              {text(entry.title)}
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
