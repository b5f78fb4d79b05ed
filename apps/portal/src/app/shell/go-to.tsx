import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  SearchBox,
  Text,
  tokens,
} from '@fluentui/react-components';
import { mayDo } from '@holdfast/contract/actions';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useChosenWorker } from '../../api/portal-context.ts';
import { roleOf } from '../../api/worker-choice.ts';
import { useText } from '../../i18n/use-text.ts';
import { groupTitles } from '../route-table.ts';
import { pageRoutes } from '../routes.ts';

const useStyles = makeStyles({
  list: { marginTop: tokens.spacingVerticalM, maxHeight: '50vh', overflowY: 'auto' },
  option: {
    display: 'flex',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusMedium,
    cursor: 'pointer',
    '&[aria-selected="true"]': { backgroundColor: tokens.colorNeutralBackground1Selected },
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  group: { color: tokens.colorNeutralForeground2 },
});

interface Target {
  readonly to: string;
  readonly label: string;
  readonly group: string;
}

/** Ctrl+K: any page by a few letters of its name. */
export function GoTo({ onClose }: { readonly onClose: () => void }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [position, setPosition] = useState(0);
  const targets = useTargets(typed);
  const choose = (target: Target | undefined): void => {
    if (target === undefined) return;
    onClose();
    void navigate(target.to);
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') return choose(targets[position]);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return undefined;
    event.preventDefault();
    return setPosition((position + step + targets.length) % Math.max(targets.length, 1));
  };
  return (
    <Dialog open onOpenChange={(_event, { open }) => (open ? undefined : onClose())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{text('shell.goTo')}</DialogTitle>
          <DialogContent>
            <SearchBox
              aria-label={text('shell.goTo')}
              role="combobox"
              aria-expanded
              aria-controls="go-to-list"
              aria-activedescendant={targets.length > 0 ? `go-to-${position}` : undefined}
              value={typed}
              onChange={(_event, { value }) => {
                setTyped(value);
                setPosition(0);
              }}
              onKeyDown={handleKey}
              style={{ width: '100%', maxWidth: 'none' }}
            />
            <div id="go-to-list" role="listbox" aria-label={text('shell.goTo')} className={styles.list}>
              {targets.map((target, at) => (
                // The keys of the search field above work this list.
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- handled by the field
                <div
                  key={target.to}
                  id={`go-to-${at}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={at === position}
                  className={styles.option}
                  onClick={() => choose(target)}
                >
                  <span>{target.label}</span>
                  <span className={styles.group}>{target.group}</span>
                </div>
              ))}
            </div>
            {targets.length === 0 && <Text>{text('shell.goToNothing')}</Text>}
          </DialogContent>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

function useTargets(typed: string): readonly Target[] {
  const text = useText();
  const role = roleOf(useChosenWorker());
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return pageRoutes
    .filter((route) => route.group !== undefined && (route.action === undefined || (role !== null && mayDo(role, route.action))))
    .map((route) => ({ to: route.path, label: text(route.title), group: route.group === undefined ? '' : text(groupTitles[route.group]) }))
    .filter((target) => words.every((word) => `${target.label} ${target.group}`.toLowerCase().includes(word)));
}
